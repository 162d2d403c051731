internal import Presentation
internal import RequestProgram
package import Requests

/// Writes words for a shell. A secret in one becomes a variable of its name, and two secrets never become the same
/// variable.
package struct ShellWriter {
  /// The longest first: one may hold another.
  private let secrets: [(secret: Secret, text: String)]
  private let environment: [String: String]
  private let variables: [Secret: String]

  private enum Piece {
    case text(String)
    case variable(String)
  }

  /// - Parameter environment: a secret that was given to a step is a variable of it, if one has its text.
  package init(_ secrets: Set<Secret>, environment: [String: String]) {
    // Of the same text, a name that somebody gave it says more.
    self.secrets = secrets.map { ($0, Self.text(of: $0)) }.sorted { one, other in
      let names = (Self.vagueness(of: one.secret), Self.vagueness(of: other.secret))
      return (one.text.count, names.1, other.secret.name) > (other.text.count, names.0, one.secret.name)
    }
    self.environment = environment
    variables = Self.variables(for: secrets, environment)
  }

  /// How little its name says: somebody gave it one, or this program, `shop's credential`, or nobody.
  private static func vagueness(of secret: Secret) -> Int {
    secret.isGivenToStep ? 2 : secret.givenName.contains(" ") ? 1 : 0
  }

  /// What its variable stands for: of a header that was made from a text and a value, the value.
  private static func text(of secret: Secret) -> String {
    secret.withExposedText { text in
      guard secret.isGivenToStep, let rest = AuthenticationScheme.rest(of: text[...]), !rest.isEmpty else {
        return text
      }
      return String(rest)
    }
  }

  private static func variables(for secrets: Set<Secret>, _ environment: [String: String]) -> [Secret: String] {
    var variables: [Secret: String] = [:]
    var owners: [String: String] = [:]
    for secret in secrets.sorted(by: { ($0.isMade ? 1 : 0, $0.mark) < ($1.isMade ? 1 : 0, $1.mark) }) {
      let text = text(of: secret)
      let given = secret.isGivenToStep ? Self.name(of: text, in: environment) : nil
      let base = given ?? variable(secret)
      var name = base
      var count = 1
      while let owner = owners[name], owner != text {
        count += 1
        name = "\(base)_\(count)"
      }
      owners[name] = text
      variables[secret] = name
    }
    return variables
  }

  /// What whoever runs the line has to know about its variables: a script computes the values of some.
  package func notes(on line: String) -> [String] {
    secrets.map(\.secret).filter { secret in
      secret.isMade && !secret.isGivenToStep && variables[secret].map { line.contains("${\($0)}") } ?? false
    }
    .compactMap { variables[$0] }.sorted().map { "${\($0)} is what the request made of a secret: set it yourself" }
  }

  /// The variables that the line has for these secrets, in order.
  func variables(for secrets: Set<Secret>, in line: String) -> [String] {
    Set(secrets.compactMap { variables[$0] }).filter { line.contains("${\($0)}") }.sorted()
  }

  /// The variables that the line has for what a step was given itself, with that; not those of the environment.
  func given(on line: String) -> [(variable: String, value: Secret)] {
    var given: [String: Secret] = [:]
    for (secret, text) in secrets where secret.isGivenToStep {
      guard let variable = variables[secret], line.contains("${\(variable)}"), environment[variable] != text else {
        continue
      }
      given[variable] = Secret(text, name: variable, for: [])
    }
    return given.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
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
  private func pieces(_ text: String, _ secrets: ArraySlice<(secret: Secret, text: String)>) -> [Piece] {
    guard let (secret, value) = secrets.first else { return text.isEmpty ? [] : [.text(text)] }
    let parts =
      value.isEmpty
      ? [text]
      : text.unicodeScalars.split(separator: value.unicodeScalars, omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
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
    let called = secret.isMade ? secret.name.prefix { $0 != " " && $0 != "," } + "_made" : secret.givenName
    let name = called.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    return name.first?.isNumber ?? true ? "_" + String(name) : String(name)
  }
}
