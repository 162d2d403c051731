extension SyntaxPrinter {
  /// The text of a shape for a file: what does not fit on a line has a member in each.
  ///
  /// - Parameter indentation: the spaces before the line that it begins on.
  public static func print(_ shape: ShapeSyntax, indentation: Int = 0) -> String {
    var printer = SyntaxPrinter()
    printer.indentation = indentation
    printer.writeLines(shape)
    return printer.output
  }

  private mutating func writeLines(_ shape: ShapeSyntax) {
    var line = SyntaxPrinter(isInline: true)
    line.write(shape)
    let start = output.utf8.contains(UInt8(ascii: "\n")) ? 0 : indentation
    if start + column + line.output.count <= SyntaxPrinter.width {
      output += line.output
      return
    }
    switch shape.kind {
    case .named, .boolean, .string, .number, .snapshot, .array(nil): output += line.output
    case .array(let element?):
      output += "["
      writeLines(element)
      output += "]"
    case .either(let choices):
      for (index, choice) in choices.enumerated() {
        if index > 0 { output += " | " }
        writeLines(choice)
      }
    case .object(let members, let isOpen):
      output += "{"
      indented { printer in
        for (index, member) in members.enumerated() {
          printer.newLine()
          printer.write(member.key)
          printer.output += member.isOptional ? "?: " : ": "
          printer.writeLines(member.shape)
          if isOpen || index < members.count - 1 { printer.output += "," }
        }
        if isOpen {
          printer.newLine()
          printer.output += "..."
        }
      }
      newLine()
      output += "}"
    }
  }
}
