/// A URL to be signed, so that whoever has it may send one request for a while.
public struct PresignRequest: Hashable, Sendable {
  /// `GET`, `PUT`
  public var method: String
  /// Absolute, with its own query.
  public var url: String
  /// That of the URL: whose host is signed.
  public var origin: Origin
  /// In whole seconds.
  public var lifetime: Duration
  /// Since 1970.
  public var now: Duration

  public init(method: String, url: String, origin: Origin, lifetime: Duration, now: Duration) {
    self.method = method
    self.url = url
    self.origin = origin
    self.lifetime = lifetime
    self.now = now
  }

  /// A week is the longest that AWS accepts.
  public static let longest = Duration.seconds(7 * 24 * 3_600)
}

/// Why a URL cannot be signed.
public enum PresignError: Error, Hashable, Sendable {
  /// This is no method: a name in capital letters.
  case method(String)
  /// This is no path: it does not begin with a slash, or has a fragment, a space or a control character.
  case path(String)
  /// It is not from a second to a week, in whole seconds.
  case lifetime
  /// No profile signs.
  case noProfile
  /// These profiles sign, and none of them was chosen.
  case severalProfiles([String])
  /// There is no profile of this name, only these.
  case unknownProfile(String, known: [String])
  /// The profile of this name does not sign, or has no base.
  case notSigning(profile: String)
  /// The keys have to be asked for first.
  case keysElsewhere(profile: String)
  /// This is not an absolute URL.
  case notAURL(String)

  /// What is wrong and what to do, for people.
  public var words: (message: String, advice: String?) {
    switch self {
    case .method(let text): ("\"\(text)\" is not a method", "such as \"GET\" or \"PUT\"")
    case .path(let text): ("\"\(text)\" is not a path", "such as \"/bucket/key\"")
    case .lifetime: ("a URL can be signed for one second to seven days", "such as 15m")
    case .noProfile: ("no profile has auth sigv4 { … }", nil)
    case .severalProfiles(let names):
      ("several profiles sign: \(names.joined(separator: ", "))", "choose one: profile: \"\(names.first ?? "")\"")
    case .unknownProfile(let name, let known):
      ("there is no profile \"\(name)\"", known.isEmpty ? nil : "there are: \(known.joined(separator: ", "))")
    case .notSigning(let name): ("profile \"\(name)\" signs nothing", "it needs a base and auth sigv4 { … }")
    case .keysElsewhere(let name):
      (
        "the keys of profile \"\(name)\" come from elsewhere, and only when a request is sent",
        "workbench presign \(name) …"
      )
    case .notAURL(let text): ("\"\(text)\" is not a URL", nil)
    }
  }
}

extension SessionProfiles {
  /// The profile that signs a URL: the one of that name, or the only one that signs.
  ///
  /// - Parameter name: nil: the only one.
  /// - Returns: the profile, who signs for it, and its base.
  public func signing(named name: String?) throws(PresignError) -> (SessionProfile, SigningIdentity, BaseURL) {
    let found: SessionProfile
    if let name {
      guard let profile = self[name] else { throw .unknownProfile(name, known: all.map(\.name)) }
      found = profile
    } else {
      let signing = all.filter { if case .signed? = $0.credential { true } else { false } }
      guard let first = signing.first else { throw .noProfile }
      guard signing.count == 1 else { throw .severalProfiles(signing.map(\.name)) }
      found = first
    }
    guard case .signed(let identity)? = found.credential, let base = found.base else {
      throw .notSigning(profile: found.name)
    }
    return (found, identity, base)
  }
}

extension SigningIdentity {
  /// The URL with a signature in its query.
  ///
  /// - Parameters:
  ///   - method: in capital letters.
  ///   - path: begins with a slash; it is appended to the base, and may have a query.
  ///   - lifetime: from one second to seven days, in whole seconds.
  ///   - now: since 1970.
  /// - Throws: `PresignError` for a method, a path or a lifetime that cannot be signed.
  public func presign(
    method: String, path: String, base: BaseURL, lifetime: Duration, now: Duration
  ) throws(PresignError) -> String {
    guard !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else { throw .method(method) }
    guard path.hasPrefix("/"), !path.contains("#"), !path.unicodeScalars.contains(where: { $0.value <= 0x20 }) else {
      throw .path(path)
    }
    let seconds = lifetime.components
    guard lifetime >= .seconds(1), lifetime <= PresignRequest.longest, seconds.attoseconds == 0 else { throw .lifetime }
    return signer.presign(
      self,
      PresignRequest(
        method: method, url: base.url(appending: path), origin: base.origin, lifetime: lifetime, now: now))
  }
}
