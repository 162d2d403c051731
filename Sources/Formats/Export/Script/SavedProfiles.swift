package import Requests

/// The profiles of a saved script: those of the session that its steps use, and one for each host that had none.
package struct SavedProfiles {
  package struct Host: Hashable {
    var name: String
    var origin: Origin
    /// Whether paths are appended to it.
    var hasBase = false
  }

  /// The session's own.
  private let session: SessionProfiles
  /// The names of the session's profiles that are used.
  private(set) var used: [String] = []
  private(set) var hosts: [Host] = []

  package init(session: SessionProfiles) {
    self.session = session
  }

  /// The profile whose credentials may go to the origin; the script then declares it.
  package mutating func profile(for origin: Origin, named name: String?, asBase: Bool) -> String {
    let own = name.flatMap { session[$0] } ?? (try? session.profile(for: origin)).flatMap { session[$0.name] }
    if let own {
      if !used.contains(own.name) { used.append(own.name) }
      return own.name
    }
    if let index = hosts.firstIndex(where: { $0.origin == origin }) {
      hosts[index].hasBase = hosts[index].hasBase || asBase
      return hosts[index].name
    }
    hosts.append(Host(name: newName(for: origin), origin: origin, hasBase: asBase))
    return hosts[hosts.count - 1].name
  }

  package func base(of name: String) -> BaseURL? {
    session[name].map(\.base) ?? hosts.first { $0.name == name && $0.hasBase }.map { BaseURL(origin: $0.origin) }
  }

  /// The credential that would be sent to the origin.
  package func credential(at origin: Origin, named name: String?) -> Credential? {
    let own = name.flatMap { session[$0] } ?? (try? session.profile(for: origin))
    return own.flatMap { $0.serves(origin) ? $0.credential : nil }
  }

  /// Whether a script has to say which of several profiles it means: each of them serves the origin.
  package func areSeveral(at origin: Origin) -> Bool {
    session.all.count { $0.serves(origin) } > 1
  }

  package func session(_ name: String) -> SessionProfile? { session[name] }

  /// The profile that a bare path takes in the file: the only one with a base.
  package var bareProfile: String? {
    let based = used.filter { session[$0]?.base != nil } + hosts.filter(\.hasBase).map(\.name)
    return based.count == 1 ? based[0] : nil
  }

  /// `api` for `api.example.com`, `example` for `example.com`, `local` for an address; `local-8080` if there is a `local`.
  private func newName(for origin: Origin) -> String {
    let labels = origin.host.lowercased().split(separator: ".")
    let isAddress = origin.host.contains(":") || labels.allSatisfy { $0.allSatisfy(\.isNumber) }
    var name = isAddress || labels == ["localhost"] ? "local" : String(labels.first { $0 != "www" } ?? "host")
    name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    name = name.split(separator: "-").joined(separator: "-")
    if name.first.map({ !$0.isLetter }) ?? true { name = "host" }
    let taken = Set(hosts.map(\.name) + session.all.map(\.name))
    var unique = name
    // Several servers on one host are told apart by their ports.
    if taken.contains(name), origin.port != origin.scheme.defaultPort { unique = "\(name)-\(origin.port)" }
    name = unique
    var count = 1
    while taken.contains(unique) {
      count += 1
      unique = "\(name)-\(count)"
    }
    return unique
  }
}
