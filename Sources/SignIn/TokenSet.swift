// Gets tokens and keys that a profile's credential is made of: from authorization servers, from files of its own, from
// AWS. This module knows no script text, no screen and no store of runs; what it sends goes through `SideRequests`.

internal import JSONValue
internal import Requests

/// What an authorization server gave out.
struct TokenSet: Hashable, Sendable {
  var access: String
  var refresh: String?
  /// Since 1970, by the clock here; nil: the server did not say.
  var expires: Duration?
  /// How long it lived from the beginning.
  var lifetime: Duration?
  /// When it was received, since 1970.
  var obtained: Duration

  /// A token is replaced this long before its end, but not before nine tenths of its life are over.
  private static let longestMargin = Duration.seconds(60)

  /// Whether it can be sent now and arrives before it ends.
  ///
  /// - Parameter isSecond: whether the server has called another one invalid just now, perhaps because it arrived too
  ///   late: this one must not.
  func isFresh(at now: Duration, isSecond: Bool = false) -> Bool {
    guard let expires else { return true }
    let margin = lifetime.map { min(Self.longestMargin, $0 / (isSecond ? 3 : 10)) } ?? Self.longestMargin
    return now < expires - margin
  }

  /// Whether it has ended.
  func hasEnded(at now: Duration) -> Bool { expires.map { $0 <= now } ?? false }
}

// MARK: - As it is stored

extension TokenSet {
  /// - Throws: if it is not what was written.
  init?(stored json: JSON) {
    guard let access = json["access_token"]?.string, !access.isEmpty,
      let obtained = json["obtained"]?.milliseconds
    else { return nil }
    self.access = access
    refresh = json["refresh_token"]?.string
    expires = json["expires"]?.milliseconds
    lifetime = json["lifetime"]?.milliseconds
    self.obtained = obtained
  }

  var stored: JSONObject {
    var object: JSONObject = [:]
    object["access_token"] = .string(access)
    object["refresh_token"] = refresh.map { .string($0) }
    object["expires"] = expires.map { .number(JSONNumber($0.wholeMilliseconds)) }
    object["lifetime"] = lifetime.map { .number(JSONNumber($0.wholeMilliseconds)) }
    object["obtained"] = .number(JSONNumber(obtained.wholeMilliseconds))
    return object
  }
}

extension JSON {
  fileprivate var milliseconds: Duration? {
    guard case .number(let number) = self, let count = Int(number.text) else { return nil }
    return .milliseconds(count)
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
