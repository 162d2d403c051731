internal import CCurl
internal import POSIX
internal import Requests
internal import UploaderCore

/// A libcurl handle and how it connects; one transfer has it at a time.
///
/// Options required for safety are set here and stay. Everything else each transfer says for itself (``Errand``), so that
/// nothing is left over from the previous one.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  /// What it is set up for; nil: nothing.
  private var way: (network: NetworkSettings, origin: Origin)?
  /// Whether it may make a handshake, in which certificates are presented.
  private(set) var shakesHands = false
  /// What libcurl has to connect to instead of the host.
  private var connectTo: UnsafeMutablePointer<curl_slist>?
  /// What it is set to ask for; nil: unknown.
  private var errand: Errand?
  /// Whether libcurl reports what it sends and receives.
  private var isListening = false
  /// What libcurl says of a failure.
  let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  /// Whose callbacks are called; nil between two transfers.
  //
  // SAFETY: a transfer takes itself out at its end (`Transfer.release`), and its pool keeps it until then. So a callback,
  // of which there are ten or more for each response, need not retain it.
  var transfer: Unmanaged<Transfer>?
  /// The other end of the latest connection: many transfers have the same. Its port follows from the way.
  private var remote: (host: [CChar], text: String) = ([], "")

  /// Watches the thread while it is inside libcurl.
  let watchdog: Watchdog
  /// Called with the handle whenever it is reset.
  private let prepare: (UnsafeMutableRawPointer) -> Void

  /// nil when there is no memory for it.
  init?(_ watchdog: Watchdog, prepare: @escaping (UnsafeMutableRawPointer) -> Void) {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    self.watchdog = watchdog
    self.prepare = prepare
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    // The object it would notify of its end may be gone.
    curl_easy_reset(pointer)
    curl_easy_cleanup(pointer)
    curl_slist_free_all(connectTo)
    errorText.deallocate()
  }

  /// Sets the pinned options, and how connections are made; both are already set if it was last used the same way.
  func goThrough(_ network: NetworkSettings, to origin: Origin) throws(TransportError) {
    if let way, way == (network, origin) { return }
    way = nil
    curl_easy_reset(pointer)
    (errand, isListening, remote) = (nil, false, ([], ""))
    curl_slist_free_all(connectTo)
    connectTo = nil
    try PinnedOptions.apply(to: pointer)
    curl_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    curl_easy_set_pointer(pointer, CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque())
    setCallbacks()
    prepare(pointer)
    configure(network, to: origin)
    way = (network, origin)
  }

  /// Sets what the next transfer asks for. Nothing has to be set if that is what the last one did.
  func carry(_ new: Errand) {
    errorText.pointee = 0
    listen(shakesHands)
    if let errand, errand == new { return }
    new.apply(to: pointer)
    errand = new
  }

  /// The next request on its connection could get the rest of this response as its own.
  func forbidReuse() {
    curl_easy_set_long(pointer, CURLOPT_FORBID_REUSE, 1)
    errand = nil
  }

  /// Whether libcurl reports the data it sends and receives: it is the only way to see the head of a request as it was
  /// sent, a body as it was received, and a certificate that is not trusted. While it does, libcurl formats texts about
  /// all it does, so this is on only when there is something to see.
  func listen(_ isWanted: Bool) {
    guard isWanted != isListening else { return }
    curl_easy_set_long(pointer, CURLOPT_VERBOSE, isWanted ? 1 : 0)
    isListening = isWanted
  }

  /// The address that is connected to; nil without a connection.
  var remoteAddress: String? {
    guard let host = pointer.text(CURLINFO_PRIMARY_IP), host.pointee != 0 else { return nil }
    if !remote.host.withUnsafeBufferPointer({ $0.baseAddress.map { strcmp($0, host) == 0 } ?? false }) {
      let bytes = Array(UnsafeBufferPointer(start: host, count: strlen(host) + 1))
      let port = pointer.number(CURLINFO_PRIMARY_PORT)
      remote = (bytes, UnsafeMutableRawPointer.address(String(cString: host), port: port))
    }
    return remote.text
  }

  /// The transfer that has the handle of libcurl; nil between two transfers.
  static func transfer(of easy: UnsafeMutableRawPointer) -> Transfer? {
    var context: UnsafeMutableRawPointer?
    curl_easy_get_pointer(easy, CURLINFO_PRIVATE, &context)
    guard let context else { return nil }
    // SAFETY: the object cleans its handle up before it is gone.
    return Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue().transfer?.takeUnretainedValue()
  }

  private func configure(_ network: NetworkSettings, to origin: Origin) {
    if origin.scheme == .https { configure(network.tls) }
    shakesHands = origin.scheme == .https || network.proxy?.kind == .https
    if shakesHands { curl_easy_set_long(pointer, CURLOPT_CERTINFO, 1) }
    switch network.version {
    case .automatic: break
    case .http1: curl_easy_set_long(pointer, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    case .http2:
      let version = origin.scheme == .https ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
      curl_easy_set_long(pointer, CURLOPT_HTTP_VERSION, Int(version))
      // Requests that begin while a connection is made wait for it, and share it.
      curl_easy_set_long(pointer, CURLOPT_PIPEWAIT, 1)
    }
    if let proxy = network.proxy { configure(proxy) }
    if let path = network.unixSocket { curl_easy_set_string(pointer, CURLOPT_UNIX_SOCKET_PATH, path) }
    if let other = network.resolve.first(where: { $0.host == origin.host }) {
      // Not CURLOPT_RESOLVE: that would stay with the connections when the profile changes.
      let port = other.port.map { "\($0)" } ?? ""
      connectTo = curl_slist_append(nil, "\(origin.host):\(origin.port):\(other.address):\(port)")
      curl_easy_set_list(pointer, CURLOPT_CONNECT_TO, connectTo)
    }
  }

  private func configure(_ tls: NetworkSettings.TLS) {
    if let path = tls.authorities {
      curl_easy_set_string(pointer, CURLOPT_CAINFO, path)
      curl_easy_set_string(pointer, CURLOPT_CAPATH, nil)
    }
    if let path = tls.certificate {
      curl_easy_set_string(pointer, CURLOPT_SSLCERT, path)
      switch tls.format ?? .init(path: path) {
      case .pem: curl_easy_set_string(pointer, CURLOPT_SSLKEY, tls.key ?? path)
      case .pkcs12: curl_easy_set_string(pointer, CURLOPT_SSLCERTTYPE, "P12")
      }
      // Without one, OpenSSL would ask for it at the terminal.
      curl_easy_set_string(pointer, CURLOPT_KEYPASSWD, "")
      tls.passphrase?.withExposedText { text in
        curl_easy_set_string(pointer, CURLOPT_KEYPASSWD, text)
        return ()
      }
    }
    if tls.minimum == .tls13 { curl_easy_set_long(pointer, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3)) }
    if tls.isInsecure {
      curl_easy_set_long(pointer, CURLOPT_SSL_VERIFYPEER, 0)
      curl_easy_set_long(pointer, CURLOPT_SSL_VERIFYHOST, 0)
    }
  }

  private func configure(_ proxy: Proxy) {
    curl_easy_set_string(pointer, CURLOPT_PROXY, "\(proxy.kind.rawValue)://\(proxy.authority)")
    if let path = proxy.authorities {
      curl_easy_set_string(pointer, CURLOPT_PROXY_CAINFO, path)
      curl_easy_set_string(pointer, CURLOPT_PROXY_CAPATH, nil)
    }
    if let user = proxy.user { curl_easy_set_string(pointer, CURLOPT_PROXYUSERNAME, user) }
    proxy.password?.withExposedText { text in
      curl_easy_set_string(pointer, CURLOPT_PROXYPASSWORD, text)
      return ()
    }
  }
}
