internal import HTTPTypes
internal import JSONValue
internal import Requests
internal import Synchronization

/// Watches the responses of one step, those of redirects, retries and reconnections too: shows what comes bit by bit,
/// passes it on, and knows when it is enough.
final class StreamWatch: ResponseWatcher {
  /// What is about to be sent.
  struct Sending {
    var prepared: PreparedRequest
    var started: Duration

    var request: SentRequest {
      SentRequest(
        method: prepared.request.method, url: prepared.request.url, origin: prepared.origin,
        headers: prepared.request.headers)
    }
  }

  private struct State {
    var sending: Sending?
    /// Mostly none: it takes no place then.
    var streamed: CopyOnWrite<StreamedResponse>?
    /// What of the body the condition reads.
    var window: StreamWindow?
    /// How many bytes came before the last event or line that was complete in the connections before.
    var earlierCount = 0
    var received = 0
    var hasPassed = false
    var wasContinued = false
    /// Whether the step has had all of its time.
    var isOver = false
    var enough: Int?
    var kept: Exchange?
  }

  private let description: RequestDescription
  private let position: StepPosition
  private let passOn: (@Sendable ([UInt8]) -> Bool)?
  private let passesStreamsOnly: Bool
  private let show: (@Sendable (StreamEvent) -> Void)?
  private let observe: @Sendable (UploadEvent) -> Void
  private let isEnough: (@Sendable (Exchange, JSON?) -> Bool)?
  private let now: @Sendable () -> Duration
  let cancellation: RunCancellation?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - passOn: takes what comes, whatever it is; false: nobody reads it anymore.
  ///   - passesStreamsOnly: whether that takes only what comes bit by bit.
  ///   - show: notified of what comes bit by bit; nil: nobody may see it before it is complete.
  ///   - observe: notified of what is secret in the head of a response before anything of it is shown.
  ///   - isEnough: whether the condition of the step holds of what has come; nil: it has none.
  ///   - cancellation: that of the run; nil: it has none.
  init(
    _ description: RequestDescription, at position: StepPosition, passOn: (@Sendable ([UInt8]) -> Bool)?,
    passesStreamsOnly: Bool = false, show: (@Sendable (StreamEvent) -> Void)?,
    observe: @escaping @Sendable (UploadEvent) -> Void,
    isEnough: (@Sendable (Exchange, JSON?) -> Bool)?, now: @escaping @Sendable () -> Duration,
    cancellation: RunCancellation? = nil
  ) {
    self.description = description
    self.position = position
    self.passOn = passOn
    self.passesStreamsOnly = passesStreamsOnly
    self.show = show
    self.observe = observe
    self.isEnough = isEnough
    self.now = now
    self.cancellation = cancellation
  }

  private var terms: StreamTerms? { description.head.stream }

  /// Whether the step has had all of its time: without `stream` its timeout is for the whole response.
  func isOutOfTime(_ failure: TransportError?) -> Bool {
    guard case .timeout = failure?.fact, terms == nil else { return false }
    state.withLock { $0.isOver = true }
    return true
  }

  /// A request of the step is about to be sent.
  ///
  /// - Parameter continues: whether its response continues the one before.
  func sending(_ sending: Sending, continues: Bool = false) {
    state.withLock { state in
      defer { state.sending = sending }
      // Mostly it is the first.
      guard !continues, state.sending != nil else { return }
      let (hasPassed, wasContinued) = (state.hasPassed, state.wasContinued)
      state = State()
      (state.hasPassed, state.wasContinued) = (hasPassed, wasContinued)
    }
  }

  // MARK: While the response comes

  /// Some of the request has left, or some of the response has come.
  func progressed(_ progress: TransferProgress) {
    observe(.progress(description.head, progress, at: position))
  }

  func begin(_ status: HTTPResponse.Status, as kind: StreamKind?, _ head: () -> Response) -> BodyTreatment {
    guard status.kind == .successful, status.code != 204 else { return .kept }
    if let streamed = state.withLock({ $0.streamed }) {
      // It goes on, if it is what was asked for.
      guard kind == .events, streamed.response.streamKind == .events else { return .kept }
      return passOn == nil || isEnough != nil ? .watched : .passedOn(beyond: 0)
    }
    guard let kind = kind ?? (terms == nil ? nil : .text), let sending = state.withLock({ $0.sending }) else {
      return passOn == nil || passesStreamsOnly ? .kept : .passedOn(beyond: 1 << 20)
    }
    let (request, head) = (sending.request, head())
    let secrets = CookieSecrets.found(in: head, from: request.origin)
    if !secrets.isEmpty { observe(.secrets(secrets)) }
    let streamed = StreamedResponse(
      head: description.head, position: position, request: request, response: head, started: sending.started)
    state.withLock { state in
      state.streamed = CopyOnWrite(streamed)
      state.window = StreamWindow(kind, reading: description.head.stream?.condition ?? .head)
    }
    show?(.began(streamed))
    return passOn == nil || isEnough != nil ? .watched : .passedOn(beyond: 0)
  }

  func receive(_ piece: [UInt8]) -> Bool {
    let streamed = state.withLock { $0.streamed }
    var piece = piece
    var isDone = false
    if let streamed, isEnough != nil || streamed.response.streamKind == .events {
      let length = read(piece)
      isDone = length != nil
      // What comes after the event that ends it is not seen.
      if let length { piece = Array(piece.prefix(length)) }
    }
    if let passOn {
      state.withLock { $0.hasPassed = true }
      if !passOn(piece) { return false }
    }
    if let streamed { show?(.piece(piece, of: streamed.whole)) }
    return !isDone
  }

  /// Reads event by event, or line by line, so that the end does not depend on how the network cuts the stream.
  ///
  /// - Returns: after how many bytes it is enough; nil: it is not.
  private func read(_ piece: [UInt8]) -> Int? {
    var rest = piece[...]
    // A condition may take its time.
    while !rest.isEmpty, !(cancellation?.isCancelled ?? false) {
      let partial: (Exchange, JSON?)? = state.withLock { state in
        guard let (count, isComplete) = state.window?.read(rest) else { return nil }
        rest = rest.dropFirst(count)
        state.received += count
        guard isEnough != nil, isComplete else { return nil }
        return exchange(in: state).map { ($0, state.window?.values) }
      }
      if let (exchange, values) = partial, isEnough?(exchange, values) ?? false {
        let length = piece.count - rest.count
        state.withLock { $0.enough = $0.received }
        return length
      }
    }
    return nil
  }

  private func exchange(in state: State) -> Exchange? {
    guard let sending = state.sending, var response = state.streamed?.response else { return nil }
    response.body = ResponseBody(state.window?.bytes ?? [])
    return Exchange(
      description: description, request: sending.request, response: response,
      timings: Timings(total: now().subtracting(sending.started)), profile: sending.prepared.profile,
      started: sending.started)
  }

  // MARK: Afterwards

  /// Whether it may be sent for again from its beginning: nothing was passed on, and it was not continued in vain.
  var mayBeginAgain: Bool { state.withLock { !$0.hasPassed && !$0.wasContinued && !$0.isOver } }

  /// Whether the response was one that comes bit by bit.
  var hasStreamed: Bool { state.withLock { $0.streamed != nil } }

  /// How much of the body was enough, in bytes; nil: all of it.
  var enough: Int? { state.withLock { $0.enough } }

  /// Where an event stream can be continued: after which identifier, when, and how much of its body counts.
  var continuation: (lastID: String, wait: Duration, count: Int)? {
    state.withLock { state in
      guard let stream = state.window?.stream, stream.kind == .events, let id = stream.events.lastID, !id.isEmpty
      else { return nil }
      return (id, stream.events.retry ?? .seconds(3), state.earlierCount + stream.completeCount)
    }
  }

  /// The stream goes on in another connection: an event without its end is forgotten.
  ///
  /// - Parameter wait: how long until then.
  func goesOn(after lastID: String, in wait: Duration) {
    let streamed = state.withLock { state in
      state.wasContinued = true
      if let stream = state.window?.stream {
        state.earlierCount += stream.completeCount
        state.window?.startAgain(withoutLast: state.received - state.earlierCount)
        state.received = state.earlierCount
      }
      return state.streamed
    }
    if let streamed { show?(.continuing(after: lastID, in: wait, of: streamed.whole)) }
  }

  /// How many events have come.
  var eventCount: Int { state.withLock { $0.window?.stream.events.count ?? 0 } }

  /// The stream is over.
  func end() {
    if let streamed = state.withLock({ $0.streamed }) { show?(.ended(streamed.whole)) }
  }

  /// What came of a response that failed.
  var kept: Exchange? {
    get { state.withLock { $0.kept } }
    set { state.withLock { $0.kept = newValue } }
  }
}
