/// One origin, or a family of them in which `*` stands for one label of the host:
/// `https://*.s3.example.com`.
public struct OriginPattern: Hashable, Sendable, CustomStringConvertible {
  /// The scheme; no other matches.
  public let scheme: Origin.Scheme
  /// In lowercase.
  public let host: String
  /// The scheme's default if the text named none.
  public let port: Int

  /// The pattern that only this origin matches.
  public init(_ origin: Origin) {
    scheme = origin.scheme
    host = origin.host
    port = origin.port
  }

  /// A pattern as people write it.
  public init(_ text: String) throws(OriginError) {
    guard let colon = text.firstRange(of: "://"),
      let scheme = Origin.Scheme(rawValue: text[..<colon.lowerBound].lowercased())
    else { throw OriginError.scheme(text) }
    let (host, rest) = Self.splitHost(text[colon.upperBound...])
    guard Self.isHost(host) else { throw OriginError.host(text) }
    self.scheme = scheme
    self.host = Origin.normalized(String(host))
    let port = rest.hasSuffix("/") ? rest.dropLast() : rest
    guard port.isEmpty || port.first == ":" else { throw OriginError.trailing(text) }
    if port.isEmpty {
      self.port = scheme.defaultPort
    } else {
      let digits = port.dropFirst()
      guard digits.utf8.allSatisfy(\.isDigit), let number = Int(digits), (1...65535).contains(number) else {
        throw OriginError.port(text)
      }
      self.port = number
    }
  }

  /// The single origin this pattern stands for, nil if it has a `*`.
  public var origin: Origin? {
    host.contains("*") ? nil : Origin(scheme: scheme, host: host, port: port)
  }

  /// Whether the origin belongs to this family; `*` is exactly one label, not empty.
  public func matches(_ origin: Origin) -> Bool {
    guard scheme == origin.scheme, port == origin.port else { return false }
    // Asked of every profile for every request, and mostly there is no `*`.
    guard host != origin.host else { return true }
    guard host.utf8.contains(UInt8(ascii: "*")) else { return false }
    let wanted = host.split(separator: ".", omittingEmptySubsequences: false)
    let given = origin.host.split(separator: ".", omittingEmptySubsequences: false)
    guard wanted.count == given.count else { return false }
    return zip(wanted, given).allSatisfy { wanted, given in
      wanted == given || (wanted == "*" && !given.isEmpty)
    }
  }

  /// Whether everything that the other matches is matched by this one too.
  package func covers(_ other: OriginPattern) -> Bool {
    guard scheme == other.scheme, port == other.port else { return false }
    guard host != other.host else { return true }
    let wide = host.split(separator: ".", omittingEmptySubsequences: false)
    let narrow = other.host.split(separator: ".", omittingEmptySubsequences: false)
    return wide.count == narrow.count && zip(wide, narrow).allSatisfy { $0 == $1 || $0 == "*" }
  }

  /// How narrow the pattern is: the fewer `*`, the greater the value.
  public var specificity: Int {
    host.utf8.contains(UInt8(ascii: "*")) ? -host.split(separator: ".").count { $0 == "*" } : 0
  }

  public var description: String {
    port == scheme.defaultPort ? "\(scheme.rawValue)://\(host)" : "\(scheme.rawValue)://\(host):\(port)"
  }

  private static func splitHost(_ text: Substring) -> (host: Substring, rest: Substring) {
    if text.utf8.first == UInt8(ascii: "["), let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) {
      let after = text.utf8.index(after: end)
      return (text[..<after], text[after...])
    }
    let end = text.utf8.firstIndex { ":/?#".utf8.contains($0) } ?? text.endIndex
    return (text[..<end], text[end...])
  }

  private static func isHost(_ host: Substring) -> Bool {
    let bytes = host.utf8
    if bytes.first == UInt8(ascii: "[") {
      let address = host.dropFirst().dropLast()
      let zone = address.firstRange(of: "%25")
      let digits = address[..<(zone?.lowerBound ?? address.endIndex)].utf8
      let isZone = zone.map { zone in
        zone.upperBound < address.endIndex
          && address[zone.upperBound...].utf8.allSatisfy { $0.isAlphanumeric || "-._~".utf8.contains($0) }
      }
      return digits.count > 1 && digits.allSatisfy { $0.isHexDigit || ":.".utf8.contains($0) } && isZone ?? true
    }
    return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
      label.elementsEqual("*".utf8)
        || (!label.isEmpty && label.allSatisfy { $0.isAlphanumeric || "-_".utf8.contains($0) })
    }
  }
}

extension UInt8 {
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  fileprivate var isDigit: Bool { Self.digits.contains(self) }
  fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
  fileprivate var isAlphanumeric: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}

extension Character {
  var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isWholeNumber) }
}
