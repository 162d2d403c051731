public import HTTPTypes

/// A server's response.
public struct Response: Hashable, Sendable {
  /// The final one: any 1xx came before it.
  public var status: HTTPResponse.Status
  /// `HTTP/1.1`, `HTTP/2`.
  public var version: String
  /// In the server's order.
  public var headers: HTTPFields
  /// Decoded if it was compressed.
  public var body: ResponseBody
  /// Ambiguities in its framing.
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
