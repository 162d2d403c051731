/// Media types (RFC 6838), as far as a file name reveals them.
public enum MediaType {
  /// The type that the name's extension suggests; `application/octet-stream` without a known one.
  public static func guess(fileName: String) -> String {
    guard let dot = fileName.lastIndex(of: ".") else { return unknown }
    return byExtension[fileName[fileName.index(after: dot)...].lowercased()] ?? unknown
  }

  /// Whether a `Content-Type` value means JSON: `application/json`, or any `+json` (RFC 6839 §3.1).
  public static func isJSON(_ contentType: String) -> Bool {
    let essence = essence(of: contentType)
    if essence == "application/stream+json" { return false }
    return essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
  }

  /// Whether a `Content-Type` value means something that people can read.
  public static func isText(_ contentType: String) -> Bool {
    let essence = essence(of: contentType)
    return isJSON(contentType) || isJSONLines(contentType) || essence.hasPrefix("text/") || essence.hasSuffix("+xml")
      || ["application/xml", "application/javascript", "application/x-www-form-urlencoded", "application/yaml"]
        .contains(essence)
  }

  /// Whether a `Content-Type` value means events that are sent as they happen (WHATWG HTML §9.2).
  public static func isEventStream(_ contentType: String) -> Bool { essence(of: contentType) == "text/event-stream" }

  /// Whether a `Content-Type` value means a JSON value per line. It is registered under no name, so it has many.
  public static func isJSONLines(_ contentType: String) -> Bool { jsonLines.contains(essence(of: contentType)) }

  private static let jsonLines: Set = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines",
    "application/x-jsonlines", "application/stream+json", "text/x-ndjson", "text/ndjson", "text/jsonl",
  ]

  /// What a body of this type consists of if it comes bit by bit; nil if that is not known of the type.
  static func streamKind(_ contentType: String) -> StreamKind? {
    let essence = essence(of: contentType)
    return switch essence {
    case "text/event-stream": .events
    case "text/plain": .text
    default: jsonLines.contains(essence) ? .lines : nil
    }
  }

  /// The type without its parameters, in lowercase.
  public static func essence(of contentType: String) -> String {
    // Every response is asked for it: pieces of text would cost more than what they are compared with. Mostly it is all.
    var text = contentType
    if text.withUTF8({ $0.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3B && !(0x41...0x5A).contains($0) } }) {
      return contentType
    }
    let bytes = contentType.utf8
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let rest = bytes.drop(while: isSpace)
    let essence = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: ";") }
    return contentType[essence.startIndex..<essence.endIndex].lowercased()
  }

  private static let unknown = "application/octet-stream"

  private static let byExtension = [
    "avif": "image/avif", "bin": "application/octet-stream", "bmp": "image/bmp", "css": "text/css",
    "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html",
    "html": "text/html", "ico": "image/x-icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
    "js": "text/javascript", "json": "application/json", "md": "text/markdown", "mov": "video/quicktime",
    "mp3": "audio/mpeg", "mp4": "video/mp4", "ndjson": "application/x-ndjson", "pdf": "application/pdf",
    "png": "image/png", "svg": "image/svg+xml", "tar": "application/x-tar", "tif": "image/tiff",
    "tiff": "image/tiff", "txt": "text/plain", "wasm": "application/wasm", "wav": "audio/wav",
    "webm": "video/webm", "webp": "image/webp", "xml": "application/xml", "yaml": "application/yaml",
    "yml": "application/yaml", "zip": "application/zip",
  ]
}
