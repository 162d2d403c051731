import Diagnostics
import RequestSyntax

/// A method may be any name, so a misspelled one would be sent.
extension Checker {
  mutating func check(method: NameSyntax) {
    // Mostly it is one of few, which are found without hashing.
    guard !Keywords.commonMethods.contains(method.text), !Self.knownMethods.contains(method.text),
      let meant = SpellingSuggestion.nearest(to: method.text, among: Self.usualMethods)
    else { return }
    report(.unusualMethod(method.text, meant: meant), method.range)
  }

  /// What may be meant, the most common first.
  private static let usualMethods = [
    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY", "TRACE", "CONNECT", "PROPFIND", "PROPPATCH",
    "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH",
  ]

  /// Those of the IANA registry, and those that UPnP, caches and others made common.
  private static let knownMethods = Set(usualMethods).union([
    "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "LABEL", "LINK", "MERGE", "MKACTIVITY", "MKCALENDAR",
    "MKREDIRECTREF", "MKWORKSPACE", "ORDERPATCH", "PRI", "REBIND", "UNBIND", "UNCHECKOUT", "UNLINK", "UPDATE",
    "UPDATEREDIRECTREF", "VERSION-CONTROL", "BAN", "LIST", "M-SEARCH", "NOTIFY", "PURGE", "SUBSCRIBE", "UNSUBSCRIBE",
  ])
}
