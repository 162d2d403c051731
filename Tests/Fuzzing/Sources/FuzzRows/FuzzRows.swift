internal import Dispatch
internal import JSONValue
internal import RequestProgram
internal import Requests
internal import Synchronization

/// The first byte chooses the format, and the size of the pieces that the rest comes in.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = bytes.first else { return 0 }
  let text = Array(bytes.dropFirst())
  let path = choice & 1 == 0 ? "r.csv" : "r.jsonl"
  let whole = rows(text, path, piece: 1 << 20)
  let inPieces = rows(text, path, piece: 1 + Int(choice >> 1) % 9)
  precondition(whole == inPieces, "rows in pieces are other rows")
  return 0
}

/// What is read: line, offset, bytes and content of each row; the last is why nothing more is.
private func rows(_ text: [UInt8], _ path: String, piece: Int) -> [String] {
  let found = Mutex<[String]>([])
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    let rows = await read(text, path, piece: piece)
    found.withLock { $0 = rows }
    done.signal()
  }
  done.wait()
  return found.withLock { $0 }
}

private func read(_ text: [UInt8], _ path: String, piece: Int) async -> [String] {
  let place = Mutex(0)
  let input = RowInput(size: nil, isFile: false) {
    place.withLock { place in
      guard place < text.count else { return .end }
      defer { place += piece }
      return .bytes(Array(text[place..<min(place + piece, text.count)]))
    }
  }
  var found: [String] = []
  do {
    var reader = try await RowReader(path, input)
    var last = -1
    while let row = try await reader.next() {
      precondition(row.offset > last && row.offset + row.bytes.count <= text.count, "a row is not where it says")
      precondition(Array(text[row.offset..<row.offset + row.bytes.count]) == row.bytes, "a row is not what is there")
      last = row.offset
      switch row.content {
      case .values(let values):
        let shown = values.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription)=\($0.value)" }
        found.append("\(row.number) \(row.line) \(row.offset) \(shown)")
      case .malformed(let fault): found.append("\(row.number) \(row.line) \(row.offset) \(fault.sentence)")
      }
    }
    precondition(reader.position == text.count, "something is left")
  } catch {
    found.append("\(error)")
  }
  return found
}
