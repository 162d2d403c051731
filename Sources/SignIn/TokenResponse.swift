internal import JSONValue
internal import Requests
internal import UploaderCore

/// A response with a token (RFC 6749 §5.1).
struct TokenResponse {
  private let json: JSON
  private let url: String

  init(_ json: JSON, _ url: String) {
    self.json = json
    self.url = url
  }

  /// The longest life that is believed, in seconds: a hundred years.
  private static let longest = 3_155_760_000

  /// - Parameters:
  ///   - obtained: when it was asked for.
  ///   - learn: told before anything is thrown that could quote it.
  func tokens(
    obtained: Duration, learn: (TokenSet, _ identity: String?) -> Void
  ) throws(SignInError) -> TokenSet {
    guard let access = json["access_token"]?.string else { throw .unusable("\(url) responded without an access token") }
    var tokens = TokenSet(access: access, refresh: json["refresh_token"]?.string, obtained: obtained)
    if tokens.refresh?.isEmpty ?? false { tokens.refresh = nil }
    guard access.utf8.count >= Secret.fewestBytes, tokens.refresh.map({ $0.utf8.count >= Secret.fewestBytes }) ?? true
    else { throw .unusable("\(url) gave out a token of fewer than \(Secret.fewestBytes) bytes") }
    learn(tokens, json["id_token"]?.string)
    // What has other characters would not stay in its header (RFC 6750 §2.1).
    guard access.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      throw .unusable("\(url) gave out a token with characters that no token has")
    }
    if let type = json["token_type"], type.string?.lowercased() != "bearer" {
      let shown = CutText.cut(type.string ?? "\(type)", to: 40)
      throw .unusable("\(url) gave out a token of type \"\(shown)\"", advice: "only bearer tokens can be sent")
    }
    if let life = try lifetime() {
      tokens.lifetime = life
      tokens.expires = obtained + life
    }
    return tokens
  }

  /// Some servers write the number as a text; without one the token is good until it is refused.
  private func lifetime() throws(SignInError) -> Duration? {
    guard let value = json["expires_in"], value != .null else { return nil }
    let text = value.string ?? "\(value)"
    let whole = text.prefix { $0 != "." }
    guard let seconds = Int(whole), seconds >= 0, seconds <= Self.longest else {
      throw .unusable("\(url) says \"expires_in\": \(CutText.cut("\(value)", to: 40)), which is no number of seconds")
    }
    return .seconds(seconds)
  }
}
