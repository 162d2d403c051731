/// What stands before a credential in the value of a header: `Bearer …`.
enum CredentialScheme {
  private static let names: Set<String> = ["bearer", "basic", "token", "apikey"]

  /// What comes after the scheme and a space; nil: the text does not begin with one.
  static func rest(of text: Substring) -> Substring? {
    let scheme = text.prefix { !$0.isWhitespace }
    guard names.contains(scheme.lowercased()) else { return nil }
    return text[scheme.endIndex...].drop(while: \.isWhitespace)
  }

  /// Whether there is nothing but a scheme, or nothing at all.
  static func isAll(of text: String) -> Bool {
    let text = text.drop(while: \.isWhitespace)
    return text.isEmpty || rest(of: text)?.isEmpty ?? false
  }
}
