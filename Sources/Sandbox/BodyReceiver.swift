/// Takes the body of one request as it arrives and makes the response when it is complete.
///
/// The body is always read to its end, so that a client that sends first and reads later gets its response.
protocol BodyReceiver {
  /// False if the response is already certain: a client that expects `100 Continue` need not send the body then.
  var isWaiting: Bool { get }

  /// The SHA-256 of a form's file in hex; nil if the body is not a form, or has no complete file.
  var fileSHA256: String? { get }

  mutating func receive(_ bytes: ArraySlice<UInt8>)
  mutating func finish() async -> Response
}

extension BodyReceiver {
  var fileSHA256: String? { nil }
}

/// For a request whose response does not depend on its body.
struct DiscardingReceiver: BodyReceiver {
  let response: Response

  var isWaiting: Bool { false }
  func receive(_ bytes: ArraySlice<UInt8>) {}
  func finish() -> Response { response }
}

/// Collects a small body and passes it on as a whole.
struct CollectingReceiver: BodyReceiver {
  /// Bytes.
  let limit: Int
  /// Gets the body, or nil if it was over the limit.
  let response: @Sendable ([UInt8]?) async -> Response
  private var body: [UInt8] = []
  private var isTooLong = false

  init(limit: Int, response: @escaping @Sendable ([UInt8]?) async -> Response) {
    self.limit = limit
    self.response = response
  }

  var isWaiting: Bool { true }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    if isTooLong || body.count + bytes.count > limit {
      isTooLong = true
      body = []
    } else {
      body += bytes
    }
  }

  func finish() async -> Response { await response(isTooLong ? nil : body) }
}
