/// Why a profile's connection setting cannot be used.
public enum NetworkSettingError: Error, Sendable, Hashable {
  /// The text is not a proxy; it may contain a password, so it is not reported.
  case proxy
  case version(String)
  case resolve(host: String, address: String)
  /// A member that `tls` does not have.
  case tlsMember(String)
  case tlsSpread
  case keyWithoutCertificate
  case passphraseWithoutCertificate
  /// The certificate's file is PKCS #12, where the key is.
  case keyBesidePKCS12
  /// A version of TLS that cannot be the minimum.
  case minimum(String)
  /// `insecure` is neither true nor false.
  case insecure
  /// A file of `tls` cannot be read.
  case unreadable(reason: String)
  /// A file that should contain certificates contains none in PEM.
  case noCertificate(path: String)
  /// A file that should contain a private key contains none in PEM.
  case noKey(path: String)
  /// The private key is encrypted, and the passphrase is not given.
  case lockedKey(path: String)

  static let tlsMembers = ["ca", "cert", "key", "passphrase", "minimum", "insecure"]

  /// What is wrong and what to write instead, for people.
  var words: (message: String, label: String?) {
    switch self {
    case .proxy: ("this is not a proxy", "such as http://proxy.example.com:3128 or socks5h://127.0.0.1:1080")
    case .version(let text): ("there is no HTTP \"\(text)\" here", "http 1.1 or http 2; without it the server chooses")
    case .resolve(let host, let address):
      ("\"\(address)\" is not an address for \(host)", "such as 127.0.0.1, 127.0.0.1:8443 or [::1]")
    case .tlsMember(let name): ("tls has no \"\(name)\"", "it has \(Self.tlsMembers.joined(separator: ", "))")
    case .tlsSpread: ("tls takes its members one by one", nil)
    case .keyWithoutCertificate: ("a key without a certificate proves nothing", "tls { cert: \"…\", key: \"…\" }")
    case .passphraseWithoutCertificate:
      (
        "a passphrase without a certificate opens nothing",
        "tls { cert: \"…\", key: \"…\", passphrase: $env.KEY_PASSPHRASE }"
      )
    case .keyBesidePKCS12:
      (
        "a PKCS #12 file has its key in it",
        "leave out the key: tls { cert: \"me.p12\", passphrase: $env.KEY_PASSPHRASE }"
      )
    case .minimum(let text):
      ("TLS \"\(text)\" cannot be the minimum", "minimum: \"1.2\" or \"1.3\"; nothing older is supported")
    case .insecure: ("insecure is true or false", nil)
    case .unreadable(let reason): (reason, "relative paths start from the directory of the file they are written in")
    case .noCertificate(let path):
      ("\"\(path)\" contains no certificate in PEM", "from DER: openssl x509 -inform der -in … -out …")
    case .noKey(let path):
      ("\"\(path)\" contains no private key in PEM", "for a key in a separate file: tls { cert: \"…\", key: \"…\" }")
    case .lockedKey(let path):
      ("the private key in \"\(path)\" has a passphrase", "give it: tls { …, passphrase: $env.KEY_PASSPHRASE }")
    }
  }
}
