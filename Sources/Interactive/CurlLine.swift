internal import HTTPTypes
internal import Requests

/// The curl line that sends a request again, its secrets as variables of the environment.
struct CurlLine {
  let text: String
  /// What the line can not do.
  private(set) var notes: [String] = []

  private static let ownFields: Set<String> = [
    "host", "content-length", "user-agent", "accept-encoding", "expect", "transfer-encoding", "connection",
  ]

  init(_ exchange: Exchange, profile: SessionProfile?, secrets: Set<Secret>) {
    let writer = WordWriter(secrets)
    let sent = exchange.request
    let (body, notes) = Self.body(of: exchange.description, writer)
    self.notes = notes
    var words = ["curl"]
    switch sent.method {
    case .get where body.isEmpty, .post where !body.isEmpty: break
    case .head: words.append("-I")
    default: words.append("-X \(ShellWords.quoted(sent.method.rawValue))")
    }
    // In curl's own view brackets and braces are a pattern of many URLs.
    if sent.url.contains(where: { "[]{}".contains($0) }) { words.append("-g") }
    words.append(writer.word(sent.url))
    var pieces = [words.joined(separator: " ")]
    for field in sent.headers where !Self.isOwn(field, of: exchange.description) {
      if case .basic(let user, let password)? = profile?.credential, field.name == .authorization {
        pieces.append("-u \"\(WordWriter.escaped(user)):$\(WordWriter.variable(password))\"")
      } else {
        pieces.append("-H \(writer.word("\(field.name.rawName): \(field.value)"))")
      }
    }
    // Without this curl would call any data a form.
    if !body.isEmpty, sent.headers[.contentType] == nil, case .inMemory = exchange.description {
      pieces.append("-H 'Content-Type:'")
    }
    text = (pieces + body).joined(separator: " \\\n  ")
  }

  private static func isOwn(_ field: HTTPField, of description: RequestDescription) -> Bool {
    let name = field.name.canonicalName
    if name == "accept", field.value == "*/*" { return true }
    if name == "content-type", case .multipart = description { return true }
    return ownFields.contains(name) && !description.head.headers.contains(field.name)
  }

  private static func body(of description: RequestDescription, _ writer: WordWriter) -> ([String], [String]) {
    switch description {
    case .inMemory(let description):
      guard let body = description.body else { return ([], []) }
      guard let text = String(validating: body.bytes, as: UTF8.self), !text.contains("\0") else {
        return (["--data-binary @body.bin"], ["the body is no text: put its bytes into body.bin"])
      }
      return (["--data-raw \(writer.word(text))"], [])
    case .multipart(let description):
      let parts = description.parts.map { part in
        switch part.content {
        case .bytes(let bytes):
          let text = String(decoding: bytes, as: UTF8.self)
          guard let type = part.contentType else { return "--form-string \(writer.word("\(part.name)=\(text)"))" }
          return "-F \(writer.word("\(part.name)=\(text);type=\(type)"))"
        case .file(let file):
          let type = part.contentType.map { ";type=\($0)" } ?? ""
          let name = part.fileName.map { ";filename=\($0)" } ?? ""
          return "-F \(writer.word("\(part.name)=@\(file.path)\(type)\(name)"))"
        }
      }
      return (parts, [])
    case .stream(let description):
      let file = description.file
      let isWhole = file.offset == 0 && file.count == file.identity.size
      let note = "only bytes \(file.offset) to \(file.offset + file.count) of \(file.path) were sent; curl sends all"
      return (["--data-binary \(writer.word("@\(file.path)"))"], isWhole ? [] : [note])
    }
  }
}

/// Writes words for a shell; a secret in one becomes the variable of its name.
private struct WordWriter {
  let secrets: [Secret]

  init(_ secrets: Set<Secret>) {
    // A secret may hold another one; the longer goes first.
    self.secrets = secrets.sorted {
      ($0.withExposedText(\.count), $1.name) > ($1.withExposedText(\.count), $0.name)
    }
  }

  func word(_ text: String) -> String {
    guard secrets.contains(where: { $0.withExposedText { !$0.isEmpty && text.contains($0) } }) else {
      return ShellWords.quoted(text)
    }
    return "\"\(escaping(text[...], secrets[...]))\""
  }

  private func escaping(_ text: Substring, _ secrets: ArraySlice<Secret>) -> String {
    guard let secret = secrets.first else { return Self.escaped(String(text)) }
    let pieces = secret.withExposedText {
      $0.isEmpty ? [text] : text.split(separator: $0, omittingEmptySubsequences: false)
    }
    return pieces.map { escaping($0, secrets.dropFirst()) }.joined(separator: "${\(Self.variable(secret))}")
  }

  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if "\\\"$`".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }

  static func variable(_ secret: Secret) -> String {
    let name = secret.name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return name.first?.isNumber ?? true ? "_" + String(name) : String(name)
  }
}
