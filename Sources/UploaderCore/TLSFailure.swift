public import Requests

/// Why there is no trust between us and a server.
public indirect enum TLSFailure: Hashable, Sendable {
  /// No trusted authority has signed the certificate.
  case unknownIssuer(String?)
  /// The certificate is signed by nobody but itself.
  case selfSigned
  /// When, as RFC 3339 has it, if it is known.
  case expired(String?)
  /// From when it is valid, as RFC 3339 has it, if it is known.
  case notYetValid(String?)
  /// The certificate is for other hosts.
  case wrongName(host: String, names: [String])
  /// The file of authorities can not be used.
  case authorities(path: String)
  /// Our own certificate or its key can not be used.
  case ownCertificate(path: String, reason: String)
  /// The private key in this file does not open with the passphrase, or is not the certificate's.
  case passphrase(path: String)
  /// The server speaks no version that is new enough; this one is the oldest that is spoken here.
  case tooOld(minimum: NetworkSettings.TLS.Minimum)
  /// It is the proxy of this host and port that there is no trust in.
  case proxy(String, TLSFailure)
  /// Anything else, in the TLS library's words.
  case other(reason: String)
}
