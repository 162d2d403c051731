public import Requests

/// How S3 and its kin report an error: an `<Error>` document with a code, a sentence and details.
public struct StorageError: Hashable, Sendable {
  /// How much of a body is read, in bytes.
  private static let limit = 64 * 1024

  public let code: String
  public let message: String
  private let document: String

  /// Nil if the body is not such a document.
  public init?(_ response: Response) {
    guard !response.body.isEmpty, let bytes = try? response.body.bytes(limit: Self.limit) else { return nil }
    self.init(document: String(decoding: bytes, as: UTF8.self))
  }

  init?(document: String) {
    var start = document[...].drop(while: \.isWhitespace)
    if start.hasPrefix("<?xml"), let end = start.firstRange(of: "?>") { start = start[end.upperBound...] }
    start = start.drop(while: \.isWhitespace)
    guard start.hasPrefix("<Error>") || start.hasPrefix("<Error "),
      let code = Self.element("Code", in: document)
    else { return nil }
    self.code = code
    message = Self.element("Message", in: document) ?? ""
    self.document = document
  }

  /// The text of an element: `ServerTime`, `HeadersNotSigned`.
  public subscript(name: String) -> String? { Self.element(name, in: document) }

  private static func element(_ name: String, in document: String) -> String? {
    guard let start = document.firstRange(of: "<\(name)>")?.upperBound,
      let end = document[start...].firstRange(of: "</\(name)>")?.lowerBound
    else { return nil }
    var text = String(document[start..<end])
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
      text.replace(entity, with: character)
    }
    return text
  }
}
