package import RequestSyntax
internal import Requests

/// Puts names in the place of everything in a statement that the history would hide: one reader, so that a saved script
/// contains no more than the history.
package struct LiteralSecrets {
  /// What the values are called in the statement, by the values.
  private let names: [String: String]

  /// - Parameter known: what is secret wherever it is, with what it is called.
  package init(_ statement: StatementSyntax, and known: [String: String] = [:]) {
    names = TypedStatement(SyntaxPrinter.print(ScriptSyntax([statement]))).names.merging(known) { own, _ in own }
  }

  /// Changes one expression, but not its parts.
  ///
  /// - Parameter name: what takes the place of a value, for its text and what it is called.
  package func rewrite(_ expression: inout ExpressionSyntax, _ name: (String, String) -> ExpressionSyntax) {
    switch expression {
    case .string(let node):
      if let pieces = pieces(node.pieces, name) { expression = ExpressionSyntax(pieces) }
    case .word(let node):
      if let pieces = pieces(node.pieces.map(StringSyntax.Piece.init), name) { expression = ExpressionSyntax(pieces) }
    case .number(let node):
      guard node.unit == nil, node.text.utf8.count >= Secret.fewestBytes, let hint = names[node.text] else { return }
      expression = name(node.text, hint).piped(to: "to-number")
    case .reference, .member, .call, .path, .parenthesized, .literal, .object, .array, .unary, .binary, .pipe,
      .fallback, .shapeTest, .conditional, .quantified:
      break
    }
  }

  package func rewrite(_ string: inout StringSyntax, _ name: (String, String) -> ExpressionSyntax) {
    if let pieces = pieces(string.pieces, name) { string = StringSyntax(pieces) }
  }

  /// nil: there is no secret in them.
  private func pieces(
    _ pieces: [StringSyntax.Piece], _ name: (String, String) -> ExpressionSyntax
  ) -> [StringSyntax.Piece]? {
    if names.isEmpty { return nil }
    let written = pieces.flatMap { piece -> [StringSyntax.Piece] in
      if case .text(let text) = piece { split(text, name) } else { [piece] }
    }
    return written == pieces ? nil : written
  }

  private func split(_ text: String, _ name: (String, String) -> ExpressionSyntax) -> [StringSyntax.Piece] {
    let bytes = Array(text.utf8)
    var places = TypedText.places(in: text)
    for (value, hint) in names where value.utf8.count >= Secret.fewestBytes {
      places += ShortWord.places(of: Array(value.utf8), in: bytes).map { TypedPlace(name: hint, range: $0) }
    }
    // The longest of those that begin at the same place.
    places.sort { ($0.range.lowerBound, -$0.range.count, $0.name) < ($1.range.lowerBound, -$1.range.count, $1.name) }
    let encoded = places.isEmpty ? [] : NamedSecrets.values(inBody: text).filter { $0.decoded != nil }
    var pieces: [StringSyntax.Piece] = []
    var start = 0
    for place in places where place.range.lowerBound >= start && !place.range.isEmpty {
      pieces.append(.text(String(decoding: bytes[start..<place.range.lowerBound], as: UTF8.self)))
      let value = String(decoding: bytes[place.range], as: UTF8.self)
      let field = encoded.first { $0.text == value }?.encoded(name)
      pieces.append(.interpolation(field ?? name(value, place.name)))
      start = place.range.upperBound
    }
    return StringSyntax(pieces + [.text(String(decoding: bytes[start...], as: UTF8.self))]).pieces
  }
}

extension ExpressionSyntax {
  /// The pieces as a text, or the only one of them.
  fileprivate init(_ pieces: [StringSyntax.Piece]) {
    if pieces.count == 1, case .interpolation(let expression) = pieces[0] {
      self = expression
    } else {
      self = .string(StringSyntax(pieces))
    }
  }
}

extension StringSyntax.Piece {
  package init(_ piece: WordSyntax.Piece) {
    switch piece {
    case .text(let text): self = .text(text)
    case .interpolation(let expression, _): self = .interpolation(expression)
    }
  }
}
