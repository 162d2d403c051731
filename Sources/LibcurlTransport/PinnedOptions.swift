internal import CCurl
internal import UploaderCore

/// The options that every transfer begins with: safety is not a setting. A profile can say `tls { insecure: true }` and
/// `proxy`, and change nothing else here.
enum PinnedOptions {
  /// A libcurl that rejects one of them is not used.
  static func apply(to easy: UnsafeMutableRawPointer) throws(TransportError) {
    for (option, value) in numbers { try check(curl_easy_set_long(easy, option, value), option) }
    for (option, value) in texts {
      var code = value.withCString { curl_easy_set_string(easy, option, $0) }
      // Ubuntu 22.04 has 7.81.
      if code == CURLE_UNKNOWN_OPTION, option == CURLOPT_PROTOCOLS_STR { code = curl_easy_set_web_protocols(easy) }
      try check(code, option)
    }
  }

  private static func check(_ code: CURLcode, _ option: CURLoption) throws(TransportError) {
    guard code != CURLE_OK else { return }
    throw TransportError(
      .other(reason: "libcurl refuses \(name(of: option)): \(String(cString: curl_easy_strerror(code)))"))
  }

  /// `SSL_VERIFYHOST = 2`, one for each in the order they are set; the names are libcurl's own.
  static var descriptions: [String] {
    numbers.map { "\(name(of: $0)) = \($1)" } + texts.map { "\(name(of: $0)) = \"\($1)\"" }
  }

  private static let numbers: [(CURLoption, Int)] = [
    // No signals: timeouts must not need them in a process with threads.
    (CURLOPT_NOSIGNAL, 1),
    // Redirects are followed by the uploader, which chooses the profile again at each hop, or not at all.
    (CURLOPT_FOLLOWLOCATION, 0),
    (CURLOPT_UNRESTRICTED_AUTH, 0),
    (CURLOPT_HTTP09_ALLOWED, 0),
    (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
    (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
    (CURLOPT_PATH_AS_IS, 1),
    (CURLOPT_SSL_VERIFYPEER, 1),
    (CURLOPT_SSL_VERIFYHOST, 2),
    // What a proxy asks for is not the server's response, and what is sent to the server is not for the proxy.
    (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
    (CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE)),
    // At least TLS 1.2, whatever OpenSSL is configured to accept.
    (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
    (CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
    (CURLOPT_TCP_NODELAY, 1),
    // What libcurl reads or sends in one go. With its own 16 KiB for reading, a large body costs a third more; from 128 KiB
    // on, which the C library places otherwise, up to twice as much.
    (CURLOPT_BUFFERSIZE, 64 * 1024),
    (CURLOPT_UPLOAD_BUFFERSIZE, 64 * 1024),
  ]

  private static let texts: [(CURLoption, StaticString)] = [
    (CURLOPT_PROTOCOLS_STR, "http,https"),
    // An empty proxy means none, whatever the environment says.
    (CURLOPT_PROXY, ""),
    (CURLOPT_NOPROXY, ""),
    // Every encoding this libcurl can decode.
    (CURLOPT_ACCEPT_ENCODING, ""),
  ]

  private static func name(of option: CURLoption) -> String {
    curl_easy_option_by_id(option).map { String(cString: $0.pointee.name) } ?? "\(option.rawValue)"
  }
}

extension StaticString {
  /// As it is in the program's image: nothing is copied.
  fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    withUTF8Buffer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        guard let start = bytes.baseAddress else { preconditionFailure("a static string has an address") }
        return body(start)
      }
    }
  }
}
