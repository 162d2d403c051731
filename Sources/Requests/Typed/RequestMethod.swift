public import HTTPTypes

/// A method with what fits it (RFC 9110 §9.3): a GET asks with query items, a POST brings a payload.
///
/// There is no way to put a payload into a GET, so it does not compile:
///
///     .get(["page": "2"])
///     .post(["title": "Roofer", "tags": ["new"]])
///     .get(.json(["title": "Roofer"]))  // error: type 'Query' has no member 'json'
public struct RequestMethod: Hashable, Sendable {
  public let name: HTTPRequest.Method
  /// Empty for methods that bring a payload; what their resource needs to be named is in the address.
  public let query: Query
  public let payload: Payload?

  private init(_ name: HTTPRequest.Method, query: Query = [:], payload: Payload? = nil) {
    self.name = name
    self.query = query
    self.payload = payload
  }

  public static let get = RequestMethod(.get)
  public static func get(_ query: Query) -> RequestMethod { RequestMethod(.get, query: query) }

  public static let head = RequestMethod(.head)
  public static func head(_ query: Query) -> RequestMethod { RequestMethod(.head, query: query) }

  public static let delete = RequestMethod(.delete)
  public static func delete(_ query: Query) -> RequestMethod { RequestMethod(.delete, query: query) }

  public static let post = RequestMethod(.post)
  public static func post(_ payload: Payload) -> RequestMethod { RequestMethod(.post, payload: payload) }

  public static let put = RequestMethod(.put)
  public static func put(_ payload: Payload) -> RequestMethod { RequestMethod(.put, payload: payload) }

  public static func patch(_ payload: Payload) -> RequestMethod { RequestMethod(.patch, payload: payload) }
}
