internal import CCurl
internal import Requests

extension Certificate {
  /// The certificate that the server presented in this transfer.
  init?(of easy: UnsafeMutableRawPointer, isVerified: Bool) {
    var texts: [String: String] = [:]
    var line = curl_easy_certificate(easy)
    while let entry = line {
      let text = String(cString: entry.pointee.data)
      if let colon = text.firstIndex(of: ":") {
        texts[String(text[..<colon])] = String(text[text.index(after: colon)...])
      }
      line = entry.pointee.next
    }
    guard let subject = texts["Subject"] else { return nil }
    self.init(
      subject: subject, issuer: texts["Issuer"] ?? "",
      names: Self.names(texts["X509v3 Subject Alternative Name"] ?? ""),
      validFrom: texts["Start date"].flatMap(Self.date), expires: texts["Expire date"].flatMap(Self.date),
      serial: texts["Serial Number"].map(Self.serial), isVerified: isVerified)
  }

  /// `1EE8B17F`, or with colons, as the TLS library writes it.
  private static func serial(_ text: String) -> String {
    let digits = Array(text.lowercased().filter(\.isHexDigit))
    let padded = digits.count % 2 == 0 ? digits : ["0"] + digits
    return stride(from: 0, to: padded.count, by: 2).map { String(padded[$0...$0 + 1]) }.joined(separator: ":")
  }

  /// `DNS:api.example.com, IP Address:127.0.0.1`
  private static func names(_ text: String) -> [String] {
    text.split(separator: ",").compactMap { name in
      let parts = name.drop { $0 == " " }.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0] == "DNS" || parts[0] == "IP Address" else { return nil }
      return String(parts[1])
    }
  }

  /// `Nov  6 08:49:37 2026 GMT` in RFC 3339 format: the parts are those of a cookie's date, which may be in any order.
  private static func date(_ text: String) -> String? { DateText.cookie(text).map { CivilTime($0).rfc3339 } }
}
