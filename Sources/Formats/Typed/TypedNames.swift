internal import Diagnostics
package import RequestSyntax

/// What is typed as a text, and meant as a value.
package struct TypedNames {
  /// What `let` and `secret` declared, and the variables of the environment as `env.NAME`.
  private let values: Set<String>
  /// Labels and numbers of responses, and `_`.
  private let responses: Set<String>

  /// - Parameters:
  ///   - names: what `let` and `secret` declared.
  ///   - variables: those of the environment.
  ///   - responses: labels and numbers of responses, and `_`.
  package init(_ names: [String] = [], variables: some Sequence<String>, responses: Set<String> = []) {
    values = Set(names + variables.map { "env.\($0)" })
    self.responses = responses
  }

  /// The requests with the values of names in double quotes, `Authorization:"Bearer $token"`, as a shell and a pasted line for
  /// curl have them. What is in single quotes is a text, and so is what names nothing; after `:=` it is JSON, `tags:='["a"]'`.
  /// What a path or a query has of a response, `/orders/$1.body.id`, is that.
  package func interpolating(_ script: ScriptSyntax) -> ScriptSyntax {
    var script = script.withJSONOfQuotes
    for index in script.statements.indices {
      guard case .step(var step) = script.statements[index] else { continue }
      var isChanged = false
      if case .word(var word) = step.target {
        let pieces = word.pieces.flatMap(ofTarget)
        isChanged = pieces != word.pieces
        word.pieces = pieces
        if isChanged { step.target = .word(word) }
      }
      step.rewriteEach { expression in
        guard case .string(var node) = expression, node.style == .quoted else { return }
        // There, `$id` is a variable of the query.
        if case .text(let text)? = node.pieces.first, text.prefixMatch(of: Self.graphql) != nil { return }
        let pieces = node.pieces.flatMap(interpolating)
        guard pieces != node.pieces else { return }
        node.pieces = pieces
        expression = .string(node)
        isChanged = true
      }
      if isChanged { script.statements[index] = .step(step) }
    }
    return script
  }

  /// How a document of GraphQL begins.
  private static var graphql: Regex<Substring> { /\s*(?:\{|(?:query|mutation|subscription|fragment)\b[^=&]*[({])/ }

  private func interpolating(_ piece: StringSyntax.Piece) -> [StringSyntax.Piece] {
    guard case .text(let text) = piece else { return [piece] }
    return pieces(of: text)
  }

  private func ofTarget(_ piece: WordSyntax.Piece) -> [WordSyntax.Piece] {
    guard case .text(let text) = piece else { return [piece] }
    return pieces(of: text, isInTarget: true).map { piece in
      switch piece {
      case .text(let text): .text(text)
      case .interpolation(let value): .interpolation(value, keepsReserved: false)
      }
    }
  }

  /// - Parameter isInTarget: whether it is of a URL, where `$` may begin a name of its own: only responses are meant.
  private func pieces(of text: String, isInTarget: Bool = false) -> [StringSyntax.Piece] {
    guard text.contains("$") else { return [.text(text)] }
    var pieces: [StringSyntax.Piece] = []
    var rest = text[...]
    var before = ""
    while let dollar = rest.firstIndex(of: "$") {
      before += rest[..<dollar]
      rest = rest[dollar...]
      let isPlace = !isInTarget || ["/", "="].contains(before.last)
      guard isPlace, let (length, value) = value(in: rest, isOfResponse: isInTarget) else {
        before.append(rest.removeFirst())
        continue
      }
      if !before.isEmpty { pieces.append(.text(before)) }
      before = ""
      pieces.append(.interpolation(value))
      rest = rest.dropFirst(length)
    }
    before += rest
    return before.isEmpty ? pieces : pieces + [.text(before)]
  }

  /// The value that a text begins with, and how many characters name it; nil: it is a text.
  ///
  /// - Parameter isOfResponse: whether only what a response has is meant.
  private func value(in text: Substring, isOfResponse: Bool) -> (length: Int, value: ExpressionSyntax)? {
    guard let found = ReferenceText.beginning(text.dropFirst()) else { return nil }
    let name = String(found.name)
    let member = found.whole.dropFirst(name.count + 1).prefix { $0 != "." && $0 != "[" }
    var meant = found.whole
    if responses.contains(name) {
      guard Keywords.isMember(String(member)) else { return nil }
    } else if isOfResponse {
      return nil
    } else if name == "env" {
      meant = meant.prefix(name.count + 1 + member.count)
      guard values.contains("env.\(member)") else { return nil }
    } else {
      // A dot after a name may be that of a file.
      meant = found.name
      guard values.contains(name) else { return nil }
    }
    let length = meant.count + 1
    return Parser.parseExpression(SourceText(name: "", text: String(text.prefix(length)))).0.map { (length, $0) }
  }
}
