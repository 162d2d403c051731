public import HTTPTypes

/// What a server answered.
public struct Response: Hashable, Sendable {
  /// The final one: those of 1xx came before it.
  public var status: HTTPResponse.Status
  /// `HTTP/1.1`, `HTTP/2`.
  public var version: String
  /// In the server's order.
  public var headers: HTTPFields
  /// Decoded, if it came compressed.
  public var body: ResponseBody
  /// What in its framing is ambiguous.
  public var warnings: [FramingWarning]

  public init(
    status: HTTPResponse.Status, version: String = "HTTP/1.1", headers: HTTPFields = [:],
    body: ResponseBody = ResponseBody([]), warnings: [FramingWarning] = []
  ) {
    self.status = status
    self.version = version
    self.headers = headers
    self.body = body
    self.warnings = warnings
  }

  /// Whether the content type says that the body is JSON.
  public var isJSON: Bool {
    headers[.contentType].map(MediaType.isJSON) ?? false
  }
}
