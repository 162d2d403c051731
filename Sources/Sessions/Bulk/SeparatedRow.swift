/// One row of comma-separated values (RFC 4180), as the bytes at the beginning of a text say.
enum SeparatedRow: Hashable {
  /// - Parameters:
  ///   - length: of the row, without its line end.
  ///   - next: where the next row begins.
  case fields([String], length: Int, next: Int)
  /// It is one line, whatever its quotes say.
  case malformed(RowFault, length: Int, next: Int)
  /// Its end is not there yet.
  case unfinished

  /// The longest row, in bytes.
  static let limit = 1 << 20

  /// - Parameters:
  ///   - bytes: from the beginning of a row on.
  ///   - isWhole: whether nothing comes after them.
  static func parse(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> SeparatedRow {
    var scan = Scan(bytes: bytes, isWhole: isWhole)
    switch scan.row() {
    case .fields(let fields):
      return .fields(fields, length: scan.end - bytes.startIndex, next: scan.next - bytes.startIndex)
    case .needsMore:
      return bytes.count > limit ? line(bytes, .tooLong(limit: limit), isWhole: isWhole) : .unfinished
    case .fault(let fault): return line(bytes, fault, isWhole: isWhole)
    }
  }

  /// The first line only, so that one quote too many does not swallow the rest of the file.
  private static func line(_ bytes: ArraySlice<UInt8>, _ fault: RowFault, isWhole: Bool) -> SeparatedRow {
    guard let feed = bytes.firstIndex(of: 0x0A) else {
      // Whatever follows before the next line end is a part of it.
      if !isWhole { return bytes.count > limit ? .malformed(fault, length: limit, next: bytes.count) : .unfinished }
      return .malformed(fault, length: bytes.count, next: bytes.count)
    }
    let end = feed > bytes.startIndex && bytes[feed - 1] == 0x0D ? feed - 1 : feed
    return .malformed(fault, length: end - bytes.startIndex, next: feed + 1 - bytes.startIndex)
  }

  private enum Result {
    case fields([String])
    case needsMore
    case fault(RowFault)
  }

  private struct Scan {
    let bytes: ArraySlice<UInt8>
    let isWhole: Bool
    var index: Int
    var end: Int
    var next: Int

    init(bytes: ArraySlice<UInt8>, isWhole: Bool) {
      self.bytes = bytes
      self.isWhole = isWhole
      (index, end, next) = (bytes.startIndex, bytes.startIndex, bytes.startIndex)
    }

    mutating func row() -> Result {
      var fields: [String] = []
      while true {
        if index - bytes.startIndex > SeparatedRow.limit { return .fault(.tooLong(limit: SeparatedRow.limit)) }
        let text: [UInt8]?
        var range = index..<index
        if index < bytes.endIndex, bytes[index] == 0x22 {
          switch quoted() {
          case .text(let found): text = found
          case .needsMore: return isWhole ? .fault(.openQuote) : .needsMore
          case .fault(let fault): return .fault(fault)
          }
        } else {
          text = nil
          let start = index
          while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == 0x2C || byte == 0x0A || byte == 0x0D { break }
            if byte == 0x22 { return .fault(.quoteInField) }
            index += 1
          }
          range = start..<index
        }
        let field =
          text.map { String(validating: $0, as: UTF8.self) } ?? String(validating: bytes[range], as: UTF8.self)
        switch boundary() {
        case .comma:
          guard let field else { return .fault(.notUTF8) }
          fields.append(field)
        case .end:
          guard let field else { return .fault(.notUTF8) }
          fields.append(field)
          return .fields(fields)
        case .needsMore: return .needsMore
        case .other: return .fault(text == nil ? .loneReturn : .textAfterQuote)
        }
      }
    }

    private enum Quoted {
      case text([UInt8])
      case needsMore
      case fault(RowFault)
    }

    private mutating func quoted() -> Quoted {
      var text: [UInt8] = []
      index += 1
      while index < bytes.endIndex {
        let byte = bytes[index]
        index += 1
        guard byte == 0x22 else {
          text.append(byte)
          if text.count > SeparatedRow.limit { return .fault(.tooLong(limit: SeparatedRow.limit)) }
          continue
        }
        guard index < bytes.endIndex else { return isWhole ? .text(text) : .needsMore }
        guard bytes[index] == 0x22 else { return .text(text) }
        text.append(byte)
        index += 1
      }
      return .needsMore
    }

    private enum Boundary { case comma, end, needsMore, other }

    /// What comes after a field; it is passed over.
    private mutating func boundary() -> Boundary {
      end = index
      guard index < bytes.endIndex else {
        next = index
        return isWhole ? .end : .needsMore
      }
      switch bytes[index] {
      case 0x2C:
        index += 1
        return .comma
      case 0x0A:
        index += 1
        next = index
        return .end
      case 0x0D:
        guard index + 1 < bytes.endIndex else {
          if !isWhole { return .needsMore }
          index += 1
          next = index
          return .end
        }
        guard bytes[index + 1] == 0x0A else { return .other }
        index += 2
        next = index
        return .end
      default: return .other
      }
    }
  }
}

/// Why a row cannot be read.
package enum RowFault: Hashable, Sendable {
  case openQuote
  case quoteInField
  case textAfterQuote
  case loneReturn
  case notUTF8
  case tooLong(limit: Int)
  case fields(count: Int, columns: Int)
  case notJSON(String)
  case notAnObject
  case repeatedName(String)
  case unknownName(String)
  case missingName(String)

  /// One sentence.
  package var sentence: String {
    switch self {
    case .openQuote: "its quote is not closed"
    case .quoteInField: "a field that has a quote in it has to be in quotes, and the quote doubled"
    case .textAfterQuote: "after the closing quote of a field a comma or the end of the line is expected"
    case .loneReturn: "a carriage return is not followed by a line feed"
    case .notUTF8: "it is not valid UTF-8"
    case .tooLong(let limit): "it is longer than \(limit >> 10) KiB"
    case .fields(let count, let columns):
      "it has \(count) \(count == 1 ? "field" : "fields"), but there are \(columns) columns"
    case .notJSON(let reason): "it is not JSON: \(reason)"
    case .notAnObject: "it is not a JSON object"
    case .repeatedName(let name): "\"\(name)\" is in it twice"
    case .unknownName(let name): "nothing is called \"\(name)\" that could be set"
    case .missingName(let name): "\"\(name)\" is missing"
    }
  }
}
