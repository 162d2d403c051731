internal import JSONValue

/// A user and a password, as they are sent in one header field (RFC 7617).
package struct BasicCredential: Hashable, Sendable {
  package let user: String
  package let password: String

  package init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// Whether the user is the secret, because there is no password, as `curl -u KEY:` sends it. A password that is too
  /// short to be a secret is none. `admin` is no key.
  package var isKey: Bool {
    password.utf8.count < Secret.fewestBytes && (user.isEmpty || !ShortWord.isOne(user.utf8))
  }

  /// What both are encoded as.
  package var pair: String { Base64.encode(Array("\(user):\(password)".utf8)) }

  /// The value of the header field.
  package var field: String { "Basic \(pair)" }
}
