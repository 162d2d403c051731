internal import CCurl
internal import Requests
internal import UploaderCore

/// How the connection of a transfer is made, and what is known of it afterwards.
extension Transfer {
  func configureNetwork(_ easy: UnsafeMutableRawPointer) {
    let (network, origin) = (request.network, url.origin)
    if origin.scheme == .https { configure(network.tls, of: easy) }
    if origin.scheme == .https || network.proxy?.kind == .https { curl_easy_set_long(easy, CURLOPT_CERTINFO, 1) }
    switch network.version {
    case .automatic: break
    case .http1: curl_easy_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    case .http2:
      let version = origin.scheme == .https ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
      curl_easy_set_long(easy, CURLOPT_HTTP_VERSION, Int(version))
    }
    if let proxy = network.proxy { configure(proxy, of: easy) }
    if let path = network.unixSocket { curl_easy_set_string(easy, CURLOPT_UNIX_SOCKET_PATH, path) }
    if let other = network.resolve.first(where: { $0.host == origin.host }) {
      // Not CURLOPT_RESOLVE: that would stay with the connections when the profile changes.
      let port = other.port.map { "\($0)" } ?? ""
      connectTo = curl_slist_append(connectTo, "\(origin.host):\(origin.port):\(other.address):\(port)")
      curl_easy_set_list(easy, CURLOPT_CONNECT_TO, connectTo)
    }
  }

  private func configure(_ tls: NetworkSettings.TLS, of easy: UnsafeMutableRawPointer) {
    if let path = tls.authorities {
      curl_easy_set_string(easy, CURLOPT_CAINFO, path)
      curl_easy_set_string(easy, CURLOPT_CAPATH, nil)
    }
    if let path = tls.certificate {
      curl_easy_set_string(easy, CURLOPT_SSLCERT, path)
      curl_easy_set_string(easy, CURLOPT_SSLKEY, tls.key ?? path)
    }
    if tls.isInsecure {
      curl_easy_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
      curl_easy_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
    }
  }

  private func configure(_ proxy: Proxy, of easy: UnsafeMutableRawPointer) {
    curl_easy_set_string(easy, CURLOPT_PROXY, "\(proxy.kind.rawValue)://\(proxy.authority)")
    if let path = proxy.authorities {
      curl_easy_set_string(easy, CURLOPT_PROXY_CAINFO, path)
      curl_easy_set_string(easy, CURLOPT_PROXY_CAPATH, nil)
    }
    if let user = proxy.user { curl_easy_set_string(easy, CURLOPT_PROXYUSERNAME, user) }
    proxy.password?.withExposedText { text in
      curl_easy_set_string(easy, CURLOPT_PROXYPASSWORD, text)
      return ()
    }
  }

  /// What is known of the connection once the transfer is over.
  ///
  /// - Parameter certificates: those of connections that stand, by both their ends; libcurl tells one only to the
  ///   transfer that made the connection.
  func connectionFacts(_ easy: UnsafeMutableRawPointer, certificates: inout [String: Certificate]) -> ConnectionFacts {
    let remote = easy.address(CURLINFO_PRIMARY_IP, port: CURLINFO_PRIMARY_PORT)
    let isReused = easy.number(CURLINFO_NUM_CONNECTS) == 0
    guard url.origin.scheme == .https else {
      return ConnectionFacts(address: remote, isReused: isReused)
    }
    let ends = "\(easy.address(CURLINFO_LOCAL_IP, port: CURLINFO_LOCAL_PORT) ?? "") \(remote ?? "") \(url.origin.host)"
    if !isReused { certificates[ends] = Certificate(of: easy, isVerified: !request.network.tls.isInsecure) }
    return ConnectionFacts(address: remote, isReused: isReused, certificate: certificates[ends])
  }
}

extension UnsafeMutableRawPointer {
  fileprivate func address(_ address: CURLINFO, port: CURLINFO) -> String? {
    guard let text = text(address), !text.isEmpty else { return nil }
    return (text.utf8.contains(UInt8(ascii: ":")) ? "[" + text + "]" : text) + ":" + String(number(port))
  }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    curl_easy_get_long(self, info, &value)
    return value
  }

  private func text(_ info: CURLINFO) -> String? {
    var text: UnsafeMutableRawPointer?
    curl_easy_get_pointer(self, info, &text)
    return text.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
  }
}
