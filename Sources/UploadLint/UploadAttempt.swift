public import HTTPTypes
public import Requests
public import UploaderCore

/// An upload that was sent, or would be sent: what the rules examine.
public struct UploadAttempt: Hashable, Sendable {
  public let description: RequestDescription
  /// Absolute, as sent.
  public let url: String
  /// As sent; before that, without those that the transport adds.
  public let headers: HTTPFields
  /// nil: there is none, or none yet.
  public let response: Response?
  /// When it was sent, or now: since 1970.
  public let time: Duration
  /// When the response was complete.
  let answered: Duration?

  /// One that was sent.
  ///
  /// Where a redirect dropped the body, what it led to is no upload: that ended with the redirect.
  public init(_ exchange: Exchange) {
    description = exchange.description
    var (request, response) = (exchange.request, exchange.response)
    for hop in exchange.redirects.reversed() where !request.keepsBody(of: exchange.description.head) {
      (request, response) = (hop.request, hop.response)
    }
    url = request.url
    headers = request.headers
    self.response = response
    time = exchange.started
    answered = exchange.started.adding(exchange.timings.total)
  }

  /// One that would be sent, or that got no response.
  ///
  /// - Parameter time: when it is or was sent, since 1970.
  public init(_ prepared: PreparedRequest, at time: Duration) {
    description = prepared.description
    url = prepared.request.url
    headers = prepared.request.headers
    response = nil
    self.time = time
    answered = nil
  }

  // MARK: What it is

  /// The signature in the URL; nil if there is none.
  var presignature: Presignature? { Presignature(url: url) }

  /// The form's parts; nil if it is not a form.
  var parts: [MultipartPart]? {
    switch description {
    case .multipart(let form): form.parts
    case .inMemory, .stream: nil
    }
  }

  /// The policy in the form; nil if there is none, or it cannot be read.
  var policy: UploadPolicy? {
    field("policy").flatMap(UploadPolicy.init(base64:))
  }

  /// Whether it is meant for S3-like storage: its URL is presigned, or its form has a policy.
  var isForStorage: Bool {
    presignature != nil || field("policy") != nil
  }

  /// Whether there is anything here for the rules: it is for storage, or brings a file, or storage refused it.
  public var isUpload: Bool { isForStorage || !files.isEmpty || storageError != nil }

  /// The text of a field of the form; names are case-insensitive.
  func field(_ name: String) -> String? {
    for part in parts ?? [] where part.name.lowercased() == name.lowercased() {
      if case .bytes(let bytes) = part.content { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  /// The files that it sends.
  var files: [FileSlice] {
    switch description {
    case .inMemory: []
    case .stream(let stream): [stream.file]
    case .multipart(let form):
      form.parts.compactMap { part in if case .file(let file) = part.content { file } else { nil } }
    }
  }

  /// The error that storage reports; nil if it reports none.
  var storageError: StorageError? { response.flatMap(StorageError.init) }
}
