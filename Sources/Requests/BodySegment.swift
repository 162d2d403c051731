/// A piece of a request body: bytes in memory or a slice of a file. A body is an array of them, so its length is known
/// before the first byte is sent, and it can be sent again.
public enum BodySegment: Hashable, Sendable {
  /// Bytes in memory.
  case bytes([UInt8])
  /// Bytes read from a file when they are sent.
  case file(FileSlice)

  /// In bytes.
  public var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    }
  }
}

extension RequestDescription {
  /// The body as it is sent; nil if there is none.
  public func bodySegments(boundary: String) -> [BodySegment]? {
    switch self {
    case .inMemory(let description): description.body.map { [.bytes($0.bytes)] }
    case .multipart(let description): description.parts.encoded(boundary: boundary)
    case .stream(let description): [.file(description.file)]
    }
  }
}

extension [MultipartPart] {
  /// `multipart/form-data` (RFC 7578 §4, RFC 2046 §5.1.1): values untouched, in order.
  func encoded(boundary: String) -> [BodySegment] {
    var segments: [BodySegment] = []
    var text: [UInt8] = []
    for part in self {
      text += "--\(boundary)\r\n\(part.header)\r\n".utf8
      switch part.content {
      case .bytes(let bytes):
        text += bytes
      case .file(let file):
        segments += [.bytes(text), .file(file)]
        text = []
      }
      text += "\r\n".utf8
    }
    text += "--\(boundary)--\r\n".utf8
    return segments + [.bytes(text)]
  }
}

extension MultipartPart {
  /// The header line that names the part.
  public var disposition: String {
    let header = "Content-Disposition: form-data; name=\"\(Self.escape(name))\""
    return fileName.map { "\(header); filename=\"\(Self.escape($0))\"" } ?? header
  }

  /// The header lines of the part, each with its line ending.
  fileprivate var header: String {
    var header = "\(disposition)\r\n"
    if let contentType { header += "Content-Type: \(contentType)\r\n" }
    return header
  }

  /// Names as browsers write them (WHATWG HTML, multipart/form-data encoding algorithm).
  private static func escape(_ name: String) -> String {
    var escaped = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": escaped += "%22"
      case "\r": escaped += "%0D"
      case "\n": escaped += "%0A"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
