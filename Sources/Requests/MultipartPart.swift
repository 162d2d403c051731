/// One field of a multipart form: a text or a file.
public struct MultipartPart: Hashable, Sendable {
  /// The value of the field.
  public enum Content: Hashable, Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, or a slice of one, streamed.
    case file(FileSlice)
  }

  /// The form field's name.
  public var name: String
  /// The form field's value.
  public var content: Content
  /// nil: none for a text, the one its name suggests for a file.
  public var contentType: String?
  /// nil: none for a text, its own for a file.
  public var fileName: String?

  public init(name: String, content: Content, contentType: String? = nil, fileName: String? = nil) {
    self.name = name
    self.content = content
    switch content {
    case .bytes:
      self.contentType = contentType
      self.fileName = fileName
    case .file(let file):
      self.contentType = contentType ?? MediaType.guess(fileName: fileName ?? file.name)
      self.fileName = fileName ?? file.name
    }
  }

  /// A text field.
  public static func text(_ name: String, _ value: String) -> MultipartPart {
    MultipartPart(name: name, content: .bytes(Array(value.utf8)))
  }

  /// A file field.
  public static func file(_ name: String, _ file: FileSlice, contentType: String? = nil) -> MultipartPart {
    MultipartPart(name: name, content: .file(file), contentType: contentType)
  }
}
