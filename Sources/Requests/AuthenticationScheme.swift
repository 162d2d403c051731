/// What the value of an `Authorization` header consists of: a scheme, and the credential after it (RFC 9110 §11.4).
///
/// Many clients leave the scheme out, and some servers want it so. A word is taken for a scheme only if it is a known
/// one with something after it: anything else may be the credential itself.
package enum AuthenticationScheme {
  /// In lowercase: the registry of RFC 9110 §16.4.1, and what is in use besides.
  private static let known: Set<String> = [
    "apikey", "aws", "aws4-hmac-sha256", "basic", "bearer", "bot", "digest", "dpop", "geniekey", "gnap",
    "goog4-rsa-sha256", "hawk", "hmac", "hoba", "jwt", "mutual", "negotiate", "ntlm", "oauth", "privatetoken",
    "scram-sha-1", "scram-sha-256", "sharedkey", "signature", "splunk", "ssws", "token", "vapid",
  ]

  /// Whether a header of this name says who asks, and nothing else.
  package static func isInHeader(named name: String) -> Bool {
    ["authorization", "proxy-authorization"].contains(name.lowercased())
  }

  /// The scheme as the header writes it; nil: it has none that is known.
  package static func name(in value: String) -> Substring? {
    guard let space = value.firstIndex(of: " "), known.contains(value[..<space].lowercased()) else { return nil }
    return value[..<space]
  }

  /// What comes after a known scheme and spaces, perhaps nothing; nil: the text does not begin with one.
  package static func rest(of text: Substring) -> Substring? {
    let scheme = text.prefix { !$0.isWhitespace }
    guard known.contains(scheme.lowercased()) else { return nil }
    return text[scheme.endIndex...].drop(while: \.isWhitespace)
  }

  /// Whether there is nothing but a scheme, or nothing at all.
  package static func isAll(of text: String) -> Bool {
    let text = text.drop(while: \.isWhitespace)
    return text.isEmpty || rest(of: text)?.isEmpty ?? false
  }

  /// What follows the scheme, or all of it.
  package static func credential(in value: String) -> Substring {
    guard let name = name(in: value) else { return value[...] }
    return value[name.endIndex...].drop { $0 == " " }
  }
}
