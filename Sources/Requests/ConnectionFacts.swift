public import JSONValue

/// The connection a response came over.
public struct ConnectionFacts: Hashable, Sendable {
  /// The address connected to, with its port, `127.0.0.1:443`; the proxy's if there is one; nil for a socket without
  /// one.
  //
  // Written out, these are not set to nil before `init` sets them, so that nothing is copied when they are made.
  public var address: Optional<String>
  /// Whether it was already open.
  public var isReused: Bool
  /// What the server presented; nil without TLS.
  public var certificate: Optional<Certificate>

  public init(address: String? = nil, isReused: Bool = false, certificate: Certificate? = nil) {
    self.address = address
    self.isReused = isReused
    self.certificate = certificate
  }
}

/// A server's certificate (RFC 5280), as far as people look at it.
public struct Certificate: Hashable, Sendable {
  /// `CN = api.example.com`, as the TLS library writes it.
  public var subject: String
  /// `CN = Example Root`, who signed it.
  public var issuer: String
  /// The hosts it is for: `api.example.com`, `*.example.com`, `127.0.0.1`.
  public var names: [String]
  /// In UTC, as RFC 3339 has it.
  public var validFrom: String?
  /// In UTC, as RFC 3339 has it.
  public var expires: String?
  /// In hex, byte by byte: `1e:e8:b1:7f`.
  public var serial: String?
  /// Whether it was verified; false if the profile says `insecure`.
  public var isVerified: Bool

  public init(
    subject: String, issuer: String, names: [String] = [], validFrom: String? = nil, expires: String? = nil,
    serial: String? = nil, isVerified: Bool = true
  ) {
    self.subject = subject
    self.issuer = issuer
    self.names = names
    self.validFrom = validFrom
    self.expires = expires
    self.serial = serial
    self.isVerified = isVerified
  }
}

extension Certificate: JSONRepresentable {
  /// As scripts and reports show it: `subject`, `issuer`, `names`, `validFrom`, `expires`, `serial`, `verified`.
  public var json: JSON {
    [
      "subject": .string(subject), "issuer": .string(issuer), "names": .array(names.map(JSON.string)),
      "validFrom": validFrom.map(JSON.string) ?? .null, "expires": expires.map(JSON.string) ?? .null,
      "serial": serial.map(JSON.string) ?? .null, "verified": .bool(isVerified),
    ]
  }
}
