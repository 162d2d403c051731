/// One member of `auth oauth { … }`: the table that the checker, lowering, completion and the documentation read.
public struct OAuthField: Hashable, Sendable {
  /// What it takes.
  public enum Kind: Hashable, Sendable {
    /// Any text.
    case text
    /// `https://…`, or http on this machine.
    case url
    /// One of these words.
    case word([String])
    /// A text that belongs to the endpoints and is hidden.
    case secret
    /// A private key in PEM: a file, or a text that is a secret.
    case key
    /// A whole number.
    case number
    /// An object of texts, which belong to the endpoints and are hidden.
    case texts
  }

  /// What it is called in a script: `client-id`.
  public let name: String
  /// What it takes.
  public let kind: Kind
  /// What it is without being written, in words; nil: nothing.
  public let standard: String?
  /// What it says, in a few words.
  public let summary: String

  private init(_ name: String, _ kind: Kind, standard: String? = nil, _ summary: String) {
    self.name = name
    self.kind = kind
    self.standard = standard
    self.summary = summary
  }

  /// What it is called in a script: `auth oauth`.
  public static let scheme = "oauth"

  /// All of them, in the order in which they are explained.
  public static let all: [OAuthField] = [
    OAuthField(
      "flow", .word(OAuthSettings.Flow.allCases.map(\.rawValue)), "how to get a token; has to be written"),
    OAuthField("issuer", .url, "whose endpoints are discovered; or write token-url"),
    OAuthField("client-id", .text, "what the program is called there; has to be written"),
    OAuthField("client-secret", .secret, "what proves that"),
    OAuthField(
      "client-auth", .word(OAuthSettings.SecretPlace.allCases.map(\.rawValue)), standard: "basic",
      "where the secret is sent: in a header or in the body"),
    OAuthField("key", .key, "signs an assertion instead of a secret (private_key_jwt)"),
    OAuthField("key-id", .text, "names that key, if the issuer knows several"),
    OAuthField(
      "algorithm", .word(OAuthSettings.Algorithm.allCases.map(\.rawValue)), standard: "ES256, or RS256 for an RSA key",
      "what the assertion is signed with"),
    OAuthField("scope", .text, "what the token is for, with spaces between"),
    OAuthField("audience", .text, "whom the token is for"),
    OAuthField("resource", .text, "the same as an address (RFC 8707)"),
    OAuthField("parameters", .texts, "whatever else the issuer wants with each request for a token"),
    OAuthField("user", .text, "who signs in, if there may be several; a hint for the sign-in page"),
    OAuthField("token-url", .url, standard: "discovered", "the token endpoint"),
    OAuthField("authorization-url", .url, standard: "discovered", "where the browser is sent"),
    OAuthField("device-url", .url, standard: "discovered", "where a device asks for its code"),
    OAuthField("revocation-url", .url, standard: "discovered", "where a token is revoked"),
    OAuthField("port", .number, standard: "a free one", "of the loopback address that the browser comes back to"),
    OAuthField("redirect-path", .text, standard: "/callback", "the path of that address"),
  ]

  /// nil if there is none of that name.
  public init?(named name: String) {
    guard let field = Self.all.first(where: { $0.name == name }) else { return nil }
    self = field
  }

  /// Whether what is written there is a secret of the endpoints.
  public var isSecret: Bool {
    switch kind {
    case .secret, .key, .texts: true
    case .text, .url, .word, .number: false
    }
  }

  /// An example in a script.
  public static let example =
    "auth oauth { issuer: \"https://login.example.com\", flow: \"browser\", client-id: \"workbench\" }"
}
