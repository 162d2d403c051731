public import HTTPTypes

/// A method with what fits it (RFC 9110 §9.3): a GET asks with query items, a POST sends a payload.
///
/// There is no way to put a payload into a GET, so it does not compile:
///
///     .get(["page": "2"])
///     .post(["title": "Roofer", "tags": ["new"]])
///     .get(.json(["title": "Roofer"]))  // error: type 'Query' has no member 'json'
public struct RequestMethod: Hashable, Sendable {
  /// As it is sent.
  public let name: HTTPRequest.Method
  /// Empty for methods that send a payload; their resource is fully named by the address.
  public let query: Query
  /// nil: no body at all.
  public let payload: Payload?

  private init(_ name: HTTPRequest.Method, query: Query = [:], payload: Payload? = nil) {
    self.name = name
    self.query = query
    self.payload = payload
  }

  /// A GET without query items.
  public static let get = RequestMethod(.get)
  /// Query items come after those of the address.
  public static func get(_ query: Query) -> RequestMethod { RequestMethod(.get, query: query) }

  /// A HEAD without query items.
  public static let head = RequestMethod(.head)
  /// Query items come after those of the address.
  public static func head(_ query: Query) -> RequestMethod { RequestMethod(.head, query: query) }

  /// A DELETE without query items.
  public static let delete = RequestMethod(.delete)
  /// Query items come after those of the address.
  public static func delete(_ query: Query) -> RequestMethod { RequestMethod(.delete, query: query) }

  /// A POST without a payload.
  public static let post = RequestMethod(.post)
  /// A POST with this payload.
  public static func post(_ payload: Payload) -> RequestMethod { RequestMethod(.post, payload: payload) }

  /// A PUT without a payload.
  public static let put = RequestMethod(.put)
  /// A PUT with this payload.
  public static func put(_ payload: Payload) -> RequestMethod { RequestMethod(.put, payload: payload) }

  /// A PATCH (RFC 5789), which always has a payload.
  public static func patch(_ payload: Payload) -> RequestMethod { RequestMethod(.patch, payload: payload) }
}
