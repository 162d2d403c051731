internal import HTTPTypes
internal import JSONValue
internal import Requests
package import UploaderCore

/// A step as it would be sent: where to, with what, where each part came from, and what is withheld. It fits on a
/// screen.
package struct StopView {
  /// One part of the request.
  package struct Row: Hashable {
    package var name: String
    /// As it is sent.
    package var value: String
    /// Without what must not be seen.
    package var shown = ""
    /// Its text in the script.
    package var source: String?
    /// Whether it is a part of a form, whose names are others than those of headers.
    package var isPart = false
  }

  /// How many rows are shown; with the lines around them they fit in 24.
  private static let shown = 12
  package let prepared: PreparedRequest
  package let provenance: RequestProvenance?
  package let redact: @Sendable ([String]) -> [String]
  private let signIn: String?
  private let columns: Int

  /// - Parameters:
  ///   - columns: how many the screen has.
  ///   - provenance: where its parts were written; nil: unknown.
  ///   - signIn: whether somebody is signed in, and until when; nil: nobody signs in.
  ///   - redact: hides the secrets in the pieces of a text.
  package init(
    prepared: PreparedRequest, provenance: RequestProvenance?, signIn: String? = nil, columns: Int = 80,
    redact: @escaping @Sendable ([String]) -> [String]
  ) {
    self.prepared = prepared
    self.provenance = provenance
    self.redact = redact
    self.signIn = signIn
    // A line that is full would be followed by an empty one on some terminals.
    self.columns = max(80, columns) - 1
  }

  /// `(step 2/3 upload, before) POST https://b.s3.example.com/  profile bucket, no credentials`, on two lines if one is
  /// too short; then the parts, one line each. Parts left out are counted.
  ///
  /// - Parameter title: the text in the parentheses.
  package func text(title: String) -> StyledText {
    let rows = rows
    let method = prepared.description.head.method.rawValue
    // Hide first, then shorten: a secret of which a part is cut off would not be hidden.
    let url = String(rows[0].shown.prefix { $0 != "?" })
    let room = max(20, columns - title.count - method.count - 4)
    let shownURL = Self.shortened(url, to: room)
    let profile =
      "profile \(prepared.profile), \(identification)"
      + (signIn.map { "; \($0)" } ?? "")
    var text = StyledText("(\(title)) \(method)", .strong)
    text.append(" \(shownURL)")
    text.append(room - shownURL.count >= profile.count + 2 ? "  \(profile)\n" : "\n  \(profile)\n", .faint)
    return text + parts(rows, urlIsShown: shownURL == rows[0].shown, queryIsLeft: shownURL == url)
  }

  /// - Parameters:
  ///   - urlIsShown: whether the URL is above.
  ///   - queryIsLeft: whether all of it but its query is.
  private func parts(_ rows: [Row], urlIsShown: Bool, queryIsLeft: Bool) -> StyledText {
    var rows = rows
    if urlIsShown {
      rows[0].shown = ""
      if rows[0].source == nil { rows.removeFirst() }
    } else if queryIsLeft {
      rows[0].shown = String(rows[0].shown.drop { $0 != "?" })
    }
    let width = min(20, rows.map(\.name.count).max() ?? 0)
    var text = StyledText()
    let parts = rows.firstIndex(where: \.isPart).flatMap { index in
      rows[..<index].contains { $0.name != "url" } ? index : nil
    }
    for (index, row) in rows.prefix(rows.count > Self.shown ? Self.shown - 1 : Self.shown).enumerated() {
      if index == parts { text.append("  the form:\n", .faint) }
      let name = Self.shortened(row.name, to: width)
      text.append("  \(name)\(String(repeating: " ", count: width - name.count))  ", .key)
      let room = columns - width - 4
      let value = row.shown
      let arrow = row.source.map { (value.isEmpty ? "← " : "  ← ") + $0 } ?? ""
      // The value matters more than what was written.
      let source = Self.shortened(arrow, to: max(room - value.count, room * 2 / 5))
      text.append(Self.shortened(value, to: room - source.count))
      text.append("\(source)\n", .faint)
    }
    if rows.count > Self.shown { text.append("  … \(rows.count - Self.shown + 1) more, p request shows all\n", .faint) }
    for withheld in prepared.withheld {
      text.append("  \(withheld.sentence)\n", .warning)
    }
    return text
  }

  /// All parts, each in full.
  package var whole: StyledText {
    var text = StyledText(
      "\(prepared.request.method.rawValue) \(rows[0].shown)\n", .strong)
    let parts = rows.firstIndex(where: \.isPart)
    for (index, row) in rows.enumerated() where row.name != "url" {
      if index == parts { text.append("the form:\n", .faint) }
      text.append("\(row.name)  ", .key)
      text.append("\(Self.shortened(row.shown, to: 4_096))\n")
    }
    for withheld in prepared.withheld { text.append("\(withheld.sentence)\n", .warning) }
    return text
  }

  /// How it says who sends it.
  private var identification: String {
    if let credential = prepared.credential { return credential.summary }
    if prepared.request.headers.contains(.authorization) { return "the step's own credential" }
    return prepared.request.headers.contains(.cookie) ? "cookies" : "no credentials"
  }

  /// The parts as names and values: URL, headers of the step and of its profile, body.
  package var rows: [Row] {
    var rows = [Row(name: "url", value: prepared.request.url, source: provenance?.url)]
    for field in prepared.request.headers {
      let name = field.name.rawName.lowercased()
      let isCredential = prepared.credential?.part == .header(field.name)
      let isFromProfile = !isCredential && !prepared.description.head.headers.contains(field.name)
      let source =
        isCredential || isFromProfile && field.name != .contentType
        ? "profile \(prepared.profile)" : isFromProfile ? nil : provenance?.header(name)
      rows.append(
        Row(name: name, value: isCredential ? prepared.credential?.summary ?? "••••" : field.value, source: source))
    }
    for name in prepared.request.omittedHeaders {
      rows.append(Row(name: name.rawName.lowercased(), value: "left out", source: nil))
    }
    return hiding(rows + bodyRows)
  }

  private func hiding(_ rows: [Row]) -> [Row] {
    let shown = NamedValues.shown(rows.map { ($0.name, $0.value) }, redact: redact)
    return zip(rows, shown).map { row, shown in
      var row = row
      row.shown = shown
      row.source = row.source.flatMap { redact([$0]).first }
      return row
    }
  }

  private var bodyRows: [Row] {
    switch prepared.description {
    case .inMemory(let description):
      guard let body = description.body else { return [] }
      if let object = (try? JSON(parsing: body.bytes))?.object, !object.isEmpty {
        return object.members.map { member in
          Row(
            name: member.key, value: "\(member.value)",
            source: provenance?.field(member.key))
        }
      }
      let text = String(decoding: body.bytes.prefix(1 << 20), as: UTF8.self)
      return [Row(name: "body", value: text, source: provenance?.body)]
    case .multipart(let form):
      return form.parts.map { part in
        switch part.content {
        case .bytes(let bytes):
          let text = "\"\(String(decoding: bytes.prefix(1 << 20), as: UTF8.self))\""
          return Row(name: part.name, value: text, source: provenance?.field(part.name), isPart: true)
        case .file(let file):
          return Row(
            name: part.name, value: Self.text(of: file), source: provenance?.field(part.name), isPart: true)
        }
      }
    case .stream(let stream): return [Row(name: "body", value: Self.text(of: stream.file), source: provenance?.body)]
    }
  }

  private static func text(of file: FileSlice) -> String {
    "\(file.name), \(NumberFormat.grouped(file.count)) bytes"
      + (file.offset > 0 ? " from \(NumberFormat.grouped(file.offset)) on" : "")
  }

  package static func shortened(_ text: String, to width: Int) -> String {
    text.count > width ? "\(text.prefix(max(0, width - 1)))…" : text
  }
}
