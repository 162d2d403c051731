internal import CCurl
internal import Requests
internal import UploaderCore

/// What is known of a transfer's connection once it is over.
extension Transfer {
  /// - Parameter certificates: those of open connections, by both their ends; libcurl reports one only to the transfer
  ///   that made the connection.
  func connectionFacts(_ easy: UnsafeMutableRawPointer, certificates: inout [String: Certificate]) -> ConnectionFacts {
    let remote = handle?.remoteAddress
    let isReused = easy.number(CURLINFO_NUM_CONNECTS) == 0
    guard url.origin.scheme == .https else {
      return ConnectionFacts(address: remote, isReused: isReused)
    }
    let local = easy.text(CURLINFO_LOCAL_IP).map { String(cString: $0) } ?? ""
    let ends = "\(local):\(easy.number(CURLINFO_LOCAL_PORT)) \(remote ?? "") \(url.origin.host)"
    if !isReused { certificates[ends] = Certificate(of: easy, isVerified: !request.network.tls.isInsecure) }
    return ConnectionFacts(address: remote, isReused: isReused, certificate: certificates[ends])
  }
}

extension UnsafeMutableRawPointer {
  static func address(_ host: String, port: Int) -> String {
    (host.utf8.contains(UInt8(ascii: ":")) ? "[" + host + "]" : host) + ":" + String(port)
  }

  func number(_ info: CURLINFO) -> Int {
    var value = 0
    curl_easy_get_long(self, info, &value)
    return value
  }

  /// libcurl's own, until its next call.
  func text(_ info: CURLINFO) -> UnsafePointer<CChar>? {
    var text: UnsafeMutableRawPointer?
    curl_easy_get_pointer(self, info, &text)
    return text.map { UnsafePointer($0.assumingMemoryBound(to: CChar.self)) }
  }
}
