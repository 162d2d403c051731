import Canaries
import Foundation
import HTTPTypes
import Requests
import Testing
import UploaderCore

@testable import RunStore

/// Steps are read as they were written.
@Suite struct RecordTests {
  private static let plain = RecordedStep(
    position: StepPosition([0]), label: "first", number: 1, attempt: 1, state: .answered, effect: .safe,
    started: .seconds(1_700_000_000), finished: .seconds(1_700_000_001),
    request: RecordedRequest(
      method: "GET", url: "http://h/", headers: [.init(name: "Accept", value: "*/*")], body: .none, profile: "api"),
    response: RecordedResponse(
      sent: .init(method: "GET", url: "http://h/", headers: [], bodySize: 0), status: 200, reason: "OK",
      version: "HTTP/1.1", headers: [.init(name: "Date", value: "now")], body: ResponseBody(Array("{}".utf8)),
      timings: Timings(
        dns: .microseconds(1), connect: .microseconds(2), tls: .microseconds(3), sent: .microseconds(4),
        firstByte: .microseconds(5), total: .microseconds(6)),
      started: .seconds(1_700_000_000), redirects: [], failedAttempts: [], unmet: []))

  /// Steps that differ from each other in every way a step can.
  private static let steps: [RecordedStep] = {
    var steps = [plain, plain]
    func change(_ body: (inout RecordedStep) -> Void) {
      var step = plain
      step.position = StepPosition([steps.count])
      body(&step)
      steps.append(step)
    }
    change { $0.label = nil }
    change { ($0.number, $0.round, $0.finished, $0.response) = (nil, 7, nil, nil) }
    change { ($0.state, $0.effect, $0.failure) = (.failed, .idempotent, "no answer") }
    change { ($0.position, $0.attempt) = (StepPosition([4, 1, 0]), 3) }
    change { $0.started = .seconds(1) }
    // The same to people, but not the same bytes.
    change { $0.request.url = "http://h/\u{E9}" }
    change { $0.request.url = "http://h/e\u{301}" }
    change { $0.request.url = "" }
    change { $0.request.headers = [] }
    change { $0.request.headers = (0..<20).map { .init(name: "X-\($0)", value: "\u{1}{secret:T:text}") } }
    change { $0.request.body = .bytes([0, 255, 1]) }
    change { $0.request.body = .bytes([]) }
    change { $0.request.body = .parts([]) }
    let file = RecordedRequest.File(
      path: "a/b", offset: 3, count: 4, size: 1 << 40, modified: 1_700_000_000_123_456_789)
    change { $0.request.body = .file(file) }
    change {
      $0.request.body = .parts([
        .init(name: "a", type: nil, fileName: nil, content: .bytes([200])),
        .init(name: "b", type: "image/png", fileName: "x.png", content: .file(file)),
      ])
    }
    change { $0.response?.lostBody = 12 }
    change { $0.response?.bodySize = 97 }
    change { $0.response?.token = SentToken(origin: "oauth browser, w at https://i", expires: .seconds(5)) }
    change { $0.response?.token = SentToken(origin: "oauth device, w at https://i", expires: nil) }
    change { $0.response?.body = ResponseBody([UInt8](repeating: 7, count: 60_000)) }
    change { step in
      guard let sent = step.response?.sent else { return }
      step.response?.redirects = [.init(sent: sent, status: 302, headers: [.init(name: "Location", value: "/b")])]
      step.response?.failedAttempts = [FailedAttempt(reason: "503", wait: .milliseconds(5))]
      step.response?.unmet = [UnmetExpectation(subject: "status", expected: "201", actual: "200")]
    }
    return steps
  }()

  private static func bytes(_ steps: [RecordedStep]) -> [UInt8] {
    var writer = RecordWriter()
    for step in steps { writer.write(step) }
    return writer.bytes
  }

  private static func read(_ bytes: [UInt8]) throws(StoreError) -> [RecordedStep] {
    var reader = try RecordReader(bytes)
    var steps: [RecordedStep] = []
    while !reader.isAtEnd { steps.append(try reader.next(as: RecordedStep.self)) }
    return steps
  }

  @Test func `every step is read as it was written, whatever came before it`() throws {
    #expect(try Self.read(Self.bytes(Self.steps)) == Self.steps)
    for step in Self.steps {
      for other in Self.steps { #expect(try Self.read(Self.bytes([step, other])) == [step, other]) }
    }
    // Strings are equal if their characters are: what counts is bytes.
    let urls = try Self.read(Self.bytes(Self.steps)).map { Array($0.request.url.utf8) }
    #expect(urls == Self.steps.map { Array($0.request.url.utf8) })
  }

  @Test func `repeated values take almost no space`() throws {
    let one = Self.bytes([Self.plain]).count
    #expect(Self.bytes([Self.plain, Self.plain]).count - one < 50)
  }

  @Test func `step seeds are read as they were written`() throws {
    let moments = [
      StepSeed(time: .nanoseconds(1_700_000_000_123_456_789), seed: .max), StepSeed(time: .zero, seed: 0),
      StepSeed(time: .seconds(1), seed: 1 << 64), StepSeed(time: .seconds(2), seed: UInt128.max << 63),
    ]
    var writer = RecordWriter()
    for moment in moments { writer.write(moment) }
    var reader = try RecordReader(writer.bytes)
    for moment in moments { #expect(try reader.next(as: StepSeed.self) == moment) }
    #expect(reader.isAtEnd)
  }

  /// A step of a later program, which knows more fields.
  private struct LaterStep: Record {
    var step = RecordedStep()
    var suite: String?
    var rows: [Int] = []
    var fields: [RecordedRequest.Field] = []
    var sent = [RecordedRequest()]

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
      try coder.text(40, &suite, .kept)
      try coder.numbers(41, &rows)
      try coder.records(42, &sent)
      try step.code(with: &coder)
      try coder.fields(1_000, &fields)
    }
  }

  @Test func `records of a later program are read without the fields only it knows`() throws {
    var writer = RecordWriter()
    for (index, step) in Self.steps.enumerated() {
      writer.write(
        LaterStep(
          step: step, suite: index.isMultiple(of: 3) ? nil : "suite \(index / 2)", rows: Array(0..<index),
          fields: step.request.headers, sent: Array(repeating: step.request, count: index % 3)))
    }
    #expect(try Self.read(writer.bytes) == Self.steps)
    // And vice versa.
    var reader = try RecordReader(Self.bytes(Self.steps))
    for step in Self.steps {
      let later = try reader.next(as: LaterStep.self)
      #expect(later.step == step && later.suite == nil && later.rows.isEmpty && later.fields.isEmpty)
    }
  }

  @Test func `a field of the wrong kind is an error`() throws {
    struct Other: Record {
      var text = "a text"

      mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.text(2, &text, .open)
      }
    }
    var writer = RecordWriter()
    writer.write(Other())
    #expect(throws: StoreError.self) { try Self.read(writer.bytes) }
    #expect(throws: StoreError.self) { try Self.read([RecordWriter.format + 1]) }
  }

  @Test func `secrets are removed from every text that may contain one`() throws {
    let secret = Canary.secret("record")
    let known = Secret(secret, name: "T", for: [])
    let concealment = Concealment(markers: SecretMarkers([known]))
    for step in Self.steps {
      let step = step.mappingTexts { bytes, _ in bytes + Array(" \(secret)".utf8) }
      let concealed = Unconcealed(step).concealed(concealment)
      var direct = RecordWriter(concealment)
      for _ in 0..<2 { direct.write(Unconcealed(step)) }
      var indirect = RecordWriter()
      for _ in 0..<2 { indirect.write(concealed) }
      // Both ways lead to the same record, and neither contains the secret.
      #expect(try Self.read(direct.bytes) == Self.read(indirect.bytes))
      for bytes in [direct.bytes, indirect.bytes] { #expect(Canary.place(of: secret, in: Data(bytes)) == nil) }
      let revealed = concealed.mappingTexts { bytes, _ in
        (try? SecretMarkers([known]).reveal(bytes)) ?? []
      }
      #expect(revealed == step)
    }
  }

  @Test func `arbitrary bytes are an error or a record, and nothing else`() throws {
    let bytes = Self.bytes(Array(Self.steps.suffix(3) + Self.steps.prefix(12)))
    for count in [0, 1, 2, 5] + Array(stride(from: 10, to: bytes.count, by: 97)) {
      let cut = Array(bytes.prefix(count))
      if let read = try? Self.read(cut) { #expect(Self.bytes(read).count <= max(count, 1)) }
    }
    for index in stride(from: 0, to: 2_000, by: 3) {
      for byte in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] = byte
        _ = try? Self.read(damaged)
      }
    }
  }
}
