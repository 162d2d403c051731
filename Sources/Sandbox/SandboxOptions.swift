#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How a sandbox is set up.
public struct SandboxOptions: Sendable {
  /// The loopback port of the API; 0 is a free one.
  public var apiPort = 0

  /// The loopback port of storage; 0 is a free one.
  public var storagePort = 0

  /// The bearer token of the API; nil makes a random one.
  public var token: String?

  /// Where objects are kept; nil is a temporary directory that is removed at the end.
  public var dataDirectory: String?

  /// A file that gets one JSON line a request.
  public var logFile: String?

  /// How long an upload is allowed after its allocation, in seconds.
  public var uploadLifetime: TimeInterval = 15 * 60

  /// What goes wrong.
  public var faults: [SandboxFault] = []

  /// What time it is.
  public var now: @Sendable () -> Date = { Date() }

  public init() {}
}
