/// Where a request goes.
public enum RequestTarget: Hashable, Sendable {
  /// An absolute URL that the user or a server gave. It is sent as is: presigned URLs arrive byte for byte.
  case url(String)
  /// A path, already encoded, below the base of the named profile, or of the one in use.
  case path(String, profile: String?)
}
