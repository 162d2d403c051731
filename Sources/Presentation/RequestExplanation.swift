internal import HTTPTypes
internal import JSONValue
package import Requests
package import UploaderCore

/// What would be sent, where each part comes from, and what is withheld.
package struct RequestExplanation {
  package let prepared: PreparedRequest
  package let profile: SessionProfile?
  /// A reference in the request with its value, and where that came from: `$1.body.url`, `"https://…"`.
  package struct Reference {
    package let text: String
    let value: String
    let origin: String

    package init(text: String, value: String, origin: String) {
      self.text = text
      self.value = value
      self.origin = origin
    }
  }

  package let references: [Reference]
  package let redact: @Sendable ([String]) -> [String]
  /// Until when somebody is signed in, in words; nil: nobody signs in for this.
  private let signIn: String?

  /// - Parameter redact: hides the secrets in the pieces of a text.
  package init(
    prepared: PreparedRequest, profile: SessionProfile?, references: [Reference], signIn: String? = nil,
    redact: @escaping @Sendable ([String]) -> [String]
  ) {
    self.signIn = signIn
    self.prepared = prepared
    self.profile = profile
    self.references = references
    self.redact = redact
  }

  package var text: StyledText {
    let head = prepared.description.head
    var text = StyledText("\(head.method.rawValue) \(prepared.request.url)\n", .strong)
    var rows: [(String, String, String)] = [("profile", prepared.profile, profileNote)]
    for field in prepared.request.headers {
      rows.append((field.name.rawName.lowercased(), field.value, origin(of: field.name)))
    }
    if let credential = prepared.credential, case .header(let name) = credential.part,
      !prepared.request.headers.contains(name)
    {
      let value = credential.summary + (signIn.map { "; \($0)" } ?? "")
      rows.append((name.rawName.lowercased(), value, "credential of \(prepared.profile), when it is sent"))
    }
    for name in prepared.request.omittedHeaders {
      let isOwn = head.omittedHeaders.contains(name)
      rows.append((name.rawName.lowercased(), "left out", isOwn ? "this request" : "profile \(prepared.profile)"))
    }
    rows += body
    for reference in references { rows.append((reference.text, reference.value, reference.origin)) }
    rows += prepared.request.network.parts.map { ($0.name, $0.value, "profile \(prepared.profile)") }
    if let timeout = prepared.request.timeout {
      rows.append(("timeout", NumberFormat.duration(timeout), head.timeout == nil ? "profile" : "this request"))
    }
    if let limit = head.limit { rows.append(("limit", NumberFormat.bytes(limit), "this request")) }
    let width = min(32, rows.map(\.0.count).max() ?? 0)
    let values = NamedValues.shown(rows.map { ($0.0, CutText.cut($0.1, to: Self.examined)) }, redact: redact)
    let preview = ValuePreview { redact([$0]).joined() }
    for ((name, _, note), value) in zip(rows, values) {
      text.append("  " + name + String(repeating: " ", count: max(0, width - name.count)) + "  ", .faint)
      text.append(preview.line(value))
      if !note.isEmpty { text.append("  ← \(note)", .faint) }
      text.append("\n")
    }
    for withheld in prepared.withheld {
      text.append("  \(withheld.sentence)\n", .warning)
    }
    if prepared.request.headers.contains(where: { $0.value == "UNSIGNED-PAYLOAD" }) {
      text.append("  the file is not part of the signature: TLS alone protects it on the way\n", .faint)
    }
    if head.effect == .once { text.append("  sent once: it is not sent again once it may have arrived\n", .faint) }
    return text
  }

  private var profileNote: String {
    guard let profile else { return "no profile claims \(prepared.origin)" }
    return profile.origins.map(\.description).joined(separator: ", ")
  }

  private func origin(of name: HTTPField.Name) -> String {
    if name == .cookie { return originOfCookies }
    if prepared.description.head.headers.contains(name) { return "this request" }
    if prepared.credential?.part == .header(name) { return "credential of \(prepared.profile)" }
    if name == .contentType { return "the body" }
    return "profile \(prepared.profile)"
  }

  /// A request's own cookies, or its profile's, are sent along with those that were kept.
  private var originOfCookies: String {
    let own = prepared.description.head.headers
    let isOwn = own.contains(.cookie)
    let written = isOwn ? own : profile?.headers ?? HTTPFields()
    let writer = isOwn ? "this request" : written.contains(.cookie) ? "profile \(prepared.profile)" : nil
    let isKept = !CookiePair.sent(in: prepared.request.headers, besides: written).isEmpty
    return [writer, isKept ? "cookies of \(prepared.profile)" : nil].compactMap(\.self).joined(separator: ", ")
  }

  private var body: [(String, String, String)] {
    switch prepared.description {
    case .inMemory(let description):
      guard let body = description.body else { return [] }
      return [("body", Self.text(of: body.bytes), NumberFormat.bytes(body.bytes.count))]
    case .multipart(let description):
      return description.parts.map { part in
        switch part.content {
        case .bytes(let bytes): ("part \(part.name)", Self.text(of: bytes), "")
        case .file(let file): ("part \(part.name)", Self.text(of: file), part.contentType ?? "")
        }
      }
    case .stream(let description):
      return [("body", Self.text(of: description.file), description.contentType ?? "")]
    }
  }

  /// How much of a value is looked at, in characters; far more than is shown.
  private static let examined = 4_096

  private static func text(of bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(16 * examined), as: UTF8.self)
  }

  package static func text(of file: FileSlice) -> String {
    "\(file.path), \(NumberFormat.grouped(file.count)) bytes"
      + (file.offset > 0 ? " from \(NumberFormat.grouped(file.offset)) on" : "")
  }
}
