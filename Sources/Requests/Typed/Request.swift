public import HTTPTypes
internal import JSONValue

/// A request together with what its response means: a description that knows its output.
///
/// After `Resource<A>` of *A Tiny Networking Library* (objc.io) and `Request<Output>` of *Statically-typed JSON payload
/// in Swift* (Job&Talent). It is a value and does nothing; `Uploader.send` performs it.
///
///     extension Request where Output == [Job] {
///       static var allJobs: Request { .json(.get, "/jobs") }
///     }
///     let jobs = try await api.send(.allJobs)
public struct Request<Output: Sendable>: Sendable {
  /// The method with what fits it: query items for a GET, a payload for a POST.
  public var method: RequestMethod
  /// Where it goes.
  public var address: RequestAddress
  /// The step's name, for events and error reports.
  public var label: String?
  /// These override a profile's headers and the payload's own content type.
  public var headers: HTTPFields
  /// The limit for the whole exchange; nil: the profile's.
  public var timeout: Duration?
  /// Whether it may be sent again; nil: as the method's definition says (RFC 9110 §9.2).
  public var effect: RequestEffect?
  /// The operation this request is part of, for a queue that pushes operations later.
  public var operationID: String?
  /// The app's record that the operation is about.
  public var affectedModelID: String?
  /// What a 2xx response means; it throws when the response lacks something.
  public let parse: @Sendable (Response) throws -> Output

  /// A request whose response `parse` turns into the output; see `json`, `text` and `empty` for the usual ones.
  public init(
    _ method: RequestMethod, _ address: RequestAddress, label: String? = nil, headers: HTTPFields = [:],
    parse: @escaping @Sendable (Response) throws -> Output
  ) {
    self.method = method
    self.address = address
    self.label = label
    self.headers = headers
    self.parse = parse
  }

  /// The same request, with its output transformed further.
  public func map<Other>(_ transform: @escaping @Sendable (Output) throws -> Other) -> Request<Other> {
    var request = Request<Other>(method, address) { [parse] in try transform(parse($0)) }
    request.label = label
    request.headers = headers
    request.timeout = timeout
    request.effect = effect
    request.operationID = operationID
    request.affectedModelID = affectedModelID
    return request
  }

  /// What is sent, for a sequence that lists its requests.
  ///
  /// - Throws: `RequestAddressError` when the address is invalid; it is made of values, so this shows only now.
  public var description: RequestDescription {
    get throws(RequestAddressError) {
      let head = RequestHead(method.name, try address.target.get()) {
        $0.label = label
        $0.query = method.query.items
        $0.headers = headers
        $0.timeout = timeout
        if let effect { $0.effect = effect }
        $0.operationID = operationID
        $0.affectedModelID = affectedModelID
      }
      switch method.payload {
      case nil:
        return .inMemory(InMemoryRequestDescription(head))
      case .json(let json):
        let bytes = JSONPrinter.compact.print(json)
        return .inMemory(InMemoryRequestDescription(head, body: .init(bytes, contentType: "application/json")))
      case .form(let form):
        let body = InMemoryRequestDescription.Body(
          Array(form.formEncoded.utf8), contentType: "application/x-www-form-urlencoded")
        return .inMemory(InMemoryRequestDescription(head, body: body))
      case .bytes(let bytes, let contentType):
        return .inMemory(InMemoryRequestDescription(head, body: .init(bytes, contentType: contentType)))
      case .multipart(let parts):
        return .multipart(MultipartRequestDescription(head, parts: parts))
      case .file(let file, let contentType):
        return .stream(StreamRequestDescription(head, file: file, contentType: contentType))
      }
    }
  }

  /// What the request's response means, for a sequence that is polled with it.
  ///
  /// - Throws: `MissingResponse` if there is none, and what `parse` throws.
  public func output(of exchange: Exchange?) throws -> Output {
    guard let exchange else { throw MissingResponse(label: label) }
    return try parse(exchange.response)
  }
}

/// A sequence was polled without the response it was to continue from.
public struct MissingResponse: Error, Hashable, Sendable {
  /// The name of the request whose response is missing.
  public let label: String?

  public init(label: String?) {
    self.label = label
  }
}
