public import HTTPTypes
public import JSONValue

// Constructors for the usual kinds of answer, so that a request says no more than what is its own.

extension Request {
  /// A request whose answer is JSON, of which `parse` makes something.
  public static func json(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:],
    parse: @escaping @Sendable (JSON) throws -> Output
  ) -> Request {
    Request(method, address, label: label, headers: headers) { try parse($0.json()) }
  }
}

extension Request where Output: Decodable {
  /// A request whose answer is JSON that says all about an `Output`, which may be `JSON` itself.
  public static func json(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:]
  ) -> Request {
    .json(method, address, label: label, headers: headers) { try $0.decode() }
  }
}

extension Request where Output == String {
  /// A request whose answer is text in UTF-8.
  public static func text(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:]
  ) -> Request {
    Request(method, address, label: label, headers: headers) { try $0.text() }
  }
}

extension Request where Output == Void {
  /// A request whose answer says no more than that it was done.
  public static func empty(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:]
  ) -> Request {
    Request(method, address, label: label, headers: headers) { _ in }
  }
}

extension Response {
  /// The body as JSON, whatever its content type.
  ///
  /// - Throws: `JSONSyntaxError`, or `FileError` when a large body can not be read back.
  public func json() throws -> JSON {
    try JSON(parsing: body.bytes())
  }

  /// The body as text.
  ///
  /// - Throws: `NotUTF8`, or `FileError` when a large body can not be read back.
  public func text() throws -> String {
    guard let text = String(validating: try body.bytes(), as: UTF8.self) else { throw NotUTF8() }
    return text
  }

  /// A body that was to be text is not UTF-8.
  public struct NotUTF8: Error, Hashable, Sendable {}
}
