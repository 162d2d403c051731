extension JSONDocument {
  /// How the nodes that a path finds are laid out.
  public enum Arrangement: Hashable, Sendable {
    /// One after another, each on lines of its own.
    case lines
    /// As the elements of one array.
    case array
  }

  /// Prints what the path finds as it is in the document, apart from whitespace: order, numbers and escapes are not
  /// touched, and nothing is decoded. Nothing is printed if nothing is found.
  ///
  /// - Parameter write: receives the text in chunks of about 64 KiB.
  /// - Returns: how many nodes were found.
  public func print(
    _ path: JSONPath, as arrangement: Arrangement, printer: JSONPrinter, chunks write: ([UInt8]) -> Void
  ) -> Int {
    withBytes { bytes in
      withoutActuallyEscaping(write) { write in
        var layout = JSONLayout(isPretty: printer.isPretty, sink: ChunkSink<Never>(write: write))
        var count = 0
        path.walk(JSONSlice(bytes), { _ in nil }, tracksLocations: false) { slice, _ in
          if count == 0, arrangement == .array { layout.begin("[") }
          count += 1
          layout.copy(slice.text)
          if arrangement == .lines { layout.buffer.append(UInt8(ascii: "\n")) }
        }
        if count > 0, arrangement == .array {
          layout.end("]")
          layout.buffer.append(UInt8(ascii: "\n"))
        }
        layout.sink.flush(&layout.buffer)
        return count
      }
    }
  }
}

extension JSONPrinter {
  /// Prints a JSON text again as it is, apart from whitespace.
  public func reprint(_ text: some Sequence<UInt8>) throws(JSONSyntaxError) -> [UInt8] {
    try withBytes(text) { bytes throws(JSONSyntaxError) in
      try JSONParser().validate(bytes)
      var layout = JSONLayout(isPretty: isPretty, sink: WholeSink())
      layout.copy(bytes)
      return Array(layout.buffer.bytes)
    }
  }
}

extension JSONPrinter {
  /// Prints a JSON text as it is, apart from whitespace, piece by piece with its role: for a screen.
  ///
  /// - Parameter text: may end anywhere. It is printed as far as it is JSON, without anything that its end cuts in two.
  /// - Returns: whether all of it is one JSON text.
  public func reprint(asFarAsItGoes text: some Sequence<UInt8>, to sink: (String, Role) -> Void) -> Bool {
    withoutActuallyEscaping(sink) { sink in
      Array(text).withUnsafeBufferPointer { bytes in
        var layout = JSONLayout(isPretty: isPretty, sink: RoleSink(write: sink))
        return layout.copy(bytes)
      }
    }
  }
}

extension JSONLayout where Sink.Failure == Never {
  /// Prints a text as far as it is JSON.
  ///
  /// - Returns: whether all of it is.
  @discardableResult
  mutating func copy(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = JSONScanner(text)
    var copier = JSONCopier(text: text, outerLevel: level, layout: JSONLayout(isPretty: isPretty, sink: sink))
    swap(&self, &copier.layout)
    defer { swap(&self, &copier.layout) }
    do {
      try scanner.read(into: &copier, depthLimit: .max)
      return true
    } catch {
      return false
    }
  }
}

/// Puts what is read into a layout, byte for byte.
private struct JSONCopier<Sink: JSONSink>: JSONReceiver, ~Copyable where Sink.Failure == Never {
  let text: UnsafeBufferPointer<UInt8>
  /// How many containers are open around the text.
  let outerLevel: Int
  var layout: JSONLayout<Sink>

  mutating func beginObject() { layout.begin("{") }
  mutating func endObject() { layout.end("}") }
  mutating func beginArray() { layout.begin("[") }
  mutating func endArray() { layout.end("]") }
  mutating func key(_ token: JSONScanner.StringToken) {
    layout.key { [text] in $0.append(contentsOf: text.quoted(token)) }
  }

  mutating func string(_ token: JSONScanner.StringToken) {
    layout.scalar(.string) { [text] in $0.append(contentsOf: text.quoted(token)) }
  }

  mutating func number(_ range: Range<Int>) {
    // If a container is open, the text was cut off, perhaps within this number.
    if layout.level > outerLevel, range.upperBound == text.count { return }
    layout.scalar(.number) { [text] in $0.append(contentsOf: UnsafeBufferPointer(rebasing: text[range])) }
  }

  mutating func bool(_ value: Bool) {
    layout.scalar(.literal) { $0.append(value ? "true" : "false") }
  }
  mutating func null() { layout.scalar(.literal) { $0.append("null") } }
}

extension UnsafeBufferPointer<UInt8> {
  /// The string with its quotes.
  fileprivate func quoted(_ token: JSONScanner.StringToken) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: self[(token.range.lowerBound - 1)..<(token.range.upperBound + 1)])
  }
}
