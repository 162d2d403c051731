public import JSONValue

/// What a POST, PUT or PATCH sends. A literal is JSON: `.post(["title": ^title, "tags": ["new"]])`.
public enum Payload: Hashable, Sendable {
  /// `application/json`.
  case json(JSON)
  /// `application/x-www-form-urlencoded`.
  case form(Query)
  /// `multipart/form-data` (RFC 7578): the parts in order, files streamed.
  case multipart([MultipartPart])
  /// A file or a slice of one, streamed; without a type it gets the one its name suggests.
  case file(FileSlice, contentType: String? = nil)
  /// Bytes as they are; without a type, no `Content-Type` is sent.
  case bytes([UInt8], contentType: String? = nil)
}

extension Payload: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .json(.object(JSONObject(members)))
  }

  public init(arrayLiteral elements: JSON...) {
    self = .json(.array(elements))
  }
}
