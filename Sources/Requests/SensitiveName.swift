internal import Synchronization

/// Whether the value under a name is a secret by convention: the one table for everything hidden without a declaration.
public enum SensitiveName {
  /// What a name is evidence of.
  public enum Evidence: Hashable, Sendable {
    /// The name is used for nothing else.
    case sufficient
    /// A common word: it counts as an item of a query, or beside a sufficient name.
    case circumstantial
    /// A common word that also counts if its value is JSON in base64.
    case policy
  }

  /// Names, in lowercase, of what a server signed: anyone who has the values can upload for a while.
  public static let signatures: [(name: String, evidence: Evidence)] = [
    ("x-amz-signature", .sufficient), ("x-amz-credential", .sufficient), ("x-amz-security-token", .sufficient),
    ("x-goog-signature", .sufficient), ("x-goog-credential", .sufficient), ("awsaccesskeyid", .sufficient),
    ("signature", .circumstantial), ("sig", .circumstantial), ("policy", .policy),
  ]

  private static let words: Set<String> = [
    "authorisation", "authorization", "bearer", "cookie", "credential", "credentials", "jwt", "otp", "passcode",
    "passphrase", "passwd", "password", "pin", "pwd", "secret", "token", "totp",
  ]

  /// Without the separators between their words; anything may come before them.
  private static let endings = [
    "accesskey", "apikey", "clientassertion", "credential", "credentials", "passphrase", "passwd", "password",
    "privatekey", "secret", "secretkey", "sessionid", "sessionkey", "signingkey", "token",
  ]

  /// Facts about a secret that are not secret themselves: `token_type`, `password-length`.
  private static let facts: Set<String> = [
    "at", "count", "enabled", "endpoint", "expires", "expiry", "format", "in", "length", "limit", "name", "required",
    "type",
    "uri", "url",
  ]

  /// Whether it is the name of a credential or of a signature: `password`, `X-Api-Key`, `clientSecret`, `sig`.
  public static func contains(_ name: String) -> Bool { isCredential(name) || isSignature(name) }

  /// Whether a JSON text may have such a name in it, without reading it as JSON; false is certain.
  package static func mayOccur(inJSON text: String) -> Bool {
    var text = text
    return text.withUTF8(mayOccur)
  }

  /// The same for its bytes.
  package static func mayOccur(inJSON bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(mayOccur) }

  private static func mayOccur(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var letters: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text {
      let letter = byte | 0x20
      if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter), byte < 0x80 {
        // A name may be written with escapes, and letters of other scripts may become ours in lowercase.
        if previous == UInt8(ascii: "\\"), letter == UInt8(ascii: "u") { return true }
        letters.append(letter)
      } else if byte >= 0x80 {
        return true
      }
      previous = byte
    }
    return parts.firstMatch(in: letters, from: 0) != nil
  }

  /// One of these is in each such name, without what separates its words.
  private static let parts = ByteSearch(
    [
      "authorisation", "authorization", "bearer", "cookie", "credential", "jwt", "otp", "pass", "pin", "pwd", "secret",
      "token", "key", "assertion", "sessionid", "sig", "policy",
    ].map { Array($0.utf8) })

  /// Whether it names something a server signed.
  public static func isSignature(_ name: String) -> Bool {
    let count = name.utf8.count
    guard signatures.contains(where: { $0.name.utf8.count == count }) else { return false }
    let name = name.lowercased()
    return signatures.contains { $0.name == name }
  }

  /// Whether it names a proof of identity: `password`, `X-Api-Key`, `clientSecret`.
  public static func isCredential(_ name: String) -> Bool {
    if let known = judged.withLock({ $0[name] }) { return known }
    let isCredential = namesCredential(name)
    // The header names of one step are those of the next.
    if name.utf8.count <= 64 { judged.withLock { if $0.count < 1024 { $0[name] = isCredential } } }
    return isCredential
  }

  private static let judged = Mutex<[String: Bool]>([:])

  private static func namesCredential(_ name: String) -> Bool {
    let words = words(of: name)
    let joined = words.joined()
    if joined.hasSuffix("idempotencykey") { return false }
    if let last = words.last, words.count > 1, facts.contains(last) { return false }
    // `boarding_pass_count` is none.
    if words.last == "pass" || words.last == "pw" { return true }
    return words.contains(where: Self.words.contains) || endings.contains { joined.hasSuffix($0) }
  }

  /// `X-Api-Key` and `apiKey` have three words and two, in lowercase.
  private static func words(of name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLowercase = false
    for scalar in name.unicodeScalars {
      if wasLowercase && scalar.properties.isUppercase || !scalar.properties.isAlphabetic {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      wasLowercase = scalar.properties.isLowercase
      if scalar.properties.isAlphabetic { word += scalar.properties.lowercaseMapping }
    }
    return word.isEmpty ? words : words + [word]
  }
}
