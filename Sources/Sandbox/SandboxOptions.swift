public import Essentials

/// How a sandbox is set up.
public struct SandboxOptions: Sendable {
  /// The loopback port of the API; 0 means a free one.
  public var apiPort = 0

  /// The loopback port of storage; 0 means a free one.
  public var storagePort = 0

  /// The bearer token of the API; nil makes a random one.
  public var token: String?

  /// Where objects are stored; nil means a temporary directory that is removed at the end.
  public var dataDirectory: String?

  /// A file that gets one JSON line per request.
  public var logFile: String?

  /// How long after its allocation an upload is allowed, in seconds.
  public var uploadLifetime: TimeInterval = 15 * 60

  /// What should go wrong.
  public var faults: [SandboxFault] = []

  /// The current time.
  public var now: @Sendable () -> Date = { Date() }

  public init() {}
}
