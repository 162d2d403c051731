internal import CCurl
internal import HTTPTypes
internal import UploaderCore

/// All that a libcurl handle is told of one request, besides how its connection is made.
///
/// To tell it takes as long as all callbacks of a small response, and request after request mostly has the same.
struct Errand {
  let url: ParsedURL
  let method: HTTPRequest.Method
  /// The length of the body, in bytes; nil: there is none.
  let bodyCount: Int?
  let headers: HeaderList
  /// Whether it has a connection of its own.
  let isAlone: Bool
  /// How long to wait for the connection, in milliseconds.
  let patience: Int

  /// Sets it, and reverts whatever another one set.
  func apply(to easy: UnsafeMutableRawPointer) {
    curl_easy_set_url(easy, url.handle)
    curl_easy_set_long(easy, CURLOPT_FRESH_CONNECT, isAlone ? 1 : 0)
    curl_easy_set_long(easy, CURLOPT_FORBID_REUSE, 0)
    curl_easy_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, patience)

    // It reverts an upload and the wish for no body.
    curl_easy_set_long(easy, CURLOPT_HTTPGET, 1)
    if let bodyCount {
      curl_easy_set_long(easy, CURLOPT_UPLOAD, 1)
      curl_easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(bodyCount))
    } else if method == .head {
      curl_easy_set_long(easy, CURLOPT_NOBODY, 1)
    } else if method == .post || method == .put || method == .patch {
      // These announce even an empty body (RFC 9110 §8.6).
      curl_easy_set_long(easy, CURLOPT_UPLOAD, 1)
      curl_easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, 0)
    }
    // GET is what it sends anyway, and would be copied.
    if method == .get, bodyCount == nil {
      curl_easy_set_string(easy, CURLOPT_CUSTOMREQUEST, nil)
    } else {
      _ = method.rawValue.withCString { curl_easy_set_string(easy, CURLOPT_CUSTOMREQUEST, $0) }
    }
    curl_easy_set_headers(easy, headers.first)
    // Called on every iteration. What comes back is seen when it arrives.
    curl_easy_set_long(easy, CURLOPT_NOPROGRESS, bodyCount == nil ? 1 : 0)
  }
}

extension Errand: Equatable {
  /// libcurl has the very URL and the very lines.
  static func == (one: Errand, other: Errand) -> Bool {
    one.url === other.url && one.headers === other.headers && one.method == other.method
      && one.bodyCount == other.bodyCount && one.isAlone == other.isAlone && one.patience == other.patience
  }
}
