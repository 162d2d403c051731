internal import Requests
package import RunStore

/// Where a server is: `postgres://user@host/database`. A password is not part of it: the environment or a file has it.
package struct ServerAddress: Hashable, Sendable {
  /// As libpq reads it.
  let text: String
  /// What takes precedence over that.
  package let settings: [String: String]
  /// As it may be shown.
  package let description: String

  /// Whether a text is such an address, and not a directory.
  package static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// - Throws: `StoreError.address` when it has a password, or cannot be understood.
  package init(_ text: String, environment: [String: String]) throws(StoreError) {
    guard Self.isAddress(text), let start = text.firstRange(of: "://")?.upperBound else {
      throw .address("it is none such as postgres://user@host/database")
    }
    let rest = text[start...]
    let authority = rest.prefix { !"/?".contains($0) }
    let query = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first ?? ""
    let items = query.split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return (name: Self.decoded(name), value: item.dropFirst(name.count + 1))
    }
    let names = Set(items.map(\.name))
    let user = authority.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    if user.count == 2, user[0].contains(":") || user[0].contains("%3A") || user[0].contains("%3a") {
      throw .address("a password does not belong on the command line: PGPASSWORD or PGPASSFILE has it")
    }
    if names.contains("password") || names.contains("sslpassword") {
      throw .address("a password does not belong on the command line: PGPASSWORD or PGPASSFILE has it")
    }
    // A service may name any host, and say that nothing is encrypted: where it is must be in the address.
    if names.contains("service") || environment["PGSERVICE"]?.isEmpty == false {
      throw .address("name the host, and not a service: ?service=… and PGSERVICE are not read")
    }
    // libpq would try, and say that nobody can be reached, with what was taken for the port.
    let ports = (user.last ?? "").split(separator: ",").map(Self.port) + items.filter { $0.name == "port" }.map(\.value)
    guard ports.allSatisfy({ $0.isEmpty || UInt16($0) ?? 0 > 0 }) else {
      throw .address("a port is a number from 1 to 65535")
    }
    if let mode = items.last(where: { $0.name == "sslmode" })?.value, !Self.modes.contains(String(mode)) {
      throw .address("sslmode is one of \(Self.modes.joined(separator: ", "))")
    }
    self.text = text
    description = text
    var hosts = (user.last ?? "").split(separator: ",", omittingEmptySubsequences: false).map(Self.host)
    for item in items where item.name == "host" || item.name == "hostaddr" {
      hosts += item.value.split(separator: ",").map(Self.decoded)
    }
    if hosts.allSatisfy(\.isEmpty) { hosts = [environment["PGHOST"] ?? ""] }
    hosts.append(environment["PGHOSTADDR"] ?? "")
    var settings = [
      "application_name": "workbench", "connect_timeout": "5", "keepalives": "1", "keepalives_idle": "5",
      "keepalives_interval": "2", "keepalives_count": "2", "tcp_user_timeout": "8000", "client_encoding": "UTF8",
    ]
    if !hosts.allSatisfy(Self.isLocal) {
      settings["sslmode"] = "verify-full"
      if !names.contains("sslrootcert"), environment["PGSSLROOTCERT"] == nil {
        settings["sslrootcert"] = "/etc/ssl/certs/ca-certificates.crt"
      }
    }
    self.settings = settings
  }

  private static let modes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

  /// What comes after the host; empty: nothing.
  private static func port(_ text: Substring) -> Substring {
    let rest = text.hasPrefix("[") ? text.drop { $0 != "]" } : text
    return rest.drop { $0 != ":" }.dropFirst()
  }

  private static func host(_ text: Substring) -> String {
    if text.hasPrefix("[") { return decoded(text.dropFirst().prefix { $0 != "]" }) }
    return decoded(text.prefix { $0 != ":" })
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether nothing leaves this machine on the way there.
  private static func isLocal(_ host: String) -> Bool {
    if host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" {
      return true
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return parts.count == 4 && parts[0] == 127 && !parts.contains(nil)
  }
}
