internal import CCurl
internal import Requests
internal import UploaderCore

/// What is known of a transfer's connection once it is over.
extension Transfer {
  /// - Parameter certificates: those of open connections, by both their ends; libcurl reports one only to the transfer
  ///   that made the connection.
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
