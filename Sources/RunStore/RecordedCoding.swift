internal import Requests

// How steps stand in the store, with their bodies unless those lie in the spool: reading and writing go side by side.

extension RecordedStep {
  /// - Parameter body: of the answer, as far as it stands in the record itself.
  func write(to writer: inout RecordWriter, body: [UInt8]) {
    writer.begin()
    writer.list(position.indices) { $0.number($1) }
    writer.number(attempt)
    writer.number(state.rawValue)
    writer.number(effect.code)
    writer.number(number ?? -1)
    writer.number(round ?? -1)
    writer.number(started.inMicroseconds)
    writer.number(finished?.inMicroseconds ?? -1)
    writer.text(label)
    writer.text(failure)
    request.write(to: &writer)
    writer.flag(answer != nil)
    answer?.write(to: &writer, body: body)
  }

  init(from reader: inout RecordReader) throws(StoreError) {
    reader.begin()
    position = StepPosition(try reader.list { reader throws(StoreError) in try reader.number() })
    attempt = try reader.number()
    guard let state = State(rawValue: try reader.number()), let effect = RequestEffect(code: try reader.number())
    else { throw .damaged("a step") }
    self.state = state
    self.effect = effect
    let (number, round) = (try reader.number(), try reader.number())
    self.number = number < 0 ? nil : number
    self.round = round < 0 ? nil : round
    started = .microseconds(try reader.number())
    let finished = try reader.number()
    self.finished = finished < 0 ? nil : .microseconds(finished)
    label = try reader.optionalText()
    failure = try reader.optionalText()
    request = try RecordedRequest(from: &reader)
    answer = try reader.flag() ? try RecordedAnswer(from: &reader) : nil
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
    writer.number(lostBody ?? -1)
    writer.number(timings.dns.inMicroseconds)
    writer.number(timings.connect.inMicroseconds)
    writer.number(timings.tls.inMicroseconds)
    writer.number(timings.sent.inMicroseconds)
    writer.number(timings.firstByte.inMicroseconds)
    writer.number(timings.total.inMicroseconds)
    writer.number(started.inMicroseconds)
    writer.list(redirects) { writer, hop in
      hop.sent.write(to: &writer)
      writer.number(hop.status)
      writer.list(hop.headers) { $1.write(to: &$0) }
    }
    writer.list(failedAttempts) { writer, attempt in
      writer.text(attempt.reason)
      writer.number(attempt.wait.inMicroseconds)
    }
    writer.list(unmet) { writer, expectation in
      writer.text(expectation.subject)
      writer.text(expectation.expected)
      writer.text(expectation.actual)
    }
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
    writer.number(time.inNanoseconds)
    writer.number(Int(truncatingIfNeeded: seed >> 64))
    writer.number(Int(truncatingIfNeeded: seed))
  }

  init(from reader: inout RecordReader) throws(StoreError) {
    let time = Duration.nanoseconds(try reader.number())
    let (high, low) = (try reader.number(), try reader.number())
    self.init(time: time, seed: UInt128(UInt(bitPattern: high)) << 64 | UInt128(UInt(bitPattern: low)))
  }
}

extension Duration {
  var inMicroseconds: Int { Int(attoseconds / 1_000_000_000_000) }

  var inNanoseconds: Int { Int(attoseconds / 1_000_000_000) }
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
