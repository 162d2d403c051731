import NIOCore
import NIOHTTP1
import NIOPosix

/// A small real server to try requests on: an API origin and an S3-like storage origin, both on loopback.
///
/// Knows nothing of the workbench; what it checks, it checks as the services it imitates do.
public enum Sandbox {
  /// Signs and checks uploads; AWS's published example credentials, so that any S3 tool can be pointed here.
  static let credentials = SigV4.Credentials(
    accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
  static let region = "us-east-1"
  static let bucket = "sandbox"

  /// Serves both origins as long as `body` runs, and leaves nothing behind except a requested log and data directory.
  ///
  /// Throws what `body` throws, and errors of the system when a port, the log or the data directory is not available.
  public static func run<Result: Sendable>(
    _ options: SandboxOptions = SandboxOptions(), _ body: (SandboxEndpoints) async throws -> Result
  ) async throws -> Result {
    let log = try options.logFile.map(RequestLog.init)
    let storageListener = try await Listener(port: options.storagePort)
    let apiListener = try await Listener(port: options.apiPort)
    let store = try ObjectStore(directory: options.dataDirectory)
    defer { store.cleanUp() }

    let token = options.token ?? randomHex(bytes: 16)
    let signer = PostSigner(credentials: credentials, region: region, bucket: bucket)
    let faults = Faults(options.faults)
    let storageNow = faults.skewed(options.now)
    let storage = StorageService(
      signer: signer, store: store, faults: faults, origin: storageListener.origin, now: storageNow)
    let api = SheetsAPI(
      token: token, storage: storage, snapshots: SnapshotRegistry(processingTime: faults.processingTime),
      faults: faults, uploadLifetime: options.uploadLifetime, now: options.now)

    return try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await storageListener.serve(storage, log: log, faults: faults, now: storageNow) }
      tasks.addTask { try await apiListener.serve(api, log: log, faults: faults, now: options.now) }
      defer { tasks.cancelAll() }
      return try await body(
        SandboxEndpoints(api: apiListener.origin, storage: storageListener.origin, token: token))
    }
  }
}
