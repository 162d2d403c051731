internal import Requests

/// Reads the records of format 3, which had no tags: fields stand one after another, in an order that only the program knew.
/// Whatever the bytes are, it ends, with an error if they are not that. Nothing writes them any more.
///
/// A text that is the same as at this place in the record before is a single zero, and a number is how much more it is than
/// the one before.
struct PositionalReader {
  private let bytes: [UInt8]
  private var index = 0
  private var texts: [Range<Int>] = []
  private var numbers: [Int] = []
  private var nextText = 0
  private var nextNumber = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { index == bytes.count }

  // MARK: Records

  /// The next record.
  mutating func step() throws(StoreError) -> RecordedStep {
    begin()
    var step = RecordedStep()
    step.position = StepPosition(try list { reader throws(StoreError) in try reader.number() })
    step.attempt = try number()
    guard let state = RecordedStep.State(rawValue: try number()) else { throw .damaged("a step") }
    step.state = state
    step.started = .microseconds(try number())
    step.finished = try optionalNumber().map { .microseconds($0) }
    step.failure = try optionalText()
    step.label = try optionalText()
    step.number = try optionalNumber()
    step.round = try optionalNumber()
    switch try number() {
    case 0: step.effect = .safe
    case 1: step.effect = .idempotent
    case 2: step.effect = .once
    default: throw .damaged("a step")
    }
    step.request = try request()
    step.answer = try flag() ? try answer() : nil
    return step
  }

  /// The moment after a record that was written with others.
  mutating func moment() throws(StoreError) -> StepSeed? {
    guard try flag() else { return nil }
    let time = Duration.nanoseconds(try number())
    let (high, low) = (try number(), try number())
    return StepSeed(time: time, seed: UInt128(UInt(bitPattern: high)) << 64 | UInt128(UInt(bitPattern: low)))
  }

  private mutating func request() throws(StoreError) -> RecordedRequest {
    var request = RecordedRequest()
    request.method = try text()
    request.url = try text()
    request.headers = try fields()
    request.profile = try text()
    switch try number() {
    case 0: request.body = .none
    case 1: request.body = .bytes(try part())
    case 2: request.body = .file(try file())
    case 3: request.body = .parts(try list { reader throws(StoreError) in try reader.formPart() })
    default: throw .damaged("a request")
    }
    return request
  }

  private mutating func fields() throws(StoreError) -> [RecordedRequest.Field] {
    try list { reader throws(StoreError) in .init(name: try reader.text(), value: try reader.text()) }
  }

  private mutating func file() throws(StoreError) -> RecordedRequest.File {
    .init(
      path: try text(), offset: try number(), count: try number(), size: try number(), modified: try number())
  }

  private mutating func formPart() throws(StoreError) -> RecordedRequest.Part {
    .init(
      name: try text(), type: try optionalText(), fileName: try optionalText(),
      content: try flag() ? .file(try file()) : .bytes(try part()))
  }

  private mutating func answer() throws(StoreError) -> RecordedAnswer {
    var answer = RecordedAnswer()
    answer.sent = try sent()
    answer.status = try number()
    answer.reason = try text()
    answer.version = try text()
    answer.headers = try fields()
    answer.body = ResponseBody(try part())
    answer.lostBody = try optionalNumber()
    answer.timings.dns = .microseconds(try number())
    answer.timings.connect = .microseconds(try number())
    answer.timings.tls = .microseconds(try number())
    answer.timings.sent = .microseconds(try number())
    answer.timings.firstByte = .microseconds(try number())
    answer.timings.total = .microseconds(try number())
    answer.started = .microseconds(try number())
    answer.redirects = try list { reader throws(StoreError) in
      .init(sent: try reader.sent(), status: try reader.number(), headers: try reader.fields())
    }
    answer.failedAttempts = try list { reader throws(StoreError) in
      FailedAttempt(reason: try reader.text(), wait: .microseconds(try reader.number()))
    }
    answer.unmet = try list { reader throws(StoreError) in
      UnmetExpectation(subject: try reader.text(), expected: try reader.text(), actual: try reader.text())
    }
    return answer
  }

  private mutating func sent() throws(StoreError) -> RecordedAnswer.Sent {
    .init(method: try text(), url: try text(), headers: try fields(), bodySize: try number())
  }

  // MARK: Bytes

  /// A negative number is none.
  private mutating func optionalNumber() throws(StoreError) -> Int? {
    let number = try number()
    return number < 0 ? nil : number
  }

  private mutating func begin() { (nextText, nextNumber) = (0, 0) }

  private mutating func number() throws(StoreError) -> Int {
    if nextNumber == numbers.count { numbers.append(0) }
    let more = try next()
    numbers[nextNumber] &+= Int(bitPattern: more >> 1) ^ -Int(more & 1)
    defer { nextNumber += 1 }
    return numbers[nextNumber]
  }

  private mutating func flag() throws(StoreError) -> Bool { try number() == 1 }

  private mutating func text() throws(StoreError) -> String { String(decoding: bytes[try place()], as: UTF8.self) }

  private mutating func optionalText() throws(StoreError) -> String? { try flag() ? try text() : nil }

  private mutating func part() throws(StoreError) -> [UInt8] { Array(bytes[try place()]) }

  private mutating func list<Element>(
    _ read: (inout PositionalReader) throws(StoreError) -> Element
  ) throws(StoreError) -> [Element] {
    let count = try number()
    // Each takes a byte at least.
    guard (0...bytes.count - index).contains(count) else { throw .damaged("a record") }
    var elements: [Element] = []
    for _ in 0..<count { elements.append(try read(&self)) }
    return elements
  }

  private mutating func place() throws(StoreError) -> Range<Int> {
    if nextText == texts.count { texts.append(0..<0) }
    defer { nextText += 1 }
    let code = try next()
    if code > 0 {
      let count = code - 1
      guard count <= UInt(bytes.count - index) else { throw .damaged("a record") }
      texts[nextText] = index..<index + Int(count)
      index += Int(count)
    }
    return texts[nextText]
  }

  private mutating func next() throws(StoreError) -> UInt { try RecordReader.code(in: bytes, at: &index) }
}
