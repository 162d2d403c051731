/// An address as people write it on a command line, perhaps without its scheme.
package struct RequestAddress: Hashable, Sendable {
  /// With its scheme: http for this machine, else https.
  package let url: String

  /// nil if it is not an address: not `https://…`, no host with a dot, not this machine.
  package init?(_ text: String) {
    if text.contains("://") {
      url = text
    } else if Self.isLocal(text[...]) {
      url = Self.start(of: text[...]) + (text.hasPrefix(":/") ? text.dropFirst() : text[...])
    } else {
      let host = text.prefix { $0 != "/" && $0 != ":" }
      let labels = host.split(separator: ".", omittingEmptySubsequences: false)
      guard labels.count > 1, !labels.contains(""), !host.hasSuffix(".wb"),
        host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") })
      else { return nil }
      url = "https://\(text)"
    }
  }

  /// An address of this machine with its scheme; nil: it is none.
  package static func whole(_ text: String) -> String? {
    isLocal(text[...]) ? start(of: text[...]) + (text.hasPrefix(":/") ? text.dropFirst() : text[...]) : nil
  }

  /// What is missing before an address of this machine; of `:/x`, the colon stands for it.
  package static func start(of local: Substring) -> String { local.hasPrefix(":") ? "http://localhost" : "http://" }

  /// Whether it is a host of this machine without a scheme: `localhost:8080/x`, `127.0.0.1`, and as HTTPie has it
  /// `:8080/x`, `:/x`.
  package static func isLocal(_ target: Substring) -> Bool {
    if target.first == ":" {
      let port = target.dropFirst().prefix { $0.isASCII && $0.isNumber }
      let rest = target.dropFirst(1 + port.count).first
      return rest == "/" || !port.isEmpty && (rest == nil || rest == "?")
    }
    let host = target.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    let rest = target.dropFirst(host.count)
    let hasPort = rest.first != ":" || rest.dropFirst().first?.isNumber ?? false
    return hasPort
      && (host == "localhost" || host == "0.0.0.0" || host.hasPrefix("127.") && host.count { $0 == "." } == 3)
  }
}
