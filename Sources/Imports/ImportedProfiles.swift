package import Diagnostics
import JSONValue
package import RequestSyntax
import Requests

/// The profiles that a script of another tool needs: where its requests go, and what that tool does by default.
package struct ImportedProfiles {
  /// How an entry connects, where that is said for it alone.
  package struct Connection: Hashable, Sendable {
    package var tls: [String: String] = [:]
    /// Whether the client's own key has a passphrase, which is not written down.
    package var hasPassphrase = false
    package var acceptsAnyCertificate = false
    package var proxy: String?
    package var http: String?
    package var unixSocket: String?
    package var hosts: [String: String] = [:]
    /// Whether cookies are kept, if that is said for it alone.
    package var keepsCookies = false

    package init() {}

    /// The settings of a profile that say so.
    package var settings: [SettingSyntax.Kind] {
      var all: [SettingSyntax.Kind] = []
      if keepsCookies { all.append(.cookies(isOn: true)) }
      if let proxy { all.append(.proxy(.value(proxy))) }
      if let http { all.append(.http(.number(NumberSyntax(http)))) }
      if let unixSocket { all.append(.unixSocket(.value(unixSocket))) }
      for (host, address) in hosts.sorted(by: { $0.key < $1.key }) {
        all.append(.resolve(host: host, address: WordSyntax([.text(address)])))
      }
      var tls = tls.sorted { $0.key < $1.key }.map { ObjectSyntax.Member.field($0.key, .text($0.value)) }
      if hasPassphrase { tls.append(.field("passphrase", .environment("PASSPHRASE"))) }
      if acceptsAnyCertificate { tls.append(.field("insecure", ExpressionSyntax(true))) }
      if !tls.isEmpty { all.append(.tls(ObjectSyntax(tls))) }
      return all
    }
  }

  private let name: String
  private var connections: [Connection] = []
  private var places: [Connection: Int] = [:]
  private var origins: [[ExpressionSyntax]] = []
  private var known: [Set<ExpressionSyntax>] = []
  private var bases: [ExpressionSyntax?] = []
  /// What is said in each of them.
  package var settings: [SettingSyntax.Kind]
  /// Whether it is written although no request goes there: a secret is bound to it.
  var isNeeded = false

  package init(name: String, settings: [SettingSyntax.Kind] = ImportedProfiles.hurl) {
    self.name = name
    self.settings = settings
  }

  /// What Hurl does: it keeps cookies, follows nothing, sends once and takes bodies as they are.
  package static let hurl: [SettingSyntax.Kind] = [
    .cookies(isOn: true), .clause(ClauseSyntax(.redirects(nil))), .clause(ClauseSyntax(.retry(.none))),
    .clause(.omittedHeader("Accept-Encoding")),
  ]

  var names: [String] { connections.isEmpty && isNeeded ? [name] : connections.indices.map { name(at: $0) } }

  /// What is made of where requests go.
  var addressNames: Set<String> {
    Set(origins.flatMap(\.self).flatMap(\.rootNames) + bases.compactMap(\.self).flatMap(\.rootNames))
  }

  private func name(at index: Int) -> String { index == 0 ? name : "\(name)-\(index + 1)" }

  /// Where a request goes.
  package enum Place {
    case origin(ExpressionSyntax)
    case base(ExpressionSyntax)
    /// Only the run knows.
    case unknown
  }

  /// Notes where an entry goes and how.
  ///
  /// - Returns: its profile.
  package mutating func add(_ place: Place, _ connection: Connection) -> String {
    isNeeded = true
    let index = places[connection] ?? connections.count
    if index == connections.count {
      places[connection] = index
      connections.append(connection)
      origins.append([])
      known.append([])
      bases.append(nil)
    }
    switch place {
    case .origin(let origin): add(origin, index)
    case .base(let base):
      if bases[index] == nil || bases[index] == base {
        bases[index] = base
      } else {
        add(base, index)
      }
    case .unknown: break
    }
    return name(at: index)
  }

  private mutating func add(_ origin: ExpressionSyntax, _ index: Int) {
    if known[index].insert(origin).inserted { origins[index].append(origin) }
  }

  /// The statements that give names their values from the environment: those that are called like secrets, or used as
  /// such, go to these profiles alone.
  package func declarations(
    of names: [(variable: String, name: String)], _ credentials: CapturedCredentials? = nil,
    in source: SourceText? = nil, variable: (String) -> String
  ) -> (names: [StatementSyntax], secrets: [StatementSyntax]) {
    let profiles = connections.indices.map { name(at: $0) }
    let used = addressNames
    let places = source?.placeholders() ?? [:]
    var plain: [StatementSyntax] = []
    var secrets: [StatementSyntax] = []
    for (wanted, name) in names {
      var value = ExpressionSyntax.environment(variable(wanted))
      // What is said about it is said where it is used first.
      if let place = places[wanted]?.first { value = value.placed(at: place) }
      if SensitiveName.contains(wanted) || credentials?.contains(name) ?? false, !profiles.isEmpty, !used.contains(name)
      {
        secrets.append(.secret(SecretSyntax(name, value, for: profiles)))
      } else {
        plain.append(.binding(LetSyntax(name, value)))
      }
    }
    return (plain, secrets)
  }

  /// Whether a step has to say which it goes with.
  package var areAmbiguous: Bool { connections.count > 1 }

  package var statements: [StatementSyntax] {
    guard isNeeded else { return [] }
    return connections.indices.map { index in
      var all: [SettingSyntax.Kind] = []
      if let base = bases[index] { all.append(.base(base)) }
      all += origins[index].map { .origin($0) }
      all += settings + connections[index].settings
      return .profile(ProfileSyntax(name(at: index), all))
    }
  }
}

extension ExpressionSyntax {
  /// The names that it refers to.
  fileprivate var rootNames: [String] {
    var names: [String] = []
    forEachReference { names.append($0.root.text) }
    return names
  }
}

extension SourceText {
  /// Where each `{{name}}` is written, in order.
  ///
  /// - Parameter inComments: whether those in comments count; in a body, a line with `#` is none.
  func placeholders(inComments: Bool = false) -> [String: [SourceRange]] {
    var places: [String: [SourceRange]] = [:]
    var isComment = false
    var isLineStart = true
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\n") {
        (isLineStart, isComment) = (true, false)
      } else if isLineStart, byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") {
        (isLineStart, isComment) = (false, byte == UInt8(ascii: "#") && !inComments)
      }
      if !isComment, byte == UInt8(ascii: "{"), let inner = placeholder(at: position) {
        let name = self[inner].trimmed
        places[name, default: []].append(SourceRange(position, inner.upperBound + 2))
      }
      position += 1
    }
    return places
  }

  /// What is between `{{` here and `}}` after it, in the same line; nil: these are not both there.
  private func placeholder(at position: Int) -> SourceRange? {
    guard bytes[position...].starts(with: "{{".utf8) else { return nil }
    let inner = bytes[(position + 2)...].prefix {
      ![UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\n")].contains($0)
    }
    guard bytes[inner.endIndex...].starts(with: "}}".utf8) else { return nil }
    return SourceRange(inner.startIndex, inner.endIndex)
  }
}
