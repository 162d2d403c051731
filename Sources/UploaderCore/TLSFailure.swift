public import Requests

/// Why TLS verification with a server failed.
public indirect enum TLSFailure: Hashable, Sendable {
  /// No trusted authority has signed the certificate.
  case unknownIssuer(String?)
  /// The certificate is signed only by itself.
  case selfSigned
  /// When it expired, in RFC 3339 format, if known.
  case expired(String?)
  /// From when it is valid, in RFC 3339 format, if known.
  case notYetValid(String?)
  /// The certificate is for other hosts.
  case wrongName(host: String, names: [String])
  /// The file of authorities cannot be used.
  case authorities(path: String)
  /// Our own certificate or its key cannot be used.
  case ownCertificate(path: String, reason: String)
  /// The private key in this file cannot be decrypted with the passphrase, or is not the certificate's.
  case passphrase(path: String)
  /// The server supports no version that is new enough; this one is the oldest that is accepted here.
  case tooOld(minimum: NetworkSettings.TLS.Minimum)
  /// The verification of the proxy with this host and port failed.
  case proxy(String, TLSFailure)
  /// Anything else, in the TLS library's words.
  case other(reason: String)
}
