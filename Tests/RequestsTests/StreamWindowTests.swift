import JSONValue
import Requests
import Testing

/// The part of a stream that is kept for a condition.
@Suite struct StreamWindowTests {
  /// What is seen whenever something is complete.
  private func seen(
    _ kind: StreamKind, _ reading: StreamReading, _ text: String, inPiecesOf size: Int
  ) -> [(values: JSON?, text: String)] {
    var window = StreamWindow(kind, reading: reading)
    var seen: [(JSON?, String)] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      var rest = bytes[start..<min(start + size, bytes.count)]
      while !rest.isEmpty {
        let read = window.read(rest)
        rest = rest.dropFirst(read.count)
        if read.isComplete { seen.append((window.values, String(decoding: window.bytes, as: UTF8.self))) }
      }
    }
    window.finish()
    seen.append((window.values, String(decoding: window.bytes, as: UTF8.self)))
    return seen
  }

  @Test(arguments: [1, 3, 7, 100])
  func `the last lines are kept, with their text`(size: Int) {
    let found = seen(.lines, .items(2), "1\n\n2\n3\n4", inPiecesOf: size)
    #expect(found.map(\.values) == [[1], [1], [1, 2], [2, 3], [3, 4]])
    #expect(found.map(\.text) == ["1\n", "1\n\n", "1\n\n2\n", "\n2\n3\n", "3\n4"])
  }

  @Test(arguments: [1, 4, 100])
  func `the last event is kept, and what the one before had as its identifier`(size: Int) {
    let found = seen(.events, .items(1), "id: 7\ndata: 1\n\n: ping\n\ndata: 2\n\n", inPiecesOf: size)
    #expect(found.map { $0.values?[0]?["data"] } == [1, 2, 2])
    #expect(found.map { $0.values?[0]?["id"] } == ["7", "7", "7"])
    #expect(found.last?.text == ": ping\n\ndata: 2\n\n")
  }

  @Test func `events that one piece completes are all seen`() {
    let found = seen(.events, .items(1), "data: 1\r\rdata: 2\r\rdata: 3\r\r", inPiecesOf: 100)
    #expect(found.first?.values?.array?.map { $0["data"] } == [1, 2, 3])
  }

  @Test func `of the head alone nothing is kept`() {
    let found = seen(.lines, .head, "1\n2\n", inPiecesOf: 1)
    #expect(found.allSatisfy { $0.text.isEmpty && ($0.values?.array?.count ?? 0) < 2 })
  }

  @Test func `of text so many bytes are kept, from the beginning of a character of UTF-32`() {
    let found = seen(.text, .bytes(4), "abcdefghijkl", inPiecesOf: 5)
    #expect(found.map(\.text) == ["abcde", "abcdefghij", "efghijkl", "efghijkl"])
  }

  @Test func `an event without its end is forgotten when the stream goes on elsewhere`() {
    var window = StreamWindow(.events, reading: .items(1))
    let first = Array("data: 1\n\n".utf8)
    #expect(window.read(first[...]).isComplete)
    #expect(!window.read(Array("data: 2\n".utf8)[...]).isComplete)
    window.startAgain(withoutLast: 8)
    #expect(window.read(Array("data: 3\n\n".utf8)[...]).isComplete)
    #expect(window.values?.array?.map { $0["data"] } == [3])
    #expect(String(decoding: window.bytes, as: UTF8.self) == "data: 3\n\n")
  }
}
