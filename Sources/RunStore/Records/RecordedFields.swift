internal import Requests
internal import UploaderCore

// What is stored of a step, field by field. A new field takes the next tag; a tag that is retired is not used again.

extension RecordedStep: Record {
  init() {
    self.init(
      position: StepPosition([]), attempt: 1, state: .intended, effect: .once, started: .zero,
      request: RecordedRequest())
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try position.code(1, with: &coder)
    try coder.number(2, &attempt)
    try coder.value(3, &state)
    try coder.duration(4, &started)
    try coder.duration(5, &finished)
    try coder.text(6, &failure, .told)
    try coder.text(7, &label, .open)
    try coder.number(8, &number)
    try coder.number(9, &round)
    try coder.value(10, &effect.code)
    try coder.record(11, &request)
    try coder.record(12, &response)
    // 13 is the seed of a step that is written with others.
    try coder.number(14, &offset)
    try coder.text(15, &source, .open)
    try coder.numbers(16, &items)
    try coder.number(17, &expectations)
  }
}

/// A step that is written with others, and its seed.
struct BatchedStep: Record {
  var step = RecordedStep()
  var moment: StepSeed?

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try step.code(with: &coder)
    try coder.record(13, &moment)
  }
}

extension RecordedRequest: Record {
  init() {
    self.init(method: "", url: "", headers: [], body: .none, profile: "")
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.text(1, &method, .open)
    try coder.text(2, &url, .kept)
    try coder.fields(3, &headers)
    try coder.text(4, &profile, .open)
    try coder.bytes(5, &body.bytes)
    try coder.record(6, &body.file)
    try coder.record(7, &body.form)
    try coder.text(8, &omittedHeaders, .open)
  }
}

/// The parts of a form; there may be none.
struct RecordedForm: Record {
  var parts: [RecordedRequest.Part] = []

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.records(1, &parts)
  }
}

extension RecordedRequest.Part: Record {
  init() {
    self.init(name: "", type: nil, fileName: nil, content: .bytes([]))
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.text(1, &name, .kept)
    try coder.text(2, &type, .kept)
    try coder.text(3, &fileName, .kept)
    try coder.bytes(4, &content.bytes)
    try coder.record(5, &content.file)
  }
}

extension RecordedRequest.File: Record {
  init() {
    self.init(path: "", offset: 0, count: 0, size: 0, modified: 0)
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.text(1, &path, .open)
    try coder.number(2, &offset)
    try coder.number(3, &count)
    try coder.number(4, &size)
    try coder.number(5, &modified)
  }
}

extension RecordedResponse: Record {
  init() {
    self.init(
      sent: Sent(), status: 0, reason: "", version: "", headers: [], body: ResponseBody([]), timings: Timings(),
      started: .zero, redirects: [], failedAttempts: [], unmet: [])
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.record(1, &sent)
    try coder.number(2, &status)
    try coder.text(3, &reason, .kept)
    try coder.text(4, &version, .open)
    try coder.fields(5, &headers)
    if let size = try coder.body(6, &body) { bodySize = bodySize ?? size }
    try coder.number(7, &lostBody)
    try timings.code(8, with: &coder)
    try coder.duration(9, &started)
    try coder.records(10, &redirects)
    try coder.records(11, &failedAttempts)
    try coder.records(12, &unmet)
    try coder.record(13, &token)
    try coder.number(14, &bodySize)
  }
}

extension SentToken: Record {
  init() {
    self.init(origin: "", expires: nil)
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    var (origin, expires) = (origin, expires)
    try coder.text(1, &origin, .kept)
    try coder.duration(2, &expires)
    self = SentToken(origin: origin, expires: expires)
  }
}

extension RecordedResponse.Sent: Record {
  init() {
    self.init(method: "", url: "", headers: [], bodySize: 0)
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.text(1, &method, .open)
    try coder.text(2, &url, .kept)
    try coder.fields(3, &headers)
    try coder.number(4, &bodySize)
    // 5 is reserved for the body as it was sent, if it may be stored and is not the request's.
  }
}

extension RecordedResponse.Hop: Record {
  init() {
    self.init(sent: RecordedResponse.Sent(), status: 0, headers: [])
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    try coder.record(1, &sent)
    try coder.number(2, &status)
    try coder.fields(3, &headers)
  }
}

extension FailedAttempt: Record {
  init() {
    self.init(reason: "", wait: .zero)
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    var (reason, wait) = (reason, wait)
    try coder.text(1, &reason, .kept)
    try coder.duration(2, &wait)
    self = Self(reason: reason, wait: wait)
  }
}

extension UnmetExpectation: Record {
  init() {
    self.init(subject: "", expected: "", actual: "")
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    var (subject, expected, actual) = (subject, expected, actual)
    try coder.text(1, &subject, .told)
    try coder.text(2, &expected, .told)
    try coder.text(3, &actual, .told)
    self = Self(subject: subject, expected: expected, actual: actual, place: place)
  }
}

extension StepSeed: Record {
  init() {
    self.init(time: .zero, seed: 0)
  }

  mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
    let before = [
      time.wholeNanoseconds, Int(truncatingIfNeeded: seed >> 64), Int(truncatingIfNeeded: seed),
    ]
    var parts = before
    try coder.numbers(1, &parts)
    guard parts != before, parts.count >= 3 else { return }
    self = Self(
      time: .nanoseconds(parts[0]),
      seed: UInt128(UInt(bitPattern: parts[1])) << 64 | UInt128(UInt(bitPattern: parts[2])))
  }
}

// MARK: Values that are one field

extension StepPosition {
  fileprivate mutating func code<Coder: RecordCoder>(
    _ tag: UInt, with coder: inout Coder
  ) throws(Coder.Failure) {
    var numbers = indices
    try coder.numbers(tag, &numbers)
    if numbers != indices { self = StepPosition(numbers) }
  }
}

extension Timings {
  private static var parts: [WritableKeyPath<Self, Duration>] {
    [\.dns, \.connect, \.tls, \.sent, \.firstByte, \.total]
  }

  /// More of them may follow.
  fileprivate mutating func code<Coder: RecordCoder>(
    _ tag: UInt, with coder: inout Coder
  ) throws(Coder.Failure) {
    let before = [
      dns.wholeMicroseconds, connect.wholeMicroseconds, tls.wholeMicroseconds, sent.wholeMicroseconds,
      firstByte.wholeMicroseconds, total.wholeMicroseconds,
    ]
    var numbers = before
    try coder.numbers(tag, &numbers)
    guard numbers != before else { return }
    for (part, number) in zip(Self.parts, numbers) { self[keyPath: part] = .microseconds(number) }
  }
}

extension RequestEffect {
  /// How it is encoded.
  fileprivate enum Code: Int {
    case safe = 0
    case idempotent = 1
    case once = 2
  }

  fileprivate var code: Code {
    get {
      switch self {
      case .safe: .safe
      case .idempotent: .idempotent
      case .once: .once
      }
    }
    set {
      switch newValue {
      case .safe: self = .safe
      case .idempotent: self = .idempotent
      case .once: self = .once
      }
    }
  }
}

extension RecordedRequest.Body {
  fileprivate var bytes: [UInt8]? {
    get { if case .bytes(let bytes) = self { bytes } else { nil } }
    set { if let newValue { self = .bytes(newValue) } }
  }

  fileprivate var file: RecordedRequest.File? {
    get { if case .file(let file) = self { file } else { nil } }
    set { if let newValue { self = .file(newValue) } }
  }

  fileprivate var form: RecordedForm? {
    get { if case .parts(let parts) = self { RecordedForm(parts: parts) } else { nil } }
    set { if let newValue { self = .parts(newValue.parts) } }
  }
}

extension RecordedRequest.Part.Content {
  fileprivate var bytes: [UInt8]? {
    get { if case .bytes(let bytes) = self { bytes } else { nil } }
    set { if let newValue { self = .bytes(newValue) } }
  }

  fileprivate var file: RecordedRequest.File? {
    get { if case .file(let file) = self { file } else { nil } }
    set { if let newValue { self = .file(newValue) } }
  }
}
