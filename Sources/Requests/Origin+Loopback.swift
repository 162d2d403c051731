extension Origin {
  /// Whether it is on this machine, by its address or as `localhost` (RFC 6761 §6.3): what is sent there crosses no
  /// network.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" || host.hasSuffix(".localhost") { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
  }
}

extension OriginPattern {
  /// Whether both are a server of this machine, by whichever of its names. Other addresses and names that do not leave the
  /// machine, `127.0.0.2` and `app.localhost`, are those of other servers.
  package func isSameServer(as origin: Origin) -> Bool {
    let names = ["localhost", "127.0.0.1", "[::1]"]
    return scheme == origin.scheme && port == origin.port && names.contains(host) && names.contains(origin.host)
  }
}
