/// What a profile's paths are appended to: an origin and perhaps the beginning of a path.
public struct BaseURL: Hashable, Sendable, CustomStringConvertible {
  /// What a credential of the profile belongs to.
  public let origin: Origin
  /// Without a trailing `/`: `` or `/v1`.
  public let path: String

  /// A base as people write it, `https://api.example.com/v1`, without a query or a fragment.
  public init(_ text: String) throws(OriginError) {
    guard let scheme = text.firstRange(of: "://") else { throw OriginError.scheme(text) }
    let slash = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
    origin = try Origin(String(text[..<slash]))
    let path = text[slash...]
    let isPath = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard isPath else { throw OriginError.trailing(text) }
    self.path = path.hasSuffix("/") ? String(path.dropLast()) : String(path)
  }

  public init(origin: Origin) {
    self.origin = origin
    path = ""
  }

  /// The URL of a path below this base.
  ///
  /// - Parameter path: begins with `/` or `?`, is already percent-encoded, and is used as is.
  public func url(appending path: String) -> String {
    "\(self)\(path)"
  }

  public var description: String { "\(origin)\(path)" }
}
