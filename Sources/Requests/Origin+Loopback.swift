extension Origin {
  /// Whether it is on this machine, by its address or as `localhost` (RFC 6761 §6.3): what is sent there crosses no
  /// network.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" || host.hasSuffix(".localhost") { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
  }
}
