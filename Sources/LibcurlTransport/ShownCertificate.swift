/// The contents of a server's certificate, read from the handshake (RFC 5280 §4.1): libcurl reports nothing about one
/// that is not trusted.
struct ShownCertificate: Hashable {
  /// `C = US, O = Let's Encrypt, CN = R3`: the parts that have a short name.
  private(set) var issuer: String?
  /// In UTC, in RFC 3339 format.
  private(set) var validFrom: String?
  private(set) var expires: String?

  /// The server's own certificate, if this is the handshake message that contains it (RFC 8446 §4.4.2, RFC 5246
  /// §7.4.2).
  init?(message: some Collection<UInt8>) {
    let message = Array(message)
    guard message.first == 11, message.count > 4, Self.length(message[1..<4]) == message.count - 4 else { return nil }
    var rest = message[4...]
    // TLS 1.3 begins with a context, which is empty for a server.
    if rest.first == 0, Self.length(rest.dropFirst().prefix(3)) == rest.count - 4 { rest = rest.dropFirst() }
    let list = rest.dropFirst(3)
    guard let length = Self.length(list.prefix(3)), length <= list.count - 3 else { return nil }
    self.init(encoded: list.dropFirst(3).prefix(length))
  }

  /// - Parameter encoded: in DER.
  init?(encoded: ArraySlice<UInt8>) {
    var file = DERReader(encoded)
    guard var certificate = file.next(.sequence)?.reader, var facts = certificate.next(.sequence)?.reader else {
      return nil
    }
    _ = facts.next(.version)
    guard facts.next(.integer) != nil, facts.next(.sequence) != nil, let issuer = facts.next(.sequence),
      var validity = facts.next(.sequence)?.reader
    else { return nil }
    self.issuer = Self.name(issuer.reader)
    validFrom = validity.next().flatMap(Self.time)
    expires = validity.next().flatMap(Self.time)
  }

  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.count == 3 ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
  }

  private static func name(_ reader: DERReader) -> String? {
    var (reader, parts) = (reader, [String]())
    while var set = reader.next(.set)?.reader {
      while var part = set.next(.sequence)?.reader {
        guard let kind = part.next(.objectIdentifier), let value = part.next(), value.isText,
          kind.content.count == 3, kind.content.starts(with: [0x55, 0x04]),
          let short = kind.content.last.flatMap({ shortNames[$0] })
        else { continue }
        parts.append("\(short) = \(String(decoding: value.content.prefix(128), as: UTF8.self))")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Attributes below 2.5.4 (RFC 4519).
  private static let shortNames: [UInt8: String] = [3: "CN", 6: "C", 7: "L", 8: "ST", 10: "O", 11: "OU"]

  /// `261221083000Z` or `20261221083000Z`; two-digit years are in 1950 to 2049.
  private static func time(_ element: DERReader.Element) -> String? {
    var digits = String(decoding: element.content, as: UTF8.self)
    if element.tag == .utcTime, digits.count == 13 { digits = (digits < "5" ? "20" : "19") + digits }
    guard digits.count == 15, digits.last == "Z", digits.dropLast().allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    var rest = digits.dropLast()
    func take(_ count: Int) -> Substring {
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    return "\(take(4))-\(take(2))-\(take(2))T\(take(2)):\(take(2)):\(take(2))Z"
  }
}
