public import HTTPTypes

/// A way to sign requests: what `auth NAME { … }` takes, and what it does. A new one is a file beside this one and a
/// line in `all`: the checker, lowering, printing and the core read what is declared here.
public struct Signer: Sendable {
  /// What it is called in a script.
  public let name: String
  /// Its members, in the order in which they are written.
  public let members: [Member]
  /// An example of it in a script.
  public let example: String
  /// The header fields that a request gets. Pure except for the files it has to read.
  let sign: @Sendable (SigningIdentity, RequestToSign) throws(FileError) -> [HTTPField]
  /// The URL with a signature in its query.
  let presign: @Sendable (SigningIdentity, PresignRequest) -> String

  /// All of them.
  public static let all: [Signer] = [.sigv4]

  /// nil if there is none of that name.
  public init?(named name: String) {
    guard let signer = Self.all.first(where: { $0.name == name }) else { return nil }
    self = signer
  }

  init(
    _ name: String, _ members: [Member], example: String,
    presign: @escaping @Sendable (SigningIdentity, PresignRequest) -> String,
    sign: @escaping @Sendable (SigningIdentity, RequestToSign) throws(FileError) -> [HTTPField]
  ) {
    self.name = name
    self.members = members
    self.example = example
    self.sign = sign
    self.presign = presign
  }

  /// One value that a signer is given.
  public struct Member: Hashable, Sendable {
    /// How it is treated.
    public enum Kind: Hashable, Sendable {
      /// Not a secret.
      case text
      /// It names who signs: not a secret, but it is not kept when it was typed.
      case account
      /// It signs, or is as sensitive as what signs.
      case secret
    }

    /// What it is called in a script.
    public let name: String
    /// How it is treated.
    public let kind: Kind
    /// Whether nothing can be signed without it.
    public let isNeeded: Bool
    /// The members of which one takes its place.
    public let substitutes: [String]

    init(_ name: String, _ kind: Kind = .text, isNeeded: Bool = true, or substitutes: [String] = []) {
      self.name = name
      self.kind = kind
      self.isNeeded = isNeeded && substitutes.isEmpty
      self.substitutes = substitutes
    }

    /// Whether it has to be there beside these.
    public func isMissing(among given: some Sequence<String>) -> Bool {
      let given = Set(given)
      guard isNeeded || !substitutes.isEmpty else { return false }
      return !given.contains(name) && !substitutes.contains(where: given.contains)
    }
  }
}

extension Signer: Hashable {
  public static func == (left: Signer, right: Signer) -> Bool { left.name == right.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Who signs, and with what.
public struct SigningIdentity: Hashable, Sendable {
  /// How it is signed.
  public let signer: Signer
  /// The members that are not secrets, by name.
  public let texts: [String: String]
  /// Those that are; they sign, and as a rule are not sent.
  public let secrets: [String: Secret]
  /// Where the keys are that are asked for when a request is sent; nil: they are here.
  public var source: AWSKeySource?

  public init(_ signer: Signer, texts: [String: String], secrets: [String: Secret], source: AWSKeySource? = nil) {
    self.signer = signer
    self.texts = texts
    self.secrets = secrets
    self.source = source
  }

  /// Without revealing the secrets: `sigv4 AKIA…, ••••, us-east-1, s3`.
  var summary: String {
    let values = signer.members.compactMap { texts[$0.name] ?? (secrets[$0.name] == nil ? nil : "••••") }
    return "\(signer.name) \(values.joined(separator: ", "))"
  }

  /// The header fields that the request gets.
  public func sign(_ request: RequestToSign) throws(FileError) -> [HTTPField] { try signer.sign(self, request) }
}

/// A request exactly as it will be sent, except for its signature.
public struct RequestToSign: Sendable {
  /// What is asked of the server.
  public let method: HTTPRequest.Method
  /// Absolute.
  public let url: String
  /// Where it goes.
  public let origin: Origin
  /// All that are sent, except for the signature and the transport's own.
  public let headers: HTTPFields
  /// Empty if there is none.
  public let body: [BodySegment]
  /// Since 1970.
  public let now: Duration

  public init(
    method: HTTPRequest.Method, url: String, origin: Origin, headers: HTTPFields, body: [BodySegment], now: Duration
  ) {
    self.method = method
    self.url = url
    self.origin = origin
    self.headers = headers
    self.body = body
    self.now = now
  }
}
