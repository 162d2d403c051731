import Diagnostics
public import Requests

/// Why what `auth oauth { … }` says cannot be used.
public enum SignInSettingError: Error, Hashable, Sendable {
  /// It stands in a request.
  case outsideProfile
  case notAnObject
  case unknownField(String)
  case missing(String)
  /// Neither the issuer nor what it would say is given: these fields.
  case noEndpoint([String], flow: OAuthSettings.Flow)
  /// A field that takes one of these words.
  case word(field: String, words: [String])
  case url(field: String)
  /// A URL that anybody between here and there could read.
  case openURL(field: String)
  /// A URL with a user, a query or a fragment where there is none.
  case urlWithMore(field: String)
  case number(field: String)
  case path
  case texts(field: String)
  /// Two fields that say the same in different ways.
  case both(String, String)
  /// A field that means something only beside another.
  case without(String, needs: String)
  case notAKey
  case lockedKey

  /// What is wrong and what to write instead, for people.
  var words: (message: String, label: String?) {
    switch self {
    case .outsideProfile:
      ("auth oauth is a setting of a profile", "profile api { base https://… \(OAuthField.example) }")
    case .notAnObject: ("auth oauth takes one object", OAuthField.example)
    case .unknownField(let name):
      (
        "auth oauth has no \"\(name)\"",
        SpellingSuggestion.nearest(to: name, among: OAuthField.all.map(\.name)).map { "did you mean \($0)?" }
          ?? "it has \(OAuthField.all.map(\.name).joined(separator: ", "))"
      )
    case .missing(let name): ("auth oauth has no \(name)", OAuthField.example)
    case .noEndpoint(let fields, let flow):
      (
        "flow \"\(flow.rawValue)\" needs an issuer, or \(fields.joined(separator: " and "))",
        "issuer: \"https://login.example.com\""
      )
    case .word(let field, let words):
      ("\(field) is one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))", nil)
    case .url(let field): ("\(field) is a URL", "such as \"https://login.example.com\"")
    case .openURL(let field):
      ("\(field) has to be https", "a secret goes there: http is possible on this machine only")
    case .urlWithMore(let field): ("\(field) has no user and no fragment", nil)
    case .number(let field): ("\(field) is a port from 1 to 65535", nil)
    case .path: ("redirect-path begins with / and has no query", "such as \"/callback\"")
    case .texts(let field): ("\(field) is an object of texts", "\(field): { name: \"value\" }")
    case .both(let one, let other): ("\(one) and \(other) say the same thing", "leave one out")
    case .without(let one, let needed): ("\(one) means nothing without \(needed)", nil)
    case .notAKey: ("key is no private key in PEM", "key: file(\"client.pem\")")
    case .lockedKey: ("the private key has a passphrase", "decrypt it: openssl pkey -in … -out …")
    }
  }
}
