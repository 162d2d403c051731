internal import CCurl

/// The options that every transfer has, whatever is asked: safety is not a setting.
enum PinnedOptions {
  static func apply(to easy: UnsafeMutableRawPointer) {
    for (option, value) in numbers { curl_easy_set_long(easy, option, value) }
    for (option, value) in texts { curl_easy_set_string(easy, option, value) }
  }

  private static let numbers: [(CURLoption, Int)] = [
    // No signals: timeouts must not need them in a process with threads.
    (CURLOPT_NOSIGNAL, 1),
    // Redirects are followed by the uploader, which chooses the profile again at each hop, or not at all.
    (CURLOPT_FOLLOWLOCATION, 0),
    (CURLOPT_HTTP09_ALLOWED, 0),
    (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
    (CURLOPT_PATH_AS_IS, 1),
    (CURLOPT_SSL_VERIFYPEER, 1),
    (CURLOPT_SSL_VERIFYHOST, 2),
    (CURLOPT_TCP_NODELAY, 1),
    (CURLOPT_UPLOAD_BUFFERSIZE, 256 * 1024),
  ]

  private static let texts: [(CURLoption, String)] = [
    (CURLOPT_PROTOCOLS_STR, "http,https"),
    // An empty proxy is none, whatever the environment says.
    (CURLOPT_PROXY, ""),
    // Every encoding this libcurl can undo.
    (CURLOPT_ACCEPT_ENCODING, ""),
    (CURLOPT_USERAGENT, "workbench/0.1"),
  ]
}
