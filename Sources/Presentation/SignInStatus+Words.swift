package import SignIn

extension SignInStatus {
  /// In words, without a token.
  package func words(now: Duration) -> String {
    switch self {
    case .signedOut: return "not signed in"
    case .whenNeeded: return "a token is asked for when a request needs it"
    case .signedIn(let until, _, let canRefresh):
      let end: String
      if let until {
        let left = until - now
        end = left > .zero ? "for \(NumberFormat.duration(left))" : "until \(NumberFormat.duration(now - until)) ago"
      } else {
        end = "until the server refuses the token"
      }
      return "signed in \(end)\(canRefresh ? ", then refreshed without signing in" : "")"
    }
  }
}
