internal import JSONValue

extension SyntaxPrinter {
  mutating func write(_ string: StringSyntax) {
    switch string.style {
    case .raw: output += "'\(string.plainText ?? "")'"
    case .quoted:
      output += "\""
      for piece in string.pieces {
        switch piece {
        case .text(let text): output += StringEscaper.escape(text)
        case .interpolation(let expression): write(interpolation: expression)
        }
      }
      output += "\""
    case .block: writeBlock(string)
    }
  }

  /// The lines of the text, indented one level deeper than the line that the string is on.
  private mutating func writeBlock(_ string: StringSyntax) {
    let margin = String(repeating: " ", count: indentation + 2)
    output += "\"\"\""
    var isAtLineStart = true
    var isEmpty = true
    func startLine(_ printer: inout SyntaxPrinter) {
      printer.output += "\n"
      isAtLineStart = true
      isEmpty = false
    }
    for piece in string.pieces {
      if isEmpty { startLine(&self) }
      switch piece {
      case .text(let text):
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
          if index > 0 { startLine(&self) }
          if line.isEmpty { continue }
          output += isAtLineStart ? margin : ""
          isAtLineStart = false
          output += StringEscaper.escape(line, isBlock: true)
        }
      case .interpolation(let expression):
        output += isAtLineStart ? margin : ""
        isAtLineStart = false
        write(interpolation: expression)
      }
    }
    output += "\n\(margin)\"\"\""
  }

  private mutating func write(interpolation expression: ExpressionSyntax) {
    var printer = SyntaxPrinter(isInline: true)
    printer.write(expression)
    output += "{\(printer.output)}"
  }
}

/// Text as it is written between double quotes.
enum StringEscaper {
  /// - Parameter isBlock: between `"""`, where a single quote mark needs no escape.
  static func escape(_ text: some StringProtocol, isBlock: Bool = false) -> String {
    var escaped = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch scalar {
      case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
      case "\"" where !isBlock || next == "\"": escaped.append(contentsOf: "\\\"".unicodeScalars)
      case "{" where next == "$": escaped.append(contentsOf: "\\{".unicodeScalars)
      case "\n": escaped.append(contentsOf: "\\n".unicodeScalars)
      case "\r": escaped.append(contentsOf: "\\r".unicodeScalars)
      case "\t" where !isBlock: escaped.append(contentsOf: "\\t".unicodeScalars)
      case "\u{0}"..."\u{1F}" where scalar != "\t", "\u{7F}":
        escaped.append(contentsOf: "\\u\(scalar.value.hex(4))".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
