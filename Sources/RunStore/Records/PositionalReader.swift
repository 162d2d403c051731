internal import Requests

/// Reads the records of format 3, which had no tags: fields follow one another in an order that only the program knew.
/// Whatever the bytes are, it terminates, with an error if they are not such records. Nothing writes them any more.
///
/// A text that equals the one at the same place in the previous record is a single zero, and a number is stored as its
/// difference from the previous one.
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
    step.response = try flag() ? try response() : nil
    return step
  }

  /// The seed after a record that was written with others.
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

  private mutating func response() throws(StoreError) -> RecordedResponse {
    var response = RecordedResponse()
    response.sent = try sent()
    response.status = try number()
    response.reason = try text()
    response.version = try text()
    response.headers = try fields()
    response.body = ResponseBody(try part())
    response.lostBody = try optionalNumber()
    response.timings.dns = .microseconds(try number())
    response.timings.connect = .microseconds(try number())
    response.timings.tls = .microseconds(try number())
    response.timings.sent = .microseconds(try number())
    response.timings.firstByte = .microseconds(try number())
    response.timings.total = .microseconds(try number())
    response.started = .microseconds(try number())
    response.redirects = try list { reader throws(StoreError) in
      .init(sent: try reader.sent(), status: try reader.number(), headers: try reader.fields())
    }
    response.failedAttempts = try list { reader throws(StoreError) in
      FailedAttempt(reason: try reader.text(), wait: .microseconds(try reader.number()))
    }
    response.unmet = try list { reader throws(StoreError) in
      UnmetExpectation(subject: try reader.text(), expected: try reader.text(), actual: try reader.text())
    }
    return response
  }

  private mutating func sent() throws(StoreError) -> RecordedResponse.Sent {
    .init(method: try text(), url: try text(), headers: try fields(), bodySize: try number())
  }

  // MARK: Bytes

  /// A negative number means none.
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
    // Each takes at least one byte.
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
