import Diagnostics

/// The statements of one part of a large text.
struct ScriptStretch: Sendable {
  var script: ScriptSyntax
  /// Where they begin and end: the next part begins where this one ended.
  var range: Range<Int>
}

extension Parser {
  /// Parses the statements of the top level from a place where one begins to one at or after which the next begins.
  ///
  /// - Returns: nil if anything is wrong with them, as only the parse of the whole text can tell.
  static func parse(_ source: SourceText, from start: Int, to end: Int) -> ScriptStretch? {
    var parser = Parser(source)
    parser.lexer.begin(at: start)
    parser.end = end
    let statements = parser.statements()
    let range = start..<parser.lexer.position
    guard parser.errors.isEmpty, !parser.isIncomplete, parser.lexer.depth == 0, parser.strayBraces == 0,
      source.bytes[range].withUnsafeBufferPointer({ UTF8Validation.firstInvalid($0, from: 0) }) == nil
    else { return nil }
    let script = ScriptSyntax(statements: statements, comments: parser.lexer.comments)
    return ScriptStretch(script: script, range: range)
  }

  /// Where a text can be divided: at lines that look like the first line of a request and are about that far apart. The
  /// first place is its beginning, the last one its end.
  static func borders(of source: SourceText, apart distance: Int) -> [Int] {
    var borders = [0]
    var lexer = Lexer(source)
    var place = distance
    while place < source.bytes.count {
      let line = source.lineIndex(at: place) + 1
      guard line < source.lineCount else { break }
      place = source.lineRange(line).lowerBound
      lexer.begin(at: place)
      if lexer.isAtRequest {
        borders.append(place)
        place += distance
      }
    }
    return borders + [source.bytes.count]
  }
}

extension Lexer {
  /// Whether a method is here, perhaps after a label, and something after it on its line.
  fileprivate var isAtRequest: Bool {
    var offset = 0
    let label = nameLength()
    if label > 0, peek(label) == UInt8(ascii: ":") {
      offset = label + 1
      while peek(offset) == UInt8(ascii: " ") { offset += 1 }
    }
    let method = nameLength(at: offset)
    return method > 0 && peek(offset + method) == UInt8(ascii: " ") && Keywords.isMethod(text(method, at: offset))
  }
}
