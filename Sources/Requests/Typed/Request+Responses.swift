public import HTTPTypes
public import JSONValue

// Constructors for the usual kinds of response, so that a request states only what is specific to it.

extension Request {
  /// A request whose response is JSON, which `parse` converts.
  public static func json(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:],
    parse: @escaping @Sendable (JSON) throws -> Output
  ) -> Request {
    Request(method, address, label: label, headers: headers) { try parse($0.json()) }
  }
}

extension Request where Output: Decodable {
  /// A request whose response is JSON that is an `Output`, which may be `JSON` itself.
  public static func json(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:]
  ) -> Request {
    .json(method, address, label: label, headers: headers) { try $0.decode() }
  }
}

extension Request where Output == String {
  /// A request whose response is text in UTF-8.
  public static func text(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:]
  ) -> Request {
    Request(method, address, label: label, headers: headers) { try $0.text() }
  }
}

extension Request where Output == Void {
  /// A request whose response only confirms that it was done.
  public static func empty(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:]
  ) -> Request {
    Request(method, address, label: label, headers: headers) { _ in }
  }
}

extension Response {
  /// The body as JSON, whatever its content type.
  ///
  /// - Throws: `JSONSyntaxError`, or `FileError` when a large body cannot be read back.
  public func json() throws -> JSON {
    try JSON(parsing: body.bytes())
  }

  /// The body as text.
  ///
  /// - Throws: `NotUTF8`, or `FileError` when a large body cannot be read back.
  public func text() throws -> String {
    guard let text = String(validating: try body.bytes(), as: UTF8.self) else { throw NotUTF8() }
    return text
  }

  /// A body that was supposed to be text is not UTF-8.
  public struct NotUTF8: Error, Hashable, Sendable {}
}
