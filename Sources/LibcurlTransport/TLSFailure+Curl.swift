internal import CCurl
internal import Requests
internal import UploaderCore

extension TLSFailure {
  /// Why libcurl's TLS library trusts the server not, or can not begin.
  ///
  /// - Parameters:
  ///   - reason: libcurl's own words.
  ///   - shown: the server's certificate, as far as it came.
  init(
    _ code: CURLcode, reason: String, handle: UnsafeMutableRawPointer, shown: ShownCertificate?,
    request: TransportRequest
  ) {
    let tls = request.network.tls
    switch code {
    case CURLE_SSL_CACERT_BADFILE:
      self = .authorities(path: tls.authorities ?? "the system's store")
    case CURLE_SSL_CERTPROBLEM:
      self = .ownCertificate(path: tls.certificate ?? "", reason: reason)
    case CURLE_PEER_FAILED_VERIFICATION:
      // The numbers of X509_verify_cert (openssl/x509_vfy.h).
      switch handle.number(CURLINFO_SSL_VERIFYRESULT) {
      case 9: self = .notYetValid(shown?.validFrom)
      case 10: self = .expired(shown?.expires)
      case 18: self = .selfSigned
      case 2, 19, 20, 21: self = .unknownIssuer(shown?.issuer)
      // One is what libcurl begins with: the chain is good, and the name is not among the certificate's.
      case 0, 1, 62, 64:
        let host = (try? ParsedURL(request.url).origin.host) ?? request.url
        self = .wrongName(host: host, names: Certificate(of: handle, isVerified: false)?.names ?? [])
      default: self = .other(reason: reason)
      }
    default:
      self = .other(reason: reason)
    }
  }
}
