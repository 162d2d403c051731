internal import JSONValue

/// Reads the lines of a report from JSON lines, one at a time.
package struct ReportReader {
  package enum Failure: Error, Hashable {
    /// The line of this number, from 1, is not a line of a report.
    case notALine(Int)
    /// It is of a later version than this program knows.
    case laterVersion(Int)
    /// It has no lines.
    case empty
  }

  private var lines: LineReader
  private var number = 0
  /// Whether the last line of a report was read.
  package private(set) var isComplete = false

  package init(_ lines: LineReader) {
    self.lines = lines
  }

  /// The next line; nil at the end. What is cut off in the middle of a line is the end, too: the writer was killed.
  package mutating func next() throws -> ReportLine? {
    while let bytes = try lines.next() {
      number += 1
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
      guard let json = try? JSON(parsing: bytes), let line = ReportLine(json) else {
        if number > 1, lines.isAtEnd { return nil }
        throw Failure.notALine(number)
      }
      if line.kind == .suite, let version = line["version"]?.int, version > ReportLine.version {
        throw Failure.laterVersion(version)
      }
      if line.kind == .suiteEnd { isComplete = true }
      return line
    }
    if number == 0 { throw Failure.empty }
    return nil
  }
}

extension ReportReader.Failure: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notALine(let number): "line \(number) is not a line of a report"
    case .laterVersion(let version):
      "it is a report of version \(version), but this program knows version \(ReportLine.version)"
    case .empty: "it is empty"
    }
  }
}

/// The lines of a file that may be long.
package struct LineReader {
  private var buffer: ArraySlice<UInt8> = []
  private let read: () throws -> ArraySlice<UInt8>
  private var isOver = false

  /// - Parameter read: returns the next piece; an empty one at the end.
  package init(_ read: @escaping () throws -> ArraySlice<UInt8>) {
    self.read = read
  }

  package var isAtEnd: Bool { isOver && buffer.isEmpty }

  package mutating func next() throws -> [UInt8]? {
    var searched = buffer.startIndex
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { buffer = buffer[(end + 1)...] }
        return Array(buffer[..<end])
      }
      if isOver {
        if buffer.isEmpty { return nil }
        defer { buffer = [] }
        return Array(buffer)
      }
      let piece = try read()
      if piece.isEmpty {
        isOver = true
      } else {
        let kept = Array(buffer)
        searched = kept.count
        buffer = (kept + piece)[...]
      }
    }
  }
}
