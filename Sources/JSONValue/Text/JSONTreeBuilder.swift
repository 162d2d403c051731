/// Builds a `JSON` from what is read.
///
/// Values and keys wait on two stacks until their container ends, and are then moved into an array of exactly the right
/// size.
struct JSONTreeBuilder: ~Copyable, JSONReceiver {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var values = MoveStack<JSON>()
  private var keys = MoveStack<String>()
  /// How many values there were when each open container started.
  private var starts: [Int] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The value that was read; nil before one was.
  mutating func take() -> JSON? {
    values.count == 1 ? values.takeLast(1).first : nil
  }

  mutating func beginObject() { starts.append(values.count) }
  mutating func beginArray() { starts.append(values.count) }

  mutating func endArray() {
    let elements = values.takeLast(values.count - (starts.popLast() ?? 0))
    values.push(.array(elements))
  }

  mutating func endObject() {
    let count = values.count - (starts.popLast() ?? 0)
    let members = keys.takeLast(count, with: &values) { JSONObject.Member(key: $0, value: $1) }
    values.push(.object(JSONObject(members)))
  }

  mutating func key(_ token: JSONScanner.StringToken) { keys.push(JSONEscape.decode(token, in: bytes)) }
  mutating func string(_ token: JSONScanner.StringToken) { values.push(.string(JSONEscape.decode(token, in: bytes))) }

  mutating func number(_ range: Range<Int>) {
    values.push(.number(JSONNumber(checked: UnsafeBufferPointer(rebasing: bytes[range]))))
  }

  mutating func bool(_ value: Bool) { values.push(.bool(value)) }
  mutating func null() { values.push(.null) }
}
