import Requests

/// What a file of a `tls` setting must contain, as far as its lines show (RFC 7468); what is between them is for the
/// TLS library. This way a useless file is known before anything is sent.
enum PEMContent {
  case certificates
  /// - Parameter isOpened: whether a passphrase is given for it.
  case privateKey(isOpened: Bool)

  /// - Parameter path: for the error.
  func check(_ bytes: [UInt8], path: String) throws(NetworkSettingError) {
    let labels = Self.labels(in: bytes)
    switch self {
    case .certificates:
      guard labels.contains(where: { $0.hasSuffix("CERTIFICATE") }) else { throw .noCertificate(path: path) }
    case .privateKey(let isOpened):
      guard let label = labels.first(where: { $0.hasSuffix("PRIVATE KEY") }) else { throw .noKey(path: path) }
      if isOpened { return }
      // The second is how OpenSSL wrote it before PKCS #8 (RFC 1421 §4.6.1.1).
      if label.hasPrefix("ENCRYPTED") || labels.contains(Self.encryption) { throw .lockedKey(path: path) }
    }
  }

  private static let encryption: Substring = "Proc-Type: 4,ENCRYPTED"

  /// `CERTIFICATE` of each `-----BEGIN CERTIFICATE-----`, and the line that marks a key as encrypted.
  private static func labels(in bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      if line.hasPrefix(encryption) { return encryption }
      guard line.hasPrefix("-----BEGIN "), let end = line.dropFirst(11).firstRange(of: "-----") else { return nil }
      return line.dropFirst(11)[..<end.lowerBound]
    }
  }
}
