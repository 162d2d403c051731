/// What is reported of a JSON text while it is read, in order.
///
/// The grammar has been checked up to each report: a key comes only in an object, an end matches its start.
protocol JSONReceiver: ~Copyable {
  mutating func beginObject()
  mutating func endObject()
  mutating func beginArray()
  mutating func endArray()
  mutating func key(_ token: JSONScanner.StringToken)
  mutating func string(_ token: JSONScanner.StringToken)
  mutating func number(_ range: Range<Int>)
  mutating func bool(_ value: Bool)
  mutating func null()
}

extension JSONScanner {
  /// Reads a whole JSON text (RFC 8259 §2). The stack is an array on the heap, so no input can overflow the call stack.
  mutating func read<Receiver: JSONReceiver & ~Copyable>(
    into receiver: inout Receiver, depthLimit: Int
  ) throws(JSONSyntaxError) {
    /// For each container around the current one: is it an object?
    var outer: [Bool] = []
    var isInside = false
    var isObject = false

    skipByteOrderMark()
    skipWhiteSpace()
    value: while true {
      switch next {
      case UInt8(ascii: "\""):
        receiver.string(try string())
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        receiver.number(try number())
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard outer.count + (isInside ? 1 : 0) < depthLimit else { throw error(.nestedTooDeeply(limit: depthLimit)) }
        if isInside { outer.append(isObject) }
        isInside = true
        isObject = bytes[position] == UInt8(ascii: "{")
        position &+= 1
        skipWhiteSpace()
        if isObject {
          receiver.beginObject()
          if next != UInt8(ascii: "}") {
            try key(into: &receiver, else: .keyOrObjectEnd)
            continue value
          }
        } else {
          receiver.beginArray()
          if next != UInt8(ascii: "]") {
            guard position < end, mayBeginValue(bytes[position]) else { throw error(.expected(.valueOrArrayEnd)) }
            continue value
          }
        }
      case UInt8(ascii: "t"):
        try word("true")
        receiver.bool(true)
      case UInt8(ascii: "f"):
        try word("false")
        receiver.bool(false)
      case UInt8(ascii: "n"):
        try word("null")
        receiver.null()
      default:
        throw error(.expected(.value))
      }

      // A value has ended, or the current container is empty.
      while isInside {
        skipWhiteSpace()
        let byte = next
        if byte == UInt8(ascii: ",") {
          position &+= 1
          skipWhiteSpace()
          if isObject { try key(into: &receiver, else: .key) }
          continue value
        }
        if isObject {
          guard byte == UInt8(ascii: "}") else { throw error(.expected(.commaOrObjectEnd)) }
          receiver.endObject()
        } else {
          guard byte == UInt8(ascii: "]") else { throw error(.expected(.commaOrArrayEnd)) }
          receiver.endArray()
        }
        position &+= 1
        if let object = outer.popLast() { isObject = object } else { isInside = false }
      }
      skipWhiteSpace()
      guard position == end else { throw error(.trailingData) }
      return
    }
  }

  @inline(__always)
  private mutating func key<Receiver: JSONReceiver & ~Copyable>(
    into receiver: inout Receiver, else expectation: JSONSyntaxError.Expectation
  ) throws(JSONSyntaxError) {
    guard next == UInt8(ascii: "\"") else { throw error(.expected(expectation)) }
    receiver.key(try string())
    skipWhiteSpace()
    guard next == UInt8(ascii: ":") else { throw error(.expected(.colon)) }
    position &+= 1
    skipWhiteSpace()
  }

  private func mayBeginValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"), UInt8(ascii: "t"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
