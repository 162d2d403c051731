internal import CCurl
internal import Requests
internal import UploaderCore

/// A URL, parsed once by libcurl; the same parts are checked and connected to.
final class ParsedURL: Sendable {
  /// SAFETY: it never changes after its creation; libcurl makes a copy for each transfer.
  nonisolated(unsafe) let handle: OpaquePointer
  let origin: Origin

  init(_ text: String) throws(TransportError) {
    guard let handle = curl_url() else { throw TransportError(.other(reason: "out of memory")) }
    let flags = UInt32(CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)
    let code = curl_url_set(handle, CURLUPART_URL, text, flags)
    guard code == CURLUE_OK, !text.utf8.contains(0) else {
      curl_url_cleanup(handle)
      throw TransportError(.url(text, reason: Self.reason(code)))
    }
    guard let scheme = Self.part(CURLUPART_SCHEME, of: handle).flatMap({ Origin.Scheme(rawValue: $0.lowercased()) }),
      let host = Self.part(CURLUPART_HOST, of: handle),
      let port = Self.part(CURLUPART_PORT, of: handle).flatMap({ Int($0) })
    else {
      curl_url_cleanup(handle)
      throw TransportError(.url(text, reason: "only http:// and https:// are supported"))
    }
    self.handle = handle
    // The same address on another link is another host.
    let zone = Self.part(CURLUPART_ZONEID, of: handle)
    origin = Origin(scheme: scheme, host: zone.map { "\(host.dropLast())%25\($0)]" } ?? host, port: port)
  }

  deinit {
    curl_url_cleanup(handle)
  }

  private static func part(_ part: CURLUPart, of handle: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }

  private static func reason(_ code: CURLUcode) -> String {
    switch code {
    case CURLUE_USER_NOT_ALLOWED: "user names and passwords have no place in a URL; give them to a profile: auth basic"
    case CURLUE_UNSUPPORTED_SCHEME: "only http:// and https:// are supported"
    case CURLUE_BAD_SCHEME: "it does not begin with http:// or https://"
    case CURLUE_MALFORMED_INPUT: "it has a space or a control character, or is not a URL at all"
    case CURLUE_OK: "it has a NUL character"
    default: String(cString: curl_url_strerror(code))
    }
  }
}
