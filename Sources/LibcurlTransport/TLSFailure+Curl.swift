internal import CCurl
internal import Requests
internal import UploaderCore

extension TLSFailure {
  /// Why libcurl's TLS library does not trust the server, or cannot begin.
  ///
  /// - Parameters:
  ///   - reason: libcurl's own words.
  ///   - shown: the server's certificate, as far as it was received.
  ///   - host: the server's.
  init(
    _ code: CURLcode, reason: String, handle: UnsafeMutableRawPointer, shown: ShownCertificate?,
    host: String, request: TransportRequest
  ) {
    let proxy = request.network.proxy.flatMap { $0.kind == .https ? $0 : nil }
    // If a tunnel was requested, the TLS that failed is the server's own.
    let isOfProxy = handle.number(CURLINFO_HTTP_CONNECTCODE) == 0
    if let proxy, isOfProxy {
      self = .proxy(
        proxy.authority,
        TLSFailure(
          code, reason: reason, handle: handle, result: CURLINFO_PROXY_SSL_VERIFYRESULT, shown: shown, host: proxy.host,
          tls: NetworkSettings.TLS(authorities: proxy.authorities)))
    } else if proxy != nil, code == CURLE_SSL_CONNECT_ERROR {
      // To tell the server why, libcurl writes through the proxy's TLS, and loses the reason for the server's failure.
      self = .other(
        reason: "TLS inside the proxy's TLS failed, probably because its certificate is not trusted (\(reason))")
    } else {
      self.init(
        code, reason: reason, handle: handle, result: CURLINFO_SSL_VERIFYRESULT, shown: shown, host: host,
        tls: request.network.tls)
    }
  }

  /// - Parameters:
  ///   - result: where libcurl keeps the result of the certificate check.
  ///   - host: whose certificate it should be.
  ///   - tls: what it was checked with.
  private init(
    _ code: CURLcode, reason: String, handle: UnsafeMutableRawPointer, result: CURLINFO, shown: ShownCertificate?,
    host: String, tls: NetworkSettings.TLS
  ) {
    switch code {
    case CURLE_SSL_CACERT_BADFILE:
      self = .authorities(path: tls.authorities ?? "the system's store")
    case CURLE_SSL_CERTPROBLEM:
      // libcurl has no code for it, and OpenSSL's reason is not passed on.
      let isLocked =
        reason.hasPrefix("could not parse PKCS12 file") || reason.hasPrefix("unable to set private key file")
      if isLocked, tls.passphrase != nil || reason.contains("PKCS12") {
        self = .passphrase(path: tls.key ?? tls.certificate ?? "")
      } else {
        self = .ownCertificate(path: tls.certificate ?? "", reason: reason)
      }
    case CURLE_PEER_FAILED_VERIFICATION:
      // The numbers of X509_verify_cert (openssl/x509_vfy.h).
      switch handle.number(result) {
      case 9: self = .notYetValid(shown?.validFrom)
      case 10: self = .expired(shown?.expires)
      case 18: self = .selfSigned
      case 2, 19, 20, 21: self = .unknownIssuer(shown?.issuer)
      // Initially libcurl sets 1: the chain is valid, but the name is not among the certificate's.
      case 0, 1, 62, 64:
        self = .wrongName(host: host, names: Certificate(of: handle, isVerified: false)?.names ?? [])
      default: self = .other(reason: reason)
      }
    // The server's alert, or its hello in an older version (OpenSSL's words).
    case CURLE_SSL_CONNECT_ERROR
    where reason.contains("alert protocol version") || reason.contains("unsupported protocol"):
      self = .tooOld(minimum: tls.minimum)
    default:
      self = .other(reason: reason)
    }
  }
}
