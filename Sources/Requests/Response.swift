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
  /// Why the body is not complete; nil: it is, or it was looked at for as long as somebody wanted.
  //
  // Written out, it is not set to nil before `init` sets it, so that a response is not copied when it is made.
  public var cut: Optional<ResponseCut>

  public init(
    status: HTTPResponse.Status, version: String = "HTTP/1.1", headers: HTTPFields = [:],
    body: ResponseBody = ResponseBody([]), warnings: [FramingWarning] = [], cut: ResponseCut? = nil
  ) {
    self.status = status
    self.version = version
    self.headers = headers
    self.body = body
    self.warnings = warnings
    self.cut = cut
  }

  /// The value of `Content-Type`; several are joined as those of any field are.
  public var contentType: String? {
    // What joins them is generic, and its first call takes longer than a small response: one needs none of it.
    let values = headers[values: .contentType]
    return values.count > 1 ? headers[.contentType] : values.first
  }

  /// Whether the content type says that the body is JSON.
  public var isJSON: Bool { contentType.map(MediaType.isJSON) ?? false }

  /// What the body is as a stream; nil if it is of no kind that is sent bit by bit.
  ///
  /// Text without a length is one: a page has a length, or is HTML.
  public var streamKind: StreamKind? { StreamKind(of: headers) }
}

extension Response {
  /// Whether the content type says that the body consists of values: events, or a JSON value per line.
  public var hasValues: Bool { streamKind == .events || streamKind == .lines }
}

/// What a response consists of that comes bit by bit.
public enum StreamKind: Hashable, Sendable {
  /// Server-sent events.
  case events
  /// A JSON value per line.
  case lines
  /// Anything else.
  case text
}

extension StreamKind {
  /// That of the body of a response with these fields; nil if it is of no kind that is sent bit by bit.
  package init?(of headers: HTTPFields) {
    // Joining all fields of a name costs more than finding one.
    guard let type = headers.first(where: { $0.name == .contentType }), let kind = MediaType.streamKind(type.value)
    else { return nil }
    if kind == .text, headers.contains(.contentLength) { return nil }
    self = kind
  }
}

/// Why a response that was kept is not complete.
public enum ResponseCut: Hashable, Sendable {
  /// Somebody ended it.
  case interrupted
  /// It broke off, or was silent for too long.
  case broken(reason: String)
}
