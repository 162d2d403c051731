/// The lines of a history file, found from its end as far as they are needed.
///
/// Lines that are not entries (incomplete, or not UTF-8) are skipped.
struct HistoryTail: Sendable {
  private let bytes: [UInt8]
  /// Where the lines found so far are, newest first.
  private var lines: [Range<Int>] = []
  /// The end of the part that has not been searched yet.
  private var unread: Int

  init(bytes: [UInt8]) {
    self.bytes = bytes
    unread = bytes.count
  }

  enum Candidate {
    case entry(String)
    case mismatch
    case beyondOldest
  }

  mutating func entry(age: Int) -> String? {
    guard let line = line(age: age) else { return nil }
    return HistoryFile.decoded(bytes[line])
  }

  /// The entry, if its bytes may match; decoding every line would cost too much.
  ///
  /// - Parameter text: the pattern's text as it is written in the file.
  mutating func candidate(age: Int, for pattern: History.Pattern, encodedAs text: [UInt8]) -> Candidate {
    guard let line = line(age: age) else { return .beyondOldest }
    let mayMatch = bytes.withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { Self.mayMatch(UnsafeBufferPointer(rebasing: bytes[line]), $0, pattern) }
    }
    guard mayMatch, let entry = HistoryFile.decoded(bytes[line]) else { return .mismatch }
    return .entry(entry)
  }

  private static func mayMatch(
    _ line: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, _ pattern: History.Pattern
  ) -> Bool {
    guard line.count >= text.count, let first = text.first else { return text.isEmpty }
    switch pattern {
    case .prefix:
      return line.starts(with: text)
    case .substring:
      var start = 0
      while start <= line.count - text.count {
        if line[start] == first, line[start...].starts(with: text) { return true }
        start += 1
      }
      return false
    }
  }

  private mutating func line(age: Int) -> Range<Int>? {
    while lines.count <= age {
      guard unread > 0 else { return nil }
      findLine()
    }
    return lines[age]
  }

  /// Finds the line before those found so far.
  private mutating func findLine() {
    // What follows the last line feed is an entry that is being written, or is incomplete.
    guard bytes[unread - 1] == 0x0A else {
      unread -= 1
      return
    }
    let end = unread - 1
    let (start, isPlain) = bytes.withUnsafeBufferPointer { bytes in
      var start = end
      var isPlain = true
      while start > 0, bytes[start - 1] != 0x0A {
        start -= 1
        isPlain = isPlain && bytes[start] < 0x80 && bytes[start] != 0x5C
      }
      return (start, isPlain && start < end)
    }
    unread = start
    let isCutOff = start == 0 && bytes.count >= HistoryFile.readLimit
    if !isCutOff, isPlain || HistoryFile.decoded(bytes[start..<end]) != nil { lines.append(start..<end) }
  }
}
