internal import CCurl
internal import POSIX
internal import UploaderCore

/// libcurl, which is opened and set up when it is first needed: a start that sends nothing takes half as long without.
enum OpenedCurl {
  /// Says why it cannot be used.
  static func check() throws(TransportError) {
    if let fault { throw TransportError(.other(reason: fault)) }
  }

  /// Opens it and sets it up now.
  static func prepare() { _ = fault }

  /// Whether the environment says something to it that it must not see. To set it up changes the environment for a
  /// moment then, which other threads may read later.
  static var isAddressed: Bool { kept.contains { getenv($0) != nil } }

  /// Otherwise libcurl would write the keys of every connection into a file, and OpenSSL would take its defaults from
  /// one, because the environment says so. Programs that are run from here see the environment unchanged.
  private static let kept = [
    "SSLKEYLOGFILE", "OPENSSL_CONF", "OPENSSL_CONF_INCLUDE", "OPENSSL_MODULES", "OPENSSL_ENGINES",
  ]

  /// nil: it can be used. libcurl's own one-time setup must not run twice at the same time.
  private static let fault: String? = {
    let values = kept.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
    for (name, _) in values { unsetenv(name) }
    defer { for (name, value) in values { setenv(name, value, 1) } }
    guard let library = curl_library() else {
      return "libcurl.so.4 is not here, or too old (on Debian and Ubuntu: apt-get install libcurl4)"
    }
    OpenSSLCleanup.prevent(in: library)
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK ? nil : "libcurl cannot be set up"
  }()
}
