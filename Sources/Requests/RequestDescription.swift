/// A request as a value: it describes, it does nothing.
///
/// A closed sum: code that performs requests switches over it without `default`.
public indirect enum RequestDescription: Hashable, Sendable {
  /// No body, or one in memory.
  case inMemory(InMemoryRequestDescription)
  /// A form with files.
  case multipart(MultipartRequestDescription)
  /// A file as the whole body.
  case stream(StreamRequestDescription)

  /// What all of them share.
  public var head: RequestHead {
    get {
      switch self {
      case .inMemory(let description): description.head
      case .multipart(let description): description.head
      case .stream(let description): description.head
      }
    }
    set {
      switch self {
      case .inMemory(var description):
        description.head = newValue
        self = .inMemory(description)
      case .multipart(var description):
        description.head = newValue
        self = .multipart(description)
      case .stream(var description):
        description.head = newValue
        self = .stream(description)
      }
    }
  }

  /// Whether its parts are separated by a boundary.
  public var isMultipart: Bool {
    switch self {
    case .multipart: true
    case .inMemory, .stream: false
    }
  }

  /// The content type that the body implies, unless a header sets another.
  public func contentType(boundary: String) -> String? {
    switch self {
    case .inMemory(let description): description.body?.contentType
    case .multipart: "multipart/form-data; boundary=\(boundary)"
    case .stream(let description): description.contentType
    }
  }
}

/// A request without a body, or with one that fits in memory.
public struct InMemoryRequestDescription: Hashable, Sendable {
  /// Bytes and what they are.
  public struct Body: Hashable, Sendable {
    /// What is sent.
    public var bytes: [UInt8]
    /// nil: no `Content-Type` is sent.
    public var contentType: String?

    /// A body of these bytes; without a type, no `Content-Type` is sent.
    public init(_ bytes: [UInt8], contentType: String?) {
      self.bytes = bytes
      self.contentType = contentType
    }
  }

  /// Method, target, header fields.
  public var head: RequestHead
  /// nil: no body at all, which is not an empty one.
  public var body: Body?

  /// A request with that body, or without one.
  public init(_ head: RequestHead, body: Body? = nil) {
    self.head = head
    self.body = body
  }
}

/// A `multipart/form-data` request (RFC 7578): the parts in order, files streamed.
public struct MultipartRequestDescription: Hashable, Sendable {
  /// Method, target, header fields.
  public var head: RequestHead
  /// The fields of the form, sent in this order.
  public var parts: [MultipartPart]

  /// A request with a form of these parts.
  public init(_ head: RequestHead, parts: [MultipartPart]) {
    self.head = head
    self.parts = parts
  }
}

/// A request whose body is a file, or a slice of one, streamed.
public struct StreamRequestDescription: Hashable, Sendable {
  /// Method, target, header fields.
  public var head: RequestHead
  /// What is sent.
  public var file: FileSlice
  /// nil: no `Content-Type` is sent.
  public var contentType: String?

  /// A request with that file as its body; without a type it gets the one its name suggests.
  public init(_ head: RequestHead, file: FileSlice, contentType: String? = nil) {
    self.head = head
    self.file = file
    self.contentType = contentType ?? MediaType.guess(fileName: file.name)
  }
}
