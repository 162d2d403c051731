/// How a text is written, without the text: which of its characters are escapes, of which kind, and in turn how these
/// are written. `4p1u3p` is four bytes, a `\u003c` and three bytes.
package struct Spelling: Hashable, Sendable, CustomStringConvertible {
  /// One after another; the first is undone last.
  private var layers: [Layer]

  /// Runs of what is written in the same way.
  struct Layer: Hashable, Sendable {
    fileprivate var runs: [Run] = []

    fileprivate struct Run: Hashable, Sendable {
      var way: EscapeWay
      /// Of characters, or of bytes.
      var count: Int
    }

    /// Whether all of it is as it is.
    var isEmpty: Bool { runs.isEmpty }

    mutating func append(_ way: EscapeWay, count: Int) {
      guard count > 0 else { return }
      if let last = runs.last, last.way == way {
        runs[runs.count - 1].count += count
      } else {
        runs.append(Run(way: way, count: count))
      }
    }
  }

  init(_ layers: [Layer]) {
    self.layers = layers
  }

  /// What `description` says.
  package init?(_ description: some StringProtocol) {
    layers = []
    for text in description.split(separator: ".", omittingEmptySubsequences: false) {
      var layer = Layer()
      var count = 0
      for character in text {
        if let digit = character.wholeNumberValue, count < 1 << 32 {
          count = count * 10 + digit
        } else if let way = EscapeWay(rawValue: character), count > 0 {
          layer.append(way, count: count)
          count = 0
        } else {
          return nil
        }
      }
      guard count == 0 else { return nil }
      layers.append(layer)
    }
  }

  package var description: String {
    layers.map { layer in layer.runs.map { "\($0.count)\($0.way.rawValue)" }.joined() }.joined(separator: ".")
  }

  /// The text in this spelling. Another text than the one that had it is written as programs do that write such
  /// escapes.
  package func applied(to text: [UInt8]) -> [UInt8] {
    layers.reduce(text) { $1.exactly(applied: $0) ?? $1.usually(applied: $0) }
  }
}

extension Spelling.Layer {
  /// Nil: this is another text.
  fileprivate func exactly(applied text: [UInt8]) -> [UInt8]? {
    if runs.isEmpty { return text }
    var written: [UInt8] = []
    var rest = text[...]
    for run in runs {
      if run.way == .plain {
        guard run.count <= rest.count else { return nil }
        written += rest.prefix(run.count)
        rest = rest.dropFirst(run.count)
        continue
      }
      for _ in 0..<run.count {
        guard let count = run.way.write(rest, to: &written) else { return nil }
        rest = rest.dropFirst(count)
      }
    }
    return rest.isEmpty ? written : nil
  }

  fileprivate func usually(applied text: [UInt8]) -> [UInt8] {
    let way = runs.first { $0.way != .plain }?.way ?? .plain
    var written: [UInt8] = []
    var rest = text[...]
    while let byte = rest.first {
      if let count = way.usual(for: byte).write(rest, to: &written) {
        rest = rest.dropFirst(count)
      } else {
        written.append(byte)
        rest = rest.dropFirst()
      }
    }
    return written
  }
}
