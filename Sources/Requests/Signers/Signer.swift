public import HTTPTypes

/// A way to sign requests: what `auth NAME { … }` takes, and what it does. A new one is a file beside this one and a
/// line in `all`: the checker, lowering, printing and the core read what it says here.
public struct Signer: Sendable {
  /// What it is called in a script.
  public let name: String
  /// What it takes, in the order in which it is written.
  public let members: [Member]
  /// How it is written.
  public let example: String
  /// The header fields that a request gets. Pure but for the files that have to be read.
  let sign: @Sendable (SigningIdentity, RequestToSign) throws(FileError) -> [HTTPField]

  /// All that there are.
  public static let all: [Signer] = [.sigv4]

  /// nil if there is none of that name.
  public init?(named name: String) {
    guard let signer = Self.all.first(where: { $0.name == name }) else { return nil }
    self = signer
  }

  init(
    _ name: String, _ members: [Member], example: String,
    sign: @escaping @Sendable (SigningIdentity, RequestToSign) throws(FileError) -> [HTTPField]
  ) {
    self.name = name
    self.members = members
    self.example = example
    self.sign = sign
  }

  /// One thing that a signer is told.
  public struct Member: Hashable, Sendable {
    /// How it is treated.
    public enum Kind: Hashable, Sendable {
      /// No secret.
      case text
      /// It tells who signs: no secret, but nothing that is kept of what was typed.
      case account
      /// It signs, or is as good as that.
      case secret
    }

    /// What it is called in a script.
    public let name: String
    /// How it is treated.
    public let kind: Kind
    /// Whether nothing can be signed without it.
    public let isNeeded: Bool

    init(_ name: String, _ kind: Kind = .text, isNeeded: Bool = true) {
      self.name = name
      self.kind = kind
      self.isNeeded = isNeeded
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
  /// The members that are no secrets, by name.
  public let texts: [String: String]
  /// Those that are; they sign, and are not sent as a rule.
  public let secrets: [String: Secret]

  public init(_ signer: Signer, texts: [String: String], secrets: [String: Secret]) {
    self.signer = signer
    self.texts = texts
    self.secrets = secrets
  }

  /// Without telling it: `sigv4 AKIA…, ••••, us-east-1, s3`.
  var summary: String {
    let values = signer.members.compactMap { texts[$0.name] ?? (secrets[$0.name] == nil ? nil : "••••") }
    return "\(signer.name) \(values.joined(separator: ", "))"
  }

  /// The header fields that the request gets.
  public func sign(_ request: RequestToSign) throws(FileError) -> [HTTPField] { try signer.sign(self, request) }
}

/// A request that is as it will be sent, but for its signature.
public struct RequestToSign: Sendable {
  /// What is asked of the server.
  public let method: HTTPRequest.Method
  /// Absolute.
  public let url: String
  /// Where it goes.
  public let origin: Origin
  /// All that are sent, but for the signature and the transport's own.
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
