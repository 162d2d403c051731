internal import HTTPTypes
internal import Requests
internal import UploaderCore

// How steps stand in the store, with their bodies unless those lie in the spool: reading and writing go side by side.

// What is written is either a record already or on its way to be one; the parts of both are the same.

extension RecordedStep {
  /// - Parameter body: of the answer, as far as it stands in the record itself.
  func write(to writer: inout RecordWriter, body: [UInt8]) {
    writer.step(position, attempt: attempt, state, started: started, finished: finished, failure: failure)
    writer.head(label: label, number: number, round: round, effect)
    request.write(to: &writer)
    writer.flag(answer != nil)
    answer?.write(to: &writer, body: body)
  }

  init(from reader: inout RecordReader) throws(StoreError) {
    reader.begin()
    position = StepPosition(try reader.list { reader throws(StoreError) in try reader.number() })
    attempt = try reader.number()
    guard let state = State(rawValue: try reader.number()) else { throw .damaged("a step") }
    self.state = state
    started = .microseconds(try reader.number())
    let finished = try reader.number()
    self.finished = finished < 0 ? nil : .microseconds(finished)
    failure = try reader.optionalText()
    label = try reader.optionalText()
    let (number, round) = (try reader.number(), try reader.number())
    self.number = number < 0 ? nil : number
    self.round = round < 0 ? nil : round
    guard let effect = RequestEffect(code: try reader.number()) else { throw .damaged("a step") }
    self.effect = effect
    request = try RecordedRequest(from: &reader)
    answer = try reader.flag() ? try RecordedAnswer(from: &reader) : nil
  }
}

extension AnsweredStep {
  /// Writes its record, without making one: this is done for each step that may happen twice.
  func write(to writer: inout RecordWriter, _ concealment: Concealment) {
    let head = prepared.description.head
    writer.step(
      position, attempt: attempt, isDone ? .answered : .unmet, started: exchange.started, finished: finished)
    writer.head(label: head.label, number: head.number, round: head.round, head.effect)
    RecordedRequest(prepared, concealment.markers).write(to: &writer)
    writer.flag(true)
    let response = exchange.response
    exchange.request.write(to: &writer)
    writer.number(response.status.code)
    writer.concealed(response.status.reasonPhrase)
    writer.text(response.version)
    writer.fields(response.headers)
    writer.concealed((try? response.body.bytes()) ?? [])
    writer.answer(exchange.timings, started: exchange.started)
    writer.list(exchange.redirects) { writer, hop in
      hop.request.write(to: &writer)
      writer.number(hop.response.status.code)
      writer.fields(hop.response.headers)
    }
    writer.list(exchange.failedAttempts) { writer, attempt in
      writer.concealed(attempt.reason)
      writer.number(attempt.wait.wholeMicroseconds)
    }
    writer.list(unmet) { $1.concealed(concealment).write(to: &$0) }
  }
}

extension RecordWriter {
  fileprivate mutating func step(
    _ position: StepPosition, attempt: Int, _ state: RecordedStep.State, started: Duration, finished: Duration?,
    failure: String? = nil
  ) {
    begin()
    list(position.indices) { $0.number($1) }
    number(attempt)
    number(state.rawValue)
    number(started.wholeMicroseconds)
    number(finished?.wholeMicroseconds ?? -1)
    text(failure)
  }

  fileprivate mutating func head(label: String?, number: Int?, round: Int?, _ effect: RequestEffect) {
    text(label)
    self.number(number ?? -1)
    self.number(round ?? -1)
    self.number(effect.code)
  }

  fileprivate mutating func answer(_ timings: Timings, started: Duration, lostBody: Int? = nil) {
    number(lostBody ?? -1)
    number(timings.dns.wholeMicroseconds)
    number(timings.connect.wholeMicroseconds)
    number(timings.tls.wholeMicroseconds)
    number(timings.sent.wholeMicroseconds)
    number(timings.firstByte.wholeMicroseconds)
    number(timings.total.wholeMicroseconds)
    number(started.wholeMicroseconds)
  }

  fileprivate mutating func fields(_ fields: HTTPFields) {
    number(fields.count)
    for field in fields {
      concealed(field.name.rawName)
      concealed(field.value)
    }
  }
}

extension SentRequest {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.text(method.rawValue)
    writer.concealed(url)
    writer.fields(headers)
    writer.number(bodySize)
  }
}

extension UnmetExpectation {
  func concealed(_ concealment: Concealment) -> Self {
    Self(
      subject: concealment.text(subject), expected: concealment.text(expected), actual: concealment.text(actual))
  }

  fileprivate func write(to writer: inout RecordWriter) {
    writer.text(subject)
    writer.text(expected)
    writer.text(actual)
  }
}

extension RecordedRequest {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.text(method)
    writer.text(url)
    writer.list(headers) { $1.write(to: &$0) }
    writer.text(profile)
    switch body {
    case .none: writer.number(0)
    case .bytes(let bytes):
      writer.number(1)
      writer.part(bytes)
    case .file(let file):
      writer.number(2)
      file.write(to: &writer)
    case .parts(let parts):
      writer.number(3)
      writer.list(parts) { $1.write(to: &$0) }
    }
  }

  fileprivate init(from reader: inout RecordReader) throws(StoreError) {
    method = try reader.text()
    url = try reader.text()
    headers = try reader.list { reader throws(StoreError) in try Field(from: &reader) }
    profile = try reader.text()
    switch try reader.number() {
    case 0: body = .none
    case 1: body = .bytes(try reader.part())
    case 2: body = .file(try File(from: &reader))
    case 3: body = .parts(try reader.list { reader throws(StoreError) in try Part(from: &reader) })
    default: throw .damaged("a request")
    }
  }
}

extension RecordedRequest.Field {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.text(name)
    writer.text(value)
  }

  fileprivate init(from reader: inout RecordReader) throws(StoreError) {
    name = try reader.text()
    value = try reader.text()
  }
}

extension RecordedRequest.File {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.text(path)
    for number in [offset, count, size, modified] { writer.number(number) }
  }

  fileprivate init(from reader: inout RecordReader) throws(StoreError) {
    path = try reader.text()
    offset = try reader.number()
    count = try reader.number()
    size = try reader.number()
    modified = try reader.number()
  }
}

extension RecordedRequest.Part {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.text(name)
    writer.text(type)
    writer.text(fileName)
    switch content {
    case .bytes(let bytes):
      writer.flag(false)
      writer.part(bytes)
    case .file(let file):
      writer.flag(true)
      file.write(to: &writer)
    }
  }

  fileprivate init(from reader: inout RecordReader) throws(StoreError) {
    name = try reader.text()
    type = try reader.optionalText()
    fileName = try reader.optionalText()
    content = try reader.flag() ? .file(try RecordedRequest.File(from: &reader)) : .bytes(try reader.part())
  }
}

extension RecordedAnswer {
  fileprivate func write(to writer: inout RecordWriter, body: [UInt8]) {
    sent.write(to: &writer)
    writer.number(status)
    writer.text(reason)
    writer.text(version)
    writer.list(headers) { $1.write(to: &$0) }
    writer.part(body)
    writer.answer(timings, started: started, lostBody: lostBody)
    writer.list(redirects) { writer, hop in
      hop.sent.write(to: &writer)
      writer.number(hop.status)
      writer.list(hop.headers) { $1.write(to: &$0) }
    }
    writer.list(failedAttempts) { writer, attempt in
      writer.text(attempt.reason)
      writer.number(attempt.wait.wholeMicroseconds)
    }
    writer.list(unmet) { $1.write(to: &$0) }
  }

  fileprivate init(from reader: inout RecordReader) throws(StoreError) {
    sent = try Sent(from: &reader)
    status = try reader.number()
    reason = try reader.text()
    version = try reader.text()
    headers = try reader.list { reader throws(StoreError) in try RecordedRequest.Field(from: &reader) }
    body = ResponseBody(try reader.part())
    let lostBody = try reader.number()
    self.lostBody = lostBody < 0 ? nil : lostBody
    timings = Timings()
    timings.dns = .microseconds(try reader.number())
    timings.connect = .microseconds(try reader.number())
    timings.tls = .microseconds(try reader.number())
    timings.sent = .microseconds(try reader.number())
    timings.firstByte = .microseconds(try reader.number())
    timings.total = .microseconds(try reader.number())
    started = .microseconds(try reader.number())
    redirects = try reader.list { reader throws(StoreError) in
      Hop(
        sent: try Sent(from: &reader), status: try reader.number(),
        headers: try reader.list { reader throws(StoreError) in try RecordedRequest.Field(from: &reader) })
    }
    failedAttempts = try reader.list { reader throws(StoreError) in
      FailedAttempt(reason: try reader.text(), wait: .microseconds(try reader.number()))
    }
    unmet = try reader.list { reader throws(StoreError) in
      UnmetExpectation(subject: try reader.text(), expected: try reader.text(), actual: try reader.text())
    }
  }
}

extension RecordedAnswer.Sent {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.text(method)
    writer.text(url)
    writer.list(headers) { $1.write(to: &$0) }
    writer.number(bodySize)
  }

  fileprivate init(from reader: inout RecordReader) throws(StoreError) {
    method = try reader.text()
    url = try reader.text()
    headers = try reader.list { reader throws(StoreError) in try RecordedRequest.Field(from: &reader) }
    bodySize = try reader.number()
  }
}

extension Moment {
  func write(to writer: inout RecordWriter) {
    writer.number(time.wholeNanoseconds)
    writer.number(Int(truncatingIfNeeded: seed >> 64))
    writer.number(Int(truncatingIfNeeded: seed))
  }

  init(from reader: inout RecordReader) throws(StoreError) {
    let time = Duration.nanoseconds(try reader.number())
    let (high, low) = (try reader.number(), try reader.number())
    self.init(time: time, seed: UInt128(UInt(bitPattern: high)) << 64 | UInt128(UInt(bitPattern: low)))
  }
}

extension RequestEffect {
  fileprivate var code: Int {
    switch self {
    case .safe: 0
    case .idempotent: 1
    case .once: 2
    }
  }

  fileprivate init?(code: Int) {
    switch code {
    case 0: self = .safe
    case 1: self = .idempotent
    case 2: self = .once
    default: return nil
    }
  }
}
