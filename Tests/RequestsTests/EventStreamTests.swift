import HTTPTypes
import JSONValue
import Requests
import Testing

/// Streams are read the same however the network cuts them.
@Suite struct EventStreamTests {
  private static let text = """
    \u{FEFF}: a comment
    id: 1
    event: tick
    data: {"n": 1}

    retry: 250
    data: two
    data:lines
    unknown: x

    id

    data: {"n": 3}

    id: 9
    data: without its end
    """

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `events are read as browsers read them`(lineEnd: String) {
    let events = EventStream.events(in: Array(Self.text.replacing("\n", with: lineEnd).utf8))
    #expect(
      events == [
        ServerEvent(type: "tick", id: "1", data: "{\"n\": 1}"), ServerEvent(id: "1", data: "two\nlines"),
        ServerEvent(id: "", data: "{\"n\": 3}"),
      ])
  }

  @Test func `cut anywhere, it is the same stream`() {
    let bytes = Array(Self.text.replacing("\n", with: "\r\n").utf8)
    let whole = EventStream.events(in: bytes)
    for cut in bytes.indices {
      var stream = EventStream()
      let events = stream.read(bytes[..<cut]) + stream.read(bytes[cut...])
      #expect(events == whole)
      #expect(stream.retry == .milliseconds(250))
      #expect(stream.lastID == "")
      #expect(String(decoding: bytes[stream.completeCount...], as: UTF8.self) == "id: 9\r\ndata: without its end")
    }
  }

  @Test func `another connection forgets an event without its end`() {
    var stream = EventStream()
    _ = stream.read(Array("id: 7\ndata: a\n\ndata: lost".utf8))
    stream.startAgain()
    #expect(stream.read(Array("data: b\n\n".utf8)) == [ServerEvent(id: "7", data: "b")])
    #expect(stream.count == 2)
  }

  @Test func `lines are values, and one that is not JSON is its text`() throws {
    let values = StreamValues.values(.lines, in: Array("{\"a\": 1}\r\n\n12\nnot json\n[true]".utf8))
    #expect(values == [["a": 1], 12, "not json", [true]])
  }

  @Test func `a stream is read event by event, however much comes at once`() {
    var stream = StreamValues(.events)
    let bytes = Array("data: 1\n\ndata: 2\n\ndata: 3".utf8)
    var rest = bytes[...]
    var ends: [Int] = []
    while !rest.isEmpty {
      let (count, isComplete) = stream.read(rest)
      rest = rest.dropFirst(count)
      if isComplete { ends.append(stream.completeCount) }
    }
    #expect(ends == [9, 18])
    #expect(stream.values.count == 2)
  }

  @Test(arguments: [
    ("text/event-stream; charset=utf-8", StreamKind.events), ("application/x-ndjson", .lines),
    ("application/jsonl", .lines), ("text/plain", .text), ("text/html", nil), ("application/json", nil),
  ])
  func `which responses come bit by bit`(type: String, kind: StreamKind?) {
    #expect(Response(status: .ok, headers: [.contentType: type]).streamKind == kind)
  }

  @Test func `a text with a length is not a stream`() {
    #expect(Response(status: .ok, headers: [.contentType: "text/plain", .contentLength: "3"]).streamKind == nil)
  }
}
