internal import JSONValue
internal import RequestProgram
internal import Requests

/// Reads rows one after another: comma-separated values whose first line names the columns, or a JSON object per line.
package struct RowReader {
  package enum Format: Hashable, Sendable {
    case separated
    case objects
  }

  /// A column with why a row failed: rows that are written with it can be read again.
  package static let reasonColumn = "workbench-error"

  /// As it is shown.
  package let name: String
  private let input: RowInput
  package private(set) var format = Format.separated
  /// The names of the columns; empty for objects.
  package private(set) var columns: [String] = []
  /// The line with the names of the columns, without its end; empty for objects.
  package private(set) var heading: [UInt8] = []

  private var buffer: [UInt8] = []
  private var start = 0
  /// Of the beginning of the buffer.
  private var offset = 0
  private var line = 1
  private var number = 0
  private var isWhole = false
  /// Whether the rest of a line is passed over.
  private var isSkipping = false

  /// Reads the names of the columns.
  ///
  /// - Parameter path: one that ends with `.jsonl` or `.ndjson` has objects, with `.csv` comma-separated values; any
  ///   other has objects if it begins with `{`.
  package init(_ path: String, _ input: RowInput) async throws {
    name = path == "-" ? "<stdin>" : path
    self.input = input
    while buffer.count < 4, !isWhole { try await fill() }
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    format = try await Self.format(of: path, first: firstByte())
    if format == .separated { try await readHeading() }
  }

  /// How many bytes have been read of rows that were returned.
  package var position: Int { offset + start }
  /// In bytes; nil: nobody knows before its end.
  package var size: Int? { input.size }
  /// Whether it can be read again from its beginning.
  package var isFile: Bool { input.isFile }

  private static func format(of path: String, first: UInt8?) -> Format {
    let name = path.lowercased()
    if name.hasSuffix(".csv") { return .separated }
    if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") { return .objects }
    return first == UInt8(ascii: "{") ? .objects : .separated
  }

  private mutating func firstByte() async throws -> UInt8? {
    while true {
      if let byte = buffer[start...].first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return byte }
      if isWhole || buffer.count > SeparatedRow.limit { return nil }
      try await fill()
    }
  }

  private mutating func readHeading() async throws {
    while true {
      switch SeparatedRow.parse(buffer[start...], isWhole: isWhole) {
      case .unfinished: try await fill()
      case .malformed(let fault, _, _): throw RowsProblem.header(path: name, fault)
      case .fields(let fields, let length, let next):
        let bytes = Array(buffer[start..<start + length])
        let isEnd = start == buffer.count && isWhole
        pass(next)
        if isEnd { throw RowsProblem.empty(path: name) }
        if length == 0 { continue }
        for (index, field) in fields.enumerated() where fields[..<index].contains(field) {
          throw RowsProblem.repeatedColumn(field, path: name)
        }
        columns = fields
        heading = bytes
        return
      }
    }
  }

  /// The next row; nil at the end. Empty lines are passed over.
  package mutating func next() async throws -> BulkRow? {
    while true {
      if isSkipping { try await skipLine() }
      if start == buffer.count {
        if isWhole { return nil }
        try await fill()
        continue
      }
      let parsed =
        switch format {
        case .separated: SeparatedRow.parse(buffer[start...], isWhole: isWhole)
        case .objects: Self.line(buffer[start...], isWhole: isWhole)
        }
      switch parsed {
      case .unfinished: try await fill()
      case .malformed(let fault, let length, let next):
        return row(Array(buffer[start..<start + length]), next, .malformed(fault))
      case .fields(let fields, let length, let next):
        if length == 0 {
          pass(next)
          continue
        }
        let bytes = Array(buffer[start..<start + length])
        return row(bytes, next, content(fields, bytes))
      }
    }
  }

  private mutating func row(_ bytes: [UInt8], _ next: Int, _ content: BulkRow.Content) -> BulkRow {
    number += 1
    let row = BulkRow(number: number, line: line, offset: offset + start, bytes: bytes, content: content)
    isSkipping = !isWhole && next > 0 && buffer[start + next - 1] != 0x0A
    pass(next)
    return row
  }

  private func content(_ fields: [String], _ bytes: [UInt8]) -> BulkRow.Content {
    guard format == .separated else { return Self.object(bytes) }
    guard fields.count == columns.count else {
      return .malformed(.fields(count: fields.count, columns: columns.count))
    }
    var values: [String: Setting] = [:]
    values.reserveCapacity(fields.count)
    for (column, field) in zip(columns, fields) where column != Self.reasonColumn { values[column] = .text(field) }
    return .values(values)
  }

  /// One line as a field, which is not looked at yet.
  private static func line(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> SeparatedRow {
    guard let feed = bytes.firstIndex(of: 0x0A) else {
      if bytes.count > SeparatedRow.limit {
        return .malformed(.tooLong(limit: SeparatedRow.limit), length: SeparatedRow.limit, next: bytes.count)
      }
      return isWhole ? .fields([], length: bytes.count, next: bytes.count) : .unfinished
    }
    let end = feed > bytes.startIndex && bytes[feed - 1] == 0x0D ? feed - 1 : feed
    let isEmpty = bytes[..<end].allSatisfy { $0 == 0x20 || $0 == 0x09 }
    return .fields(
      [], length: isEmpty ? 0 : end - bytes.startIndex, next: feed + 1 - bytes.startIndex)
  }

  private static func object(_ bytes: [UInt8]) -> BulkRow.Content {
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      return .malformed(.notJSON("\(error)"))
    }
    guard let object = json.object else { return .malformed(.notAnObject) }
    if let repeated = object.repeatedKeys.first { return .malformed(.repeatedName(repeated)) }
    var values: [String: Setting] = [:]
    for member in object.members where member.key != reasonColumn {
      values[member.key] = .read(member.value)
    }
    return .values(values)
  }

  // MARK: Bytes

  private mutating func pass(_ count: Int) {
    for byte in buffer[start..<start + count] where byte == 0x0A { line += 1 }
    start += count
  }

  private mutating func skipLine() async throws {
    while true {
      if let feed = buffer[start...].firstIndex(of: 0x0A) {
        pass(feed + 1 - start)
        break
      }
      start = buffer.count
      if isWhole { break }
      try await fill()
    }
    isSkipping = false
  }

  /// A pipe is not waited for on a thread that others need.
  private mutating func fill() async throws {
    if start > 0 {
      buffer.removeFirst(start)
      offset += start
      start = 0
    }
    while true {
      switch try input.read() {
      case .bytes(let bytes):
        buffer += bytes
        return
      case .nothingYet: try await Task.sleep(for: .milliseconds(5))
      case .end:
        isWhole = true
        return
      }
    }
  }
}
