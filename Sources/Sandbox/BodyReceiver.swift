/// Takes the body of one request as it arrives and makes the answer when it is over.
///
/// The body is always read to its end, so that a client that sends first and reads later gets its answer.
protocol BodyReceiver {
  /// False if the answer is certain already: then a client that expects `100 Continue` need not send the body.
  var isWaiting: Bool { get }

  /// The sha256 of a form's file in hex; nil if the body is no form, or has no whole file.
  var fileSHA256: String? { get }

  mutating func receive(_ bytes: ArraySlice<UInt8>)
  mutating func finish() async -> Answer
}

extension BodyReceiver {
  var fileSHA256: String? { nil }
}

/// For a request whose answer does not depend on its body.
struct DiscardingReceiver: BodyReceiver {
  let answer: Answer

  var isWaiting: Bool { false }
  func receive(_ bytes: ArraySlice<UInt8>) {}
  func finish() -> Answer { answer }
}

/// Keeps a small body and hands it on whole.
struct CollectingReceiver: BodyReceiver {
  /// Bytes.
  let limit: Int
  /// Gets the body, or nil if it was over the limit.
  let answer: @Sendable ([UInt8]?) async -> Answer
  private var body: [UInt8] = []
  private var isTooLong = false

  init(limit: Int, answer: @escaping @Sendable ([UInt8]?) async -> Answer) {
    self.limit = limit
    self.answer = answer
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

  func finish() async -> Answer { await answer(isTooLong ? nil : body) }
}
