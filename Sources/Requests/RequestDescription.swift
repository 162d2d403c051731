/// A request as a value: it describes, it does nothing.
///
/// A closed sum: whoever performs requests switches over it without `default`.
public enum RequestDescription: Hashable, Sendable {
  case inMemory(InMemoryRequestDescription)
  case multipart(MultipartRequestDescription)
  case stream(StreamRequestDescription)

  /// What all of them have.
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

  /// Whether a boundary stands between its parts.
  public var isMultipart: Bool {
    switch self {
    case .multipart: true
    case .inMemory, .stream: false
    }
  }

  /// The content type that the body asks for, if no header says otherwise.
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
    public var bytes: [UInt8]
    /// nil: no `Content-Type` is sent.
    public var contentType: String?

    public init(_ bytes: [UInt8], contentType: String?) {
      self.bytes = bytes
      self.contentType = contentType
    }
  }

  public var head: RequestHead
  public var body: Body?

  public init(_ head: RequestHead, body: Body? = nil) {
    self.head = head
    self.body = body
  }
}

/// A `multipart/form-data` request (RFC 7578): the parts in their order, files streamed.
public struct MultipartRequestDescription: Hashable, Sendable {
  public var head: RequestHead
  public var parts: [MultipartPart]

  public init(_ head: RequestHead, parts: [MultipartPart]) {
    self.head = head
    self.parts = parts
  }
}

/// A request whose body is a file, or a slice of one, streamed.
public struct StreamRequestDescription: Hashable, Sendable {
  public var head: RequestHead
  public var file: FileSlice
  public var contentType: String?

  public init(_ head: RequestHead, file: FileSlice, contentType: String? = nil) {
    self.head = head
    self.file = file
    self.contentType = contentType ?? MediaType.guess(fileName: file.name)
  }
}
