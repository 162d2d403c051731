import Diagnostics

extension SyntaxPrinter {
  mutating func write(_ expression: ExpressionSyntax) {
    switch expression {
    case .reference(let node): write(node)
    case .member(let name): output += name.text
    case .call(let node):
      output += node.name.text
      write(node.arguments)
    case .path(let node):
      write(node.base)
      write(node.segments)
    case .parenthesized(let node):
      output += "("
      write(node.inner)
      output += ")"
    case .number(let node): output += node.text + (node.unit?.rawValue ?? "")
    case .string(let node): write(node)
    case .word(let node): write(node)
    case .object(let node): write(node)
    case .array(let node): write(node)
    case .literal(let node): output += node.kind.rawValue
    case .unary(let node):
      output += node.operator == .not ? "not " : "-"
      write(node.operand)
    case .binary(let node):
      write(node.left)
      output += " \(node.operator.rawValue) "
      write(node.right)
    case .pipe(let node):
      write(node.input)
      output += " | \(node.call.name.text)"
      if !node.call.arguments.isEmpty { write(node.call.arguments) }
    case .fallback(let node):
      write(node.value)
      output += " ?? "
      write(node.defaultValue)
    case .shapeTest(let node):
      write(node.value)
      output += " is "
      write(node.shape)
    case .quantified(let node):
      output += "\(node.isUniversal ? "every" : "some") $\(node.name.text) in "
      write(node.items)
      output += " satisfies "
      write(node.condition)
    case .conditional(let node):
      output += "if "
      write(node.condition)
      output += " then "
      write(node.value)
      output += " else "
      write(node.otherwise)
    }
  }

  mutating func write(_ word: WordSyntax) {
    for piece in word.pieces {
      switch piece {
      case .text(let text): output += text
      case .interpolation(let expression, let keepsReserved):
        var printer = SyntaxPrinter(isInline: true)
        printer.write(expression)
        output += (keepsReserved ? "{+" : "{") + printer.output + "}"
      }
    }
  }

  // MARK: Objects and arrays

  mutating func write(_ object: ObjectSyntax) {
    let members = object.members.map { member -> Element in
      switch member {
      case .field(let key, let value, let typed):
        Element(start: key.range.lowerBound) { printer in
          printer.write(key)
          printer.output += ": "
          printer.write(value)
          printer.write(typed)
        }
      case .spread(let value):
        Element(start: value.range.lowerBound - 3) { printer in
          printer.output += "..."
          printer.write(value)
        }
      }
    }
    write(members, "{", "}", padding: " ", object.range)
  }

  private mutating func write(_ array: ArraySyntax) {
    let elements = array.elements.map { element -> Element in
      switch element {
      case .value(let value): Element(start: value.range.lowerBound) { printer in printer.write(value) }
      case .spread(let value):
        Element(start: value.range.lowerBound - 3) { printer in
          printer.output += "..."
          printer.write(value)
        }
      }
    }
    write(elements, "[", "]", padding: "", array.range)
  }

  private struct Element {
    var start: Int
    var write: (inout SyntaxPrinter) -> Void
  }

  /// On one line if it fits and has no comments, otherwise one element per line.
  private mutating func write(
    _ elements: [Element], _ open: String, _ close: String, padding: String, _ range: SourceRange
  ) {
    let hasComments = hasComments(in: range)
    if elements.isEmpty, !hasComments {
      output += open + close
      return
    }
    if !hasComments {
      var line = SyntaxPrinter(isInline: true)
      line.indentation = indentation
      line.output = open + padding
      for (index, element) in elements.enumerated() {
        if index > 0 { line.output += ", " }
        element.write(&line)
      }
      line.output += padding + close
      let isLine = !line.output.utf8.contains(UInt8(ascii: "\n"))
      if isInline || (isLine && column + line.output.count <= SyntaxPrinter.width) {
        output += line.output
        return
      }
    }
    output += open
    indented { printer in
      for (index, element) in elements.enumerated() {
        printer.startLine(at: element.start)
        element.write(&printer)
        if index < elements.count - 1 { printer.output += "," }
      }
      printer.writeComments(before: range.upperBound - 1)
    }
    newLine()
    output += close
  }

  mutating func write(_ key: KeySyntax) {
    switch key {
    case .name(let name): output += name.text
    case .string(let string): write(string)
    }
  }

  // MARK: References

  mutating func write(_ reference: ReferenceSyntax) {
    output += "$\(reference.root.text)"
    write(reference.segments)
  }

  mutating func write(_ segments: [SegmentSyntax]) {
    for segment in segments {
      switch segment.kind {
      case .name(let name): output += ".\(name)"
      case .wildcard: output += ".*"
      case .descendantName(let name): output += "..\(name)"
      case .descendantWildcard: output += "..*"
      case .bracket(let selectors, let isDescendant):
        output += isDescendant ? "..[" : "["
        for (index, selector) in selectors.enumerated() {
          if index > 0 { output += ", " }
          write(selector)
        }
        output += "]"
      }
    }
  }

  private mutating func write(_ selector: SelectorSyntax) {
    switch selector.kind {
    case .wildcard: output += "*"
    case .index(let index): output += "\(index)"
    case .slice(let start, let end, let step):
      output += "\(start.map(String.init) ?? ""):\(end.map(String.init) ?? "")"
      if let step { output += ":\(step)" }
    case .name(let name): output += "\"\(StringEscaper.escape(name))\""
    case .filter(let text): output += "?\(text)"
    case .reference(let reference): write(reference)
    }
  }

  // MARK: Shapes

  mutating func write(_ shape: ShapeSyntax) {
    switch shape.kind {
    case .named(let name): output += name.rawValue
    case .boolean(let value): output += value ? "true" : "false"
    case .string(let string): write(string)
    case .number(let text): output += text
    case .snapshot: output += ShapeSyntax.snapshotWord
    case .array(let element):
      output += "["
      if let element { write(element) }
      output += "]"
    case .either(let choices):
      for (index, choice) in choices.enumerated() {
        if index > 0 { output += " | " }
        write(choice)
      }
    case .object(let members, let isOpen):
      var isFirst = true
      output += "{"
      for member in members {
        output += isFirst ? " " : ", "
        isFirst = false
        write(member.key)
        output += member.isOptional ? "?: " : ": "
        write(member.shape)
      }
      if isOpen { output += isFirst ? " ..." : ", ..." }
      output += isFirst && !isOpen ? "}" : " }"
    }
  }
}
