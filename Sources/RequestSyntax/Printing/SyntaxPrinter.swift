import Diagnostics

/// Prints a tree in the one canonical style: two spaces per level, one clause per line, comments where they were.
/// Parsing what is printed gives the same tree, and printing that gives the same text.
public struct SyntaxPrinter {
  /// The most columns that an object or array may take on one line.
  static let width = 100

  var output = ""
  var indentation = 0
  private var comments: ArraySlice<CommentSyntax>
  /// Whether the current line ends with a comment, so that nothing may follow on it.
  private var lineHasComment = false
  /// Whether everything stays on the current line, as inside a string.
  let isInline: Bool

  init(isInline: Bool = false, comments: [CommentSyntax] = []) {
    self.isInline = isInline
    self.comments = comments[...]
  }

  /// The canonical text of a script for keeping in a file: request items are written as the clauses they stand for.
  public static func format(_ script: ScriptSyntax) -> String {
    print(script.canonical)
  }

  /// The text of a script in the canonical layout; it ends with a line end, unless it is empty.
  public static func print(_ script: ScriptSyntax) -> String {
    print([script])
  }

  /// One text made of pieces from several texts, each with its own comments.
  public static func print(_ pieces: [ScriptSyntax]) -> String {
    var printer = SyntaxPrinter()
    var previous: StatementSyntax?
    for (index, piece) in pieces.enumerated() {
      printer.comments = piece.comments[...]
      printer.write(piece.statements, after: &previous)
      printer.writeComments(before: .max, isLast: index == pieces.count - 1)
    }
    if !printer.output.isEmpty { printer.output += "\n" }
    return printer.output
  }

  /// The canonical text of a statement without its comments and without a final line end.
  public static func print(_ statement: StatementSyntax) -> String {
    var printer = SyntaxPrinter()
    printer.write(statement)
    return printer.output
  }

  /// The canonical text of a clause.
  public static func print(_ clause: ClauseSyntax) -> String {
    var printer = SyntaxPrinter()
    printer.write(clause)
    return printer.output
  }

  /// The canonical text of an expression.
  public static func print(_ expression: ExpressionSyntax) -> String {
    var printer = SyntaxPrinter()
    printer.write(expression)
    return printer.output
  }

  /// The text of a path: `.name["odd name"][0]`.
  public static func print(_ segments: [SegmentSyntax]) -> String {
    var printer = SyntaxPrinter(isInline: true)
    printer.write(segments)
    return printer.output
  }

  // MARK: Lines

  /// Starts the line of the node at `offset`: comments before it come first.
  mutating func startLine(at offset: Int, afterBlank: Bool = false) {
    writeTrailingComments(before: offset)
    if afterBlank, !output.isEmpty { output += "\n" }
    writeComments(before: offset)
    newLine()
  }

  mutating func newLine() {
    if !output.isEmpty { output += "\n" }
    output += String(repeating: " ", count: indentation)
    lineHasComment = false
  }

  /// Comments after the node that was printed last stay on its line.
  private mutating func writeTrailingComments(before offset: Int) {
    guard let comment = comments.first, !comment.standsAlone, comment.range.lowerBound < offset, !output.isEmpty,
      !lineHasComment
    else { return }
    output += "  \(comment.text)"
    lineHasComment = true
    comments.removeFirst()
  }

  /// Other comments get lines of their own.
  ///
  /// - Parameter isLast: whether nothing follows, so that no empty line is needed.
  mutating func writeComments(before offset: Int, isLast: Bool = true) {
    writeTrailingComments(before: offset)
    while let comment = comments.first, comment.range.lowerBound < offset {
      comments.removeFirst()
      newLine()
      output += comment.text
      lineHasComment = true
      if comment.endsParagraph, comment.standsAlone, !comments.isEmpty || offset != .max || !isLast { output += "\n" }
    }
  }

  func hasComments(in range: SourceRange) -> Bool {
    guard let first = comments.first else { return false }
    return first.range.lowerBound < range.upperBound
  }

  /// Runs `body` one level deeper.
  mutating func indented(_ body: (inout SyntaxPrinter) -> Void) {
    indentation += 2
    body(&self)
    indentation -= 2
  }

  /// The columns of the current line.
  var column: Int {
    output.utf8.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
  }

  // MARK: Statements

  mutating func write(_ statements: [StatementSyntax]) {
    var previous: StatementSyntax?
    write(statements, after: &previous)
  }

  private mutating func write(_ statements: [StatementSyntax], after previous: inout StatementSyntax?) {
    for statement in statements {
      let afterBlank = previous.map { $0.takesLines || statement.takesLines } ?? false
      startLine(at: statement.range.lowerBound, afterBlank: afterBlank)
      write(statement)
      previous = statement
    }
  }

  private mutating func write(_ statement: StatementSyntax) {
    switch statement {
    case .step(let node): write(node)
    case .run(let node):
      writeLabel(node.label)
      output += "run \(node.name.text)"
      write(node.arguments)
      write(node.clauses)
    case .binding(let node):
      output += "let \(node.name.text) = "
      write(node.value)
    case .secret(let node):
      output += "secret \(node.name.text) = "
      write(node.value)
      output += " for " + node.profiles.map(\.text).joined(separator: ", ")
    case .sequence(let node):
      output += "sequence \(node.name.text)("
      for (index, parameter) in node.parameters.enumerated() {
        if index > 0 { output += ", " }
        output += parameter.name.text
        if let type = parameter.type { output += ": \(type.text)" }
        if let value = parameter.defaultValue {
          output += " = "
          write(value)
        }
      }
      output += ") "
      write(node.body)
    case .loop(let node):
      output += "for $\(node.name.text) in "
      write(node.items)
      if let limit = node.limit { output += " parallel \(limit)" }
      output += " "
      write(node.body)
    case .parallel(let node):
      output += "parallel "
      write(node)
    case .finally(let node):
      output += "finally "
      write(node)
    case .use(let node):
      output += "use "
      write(node.path)
    case .tags(let node): output += "tags \(node.names.map(\.text).joined(separator: ", "))"
    case .profile(let node):
      output += "profile \(node.name.text) {"
      indented { printer in
        for setting in node.settings {
          printer.startLine(at: setting.range.lowerBound)
          printer.write(setting)
        }
        printer.writeComments(before: node.range.upperBound - 1)
      }
      newLine()
      output += "}"
    }
  }

  private mutating func write(_ block: BlockSyntax) {
    output += "{"
    indented { printer in
      printer.write(block.statements)
      printer.writeComments(before: block.range.upperBound - 1)
    }
    newLine()
    output += "}"
  }

  mutating func writeLabel(_ label: NameSyntax?) {
    if let label { output += "\(label.text): " }
  }

  mutating func write(_ arguments: [ArgumentSyntax]) {
    output += "("
    for (index, argument) in arguments.enumerated() {
      if index > 0 { output += ", " }
      if let name = argument.name { output += "\(name.text): " }
      write(argument.value)
    }
    output += ")"
  }
}

extension StatementSyntax {
  /// Whether it is printed with empty lines around it.
  fileprivate var takesLines: Bool {
    switch self {
    case .step(let node): !node.clauses.isEmpty
    case .run(let node): !node.clauses.isEmpty
    case .binding, .secret, .use, .tags: false
    case .sequence, .loop, .parallel, .finally, .profile: true
    }
  }
}
