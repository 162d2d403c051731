/// The parts that a client lists for an object: `<CompleteMultipartUpload><Part>…`.
struct CompletionDocument: Hashable, Sendable {
  struct Part: Hashable, Sendable {
    var number: Int
    /// Without its quotes.
    var etag: String
  }

  var parts: [Part]

  /// nil if it is not well-formed, or contains anything else.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var rest = text[...]
    Self.skipBlanks(&rest)
    if rest.hasPrefix("<?xml"), let end = rest.firstRange(of: "?>") { rest = rest[end.upperBound...] }
    guard let (name, content) = Self.element(&rest), name == "CompleteMultipartUpload" else { return nil }
    Self.skipBlanks(&rest)
    guard rest.isEmpty else { return nil }
    parts = []
    var inner = content
    Self.skipBlanks(&inner)
    while !inner.isEmpty {
      guard let (name, content) = Self.element(&inner), name == "Part", let part = Part(content) else { return nil }
      parts.append(part)
      Self.skipBlanks(&inner)
    }
    if parts.isEmpty { return nil }
  }

  /// The element at the beginning, with its content as it is written; no element may contain one of its own name.
  fileprivate static func element(_ text: inout Substring) -> (name: String, content: Substring)? {
    guard text.first == "<", let open = text.firstIndex(of: ">") else { return nil }
    let tag = text[text.index(after: text.startIndex)..<open]
    let name = String(tag.prefix { $0 != " " && $0 != "\n" })
    guard !name.isEmpty, !name.hasPrefix("/"), let close = text.firstRange(of: "</\(name)>") else { return nil }
    let content = text[text.index(after: open)..<close.lowerBound]
    text = text[close.upperBound...]
    return (name, content)
  }

  fileprivate static func skipBlanks(_ text: inout Substring) {
    text = text.drop { $0.isWhitespace }
  }
}

extension CompletionDocument.Part {
  fileprivate init?(_ text: Substring) {
    var rest = text
    var number: Int?
    var etag: String?
    CompletionDocument.skipBlanks(&rest)
    while !rest.isEmpty {
      guard let (name, content) = CompletionDocument.element(&rest) else { return nil }
      switch name {
      case "PartNumber": number = Int(content)
      case "ETag":
        etag = content.replacing("&quot;", with: "\"").replacing("&#34;", with: "\"").filter { $0 != "\"" }
      default: return nil
      }
      CompletionDocument.skipBlanks(&rest)
    }
    guard let number, let etag else { return nil }
    self.init(number: number, etag: etag)
  }
}
