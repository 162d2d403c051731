import Requests

/// What a `tls` setting gives for the client's own certificate, as far as it is known.
struct OwnCertificate {
  var hasCertificate = false
  var hasKey = false
  var hasPassphrase = false

  /// Throws for what makes no sense whatever the files contain.
  func check() throws(NetworkSettingError) {
    if hasCertificate { return }
    if hasKey { throw .keyWithoutCertificate }
    if hasPassphrase { throw .passphraseWithoutCertificate }
  }

  /// Checks whether the certificate's file can be used.
  ///
  /// - Returns: its format.
  func format(of bytes: [UInt8], path: String) throws(NetworkSettingError) -> NetworkSettings.TLS.Format {
    if Self.isPKCS12(bytes) {
      if hasKey { throw .keyBesidePKCS12 }
      return .pkcs12
    }
    try PEMContent.certificates.check(bytes, path: path)
    if !hasKey { try key.check(bytes, path: path) }
    return .pem
  }

  /// What the file of its key must contain.
  var key: PEMContent { .privateKey(isOpened: hasPassphrase) }

  /// Whether it starts as PKCS #12 does: a sequence whose first element is the number 3 (RFC 7292 §4). A certificate in
  /// DER starts with two sequences.
  private static func isPKCS12(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 16, bytes[0] == 0x30 else { return false }
    // In a long length, the first byte gives the number of bytes that follow.
    let header = bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7f)
    return header <= 6 && bytes[header..<header + 3] == [0x02, 0x01, 0x03]
  }
}
