internal import CCurl
internal import Requests
internal import UploaderCore

extension TransportError.Fact {
  /// What happened, according to libcurl's result.
  ///
  /// - Parameters:
  ///   - text: libcurl's own words, which often say more than the code.
  ///   - shown: the server's certificate, as far as it was received.
  ///   - host: the server's.
  init(
    _ code: CURLcode, text: String, handle: UnsafeMutableRawPointer, shown: ShownCertificate?,
    host: String, request: TransportRequest
  ) {
    let reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    switch code {
    case CURLE_URL_MALFORMAT:
      self = .url(request.url, reason: reason)
    case CURLE_COULDNT_RESOLVE_HOST:
      self = .resolve(host: host)
    case CURLE_COULDNT_CONNECT:
      let system = Self.connectReason(of: handle) ?? reason
      self = .connect(reason: request.network.proxy.map { "the proxy \($0.authority): \(system)" } ?? system)
    case CURLE_COULDNT_RESOLVE_PROXY:
      self = .proxy(reason: "no address is known for \(request.network.proxy?.host ?? "it")")
    case CURLE_PROXY:
      self = .proxy(reason: reason)
    // A refused CONNECT is the only receive failure before anything was sent through a proxy.
    case CURLE_RECV_ERROR where request.network.proxy != nil && reason.contains("CONNECT tunnel failed"):
      self = .proxy(reason: reason)
    case CURLE_OPERATION_TIMEDOUT:
      if handle.offset(CURLINFO_PRETRANSFER_TIME_T) == 0, request.timeout.map({ $0 > request.limits.connect }) ?? true {
        self = .connectTimeout(after: request.limits.connect)
      } else {
        self = .timeout(after: request.timeout ?? request.limits.connect)
      }
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_NOTFOUND, CURLE_USE_SSL_FAILED:
      self = .tls(TLSFailure(code, reason: reason, handle: handle, shown: shown, host: host, request: request))
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      self = .connectionLost(reason: reason)
    // The unsupported protocol is HTTP/0.9: a URL of another scheme never gets here.
    // Write errors are those that libcurl itself finds: our own failures are already known.
    case CURLE_WRITE_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
      self = .malformedResponse(reason: reason)
    default:
      self = .other(reason: reason)
    }
  }

  /// The system's reason why there is no connection: `Connection refused`.
  private static func connectReason(of handle: UnsafeMutableRawPointer) -> String? {
    var number = 0
    curl_easy_get_long(handle, CURLINFO_OS_ERRNO, &number)
    return number == 0 ? nil : SystemError(number: Int32(number)).description
  }
}
