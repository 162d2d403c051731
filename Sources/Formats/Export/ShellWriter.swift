internal import Presentation
internal import RequestProgram
package import Requests

/// Writes words for a shell. A secret in one becomes a variable of its name, and two secrets never become the same
/// variable.
package struct ShellWriter {
  private let secrets: [Secret]
  private let variables: [Secret: String]

  private enum Piece {
    case text(String)
    case variable(String)
  }

  /// - Parameter environment: a secret that was given to a step is a variable of it, if one has its text.
  package init(_ secrets: Set<Secret>, environment: [String: String]) {
    // A secret may hold another one; the longer goes first.
    self.secrets = secrets.sorted {
      ($0.withExposedText(\.count), $1.name) > ($1.withExposedText(\.count), $0.name)
    }
    variables = Self.variables(for: secrets, environment)
  }

  private static func variables(for secrets: Set<Secret>, _ environment: [String: String]) -> [Secret: String] {
    var variables: [Secret: String] = [:]
    var owners: [String: Secret] = [:]
    for secret in secrets.sorted(by: { ($0.isMade ? 1 : 0, $0.mark) < ($1.isMade ? 1 : 0, $1.mark) }) {
      let given = secret.isGivenToStep ? secret.withExposedText { Self.name(of: $0, in: environment) } : nil
      let base = given ?? variable(secret)
      var name = base
      var count = 1
      while let owner = owners[name], !owner.hasSameText(as: secret) {
        count += 1
        name = "\(base)_\(count)"
      }
      owners[name] = secret
      variables[secret] = name
    }
    return variables
  }

  /// What whoever runs the line has to know about its variables: a script computes the values of some.
  package func notes(on line: String) -> [String] {
    secrets.filter { secret in
      secret.isMade && !secret.isGivenToStep && variables[secret].map { line.contains("${\($0)}") } ?? false
    }
    .compactMap { variables[$0] }.sorted().map { "${\($0)} is what the request made of a secret: set it yourself" }
  }

  /// The variables that the line has for these secrets, in order.
  func variables(for secrets: Set<Secret>, in line: String) -> [String] {
    Set(secrets.compactMap { variables[$0] }).filter { line.contains("${\($0)}") }.sorted()
  }

  /// Whether a secret is in the text as it is, so that the word for it has a variable.
  func holdsSecret(_ text: String) -> Bool {
    pieces(text, secrets[...]).contains { if case .variable = $0 { true } else { false } }
  }

  package func word(_ text: String) -> String {
    Self.word(pieces(text, secrets[...]))
  }

  /// The text, followed by the secret.
  package func word(_ text: String, then secret: Secret) -> String {
    Self.word(pieces(text, secrets[...]) + [.variable(variables[secret] ?? Self.variable(secret))])
  }

  /// Scalar by scalar: a combining mark hides neither a secret nor a quotation mark before it.
  private func pieces(_ text: String, _ secrets: ArraySlice<Secret>) -> [Piece] {
    guard let secret = secrets.first else { return text.isEmpty ? [] : [.text(text)] }
    let parts = secret.withExposedText { secret in
      secret.isEmpty
        ? [text]
        : text.unicodeScalars.split(separator: secret.unicodeScalars, omittingEmptySubsequences: false)
          .map { String(Substring($0)) }
    }
    let others = secrets.dropFirst()
    return Array(parts.map { pieces($0, others) }.joined(separator: [.variable(variables[secret] ?? "")]))
  }

  private static func word(_ pieces: [Piece]) -> String {
    var isQuotable = true
    var text = ""
    for case .text(let piece) in pieces {
      isQuotable = isQuotable && !piece.utf8.contains(UInt8(ascii: "!")) && !ShellQuoting.needsEscapes(piece)
      text += piece
    }
    if !pieces.contains(where: { if case .variable = $0 { true } else { false } }) { return ShellQuoting.quoted(text) }
    let words = pieces.map { piece in
      switch piece {
      case .variable(let name): isQuotable ? "${\(name)}" : "\"${\(name)}\""
      case .text(let text): isQuotable ? escaped(text) : ShellQuoting.quoted(text)
      }
    }
    return isQuotable ? "\"\(words.joined())\"" : words.joined()
  }

  /// For the inside of double quotes.
  private static func escaped(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if "\\\"$`".unicodeScalars.contains(scalar) { scalars.append("\\") }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  private static func name(of value: String, in environment: [String: String]) -> String? {
    environment.filter { $0.value == value }.keys.min()
  }

  private static func variable(_ secret: Secret) -> String {
    if secret.isGivenToStep { return "TOKEN" }
    let called = secret.isMade ? secret.name.prefix { $0 != " " && $0 != "," } + "_made" : secret.name[...]
    let name = called.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return name.first?.isNumber ?? true ? "_" + String(name) : String(name)
  }
}
