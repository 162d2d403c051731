internal import POSIX
internal import Requests

/// The directory of a store, or one in it.
struct StoreDirectory: Sendable {
  private let directory: PrivateDirectory

  var path: String { directory.path }

  /// Opens the directory, which is created if it does not exist, with its parent directories.
  init(_ path: String) throws(StoreError) {
    directory = try Self.inStore { () throws(PrivateDirectory.Failure) in try PrivateDirectory(path) }
  }

  /// Opens a file in the directory, which is created if it does not exist.
  ///
  /// - Returns: a descriptor that the caller closes.
  func open(_ name: String, flags: Int32 = O_RDWR | O_CREAT) throws(StoreError) -> Int32 {
    try Self.inStore { () throws(PrivateDirectory.Failure) in try directory.open(name, flags: flags) }
  }

  /// Makes sure that a file is ours and private; it is created if it does not exist.
  func secure(_ name: String) throws(StoreError) {
    close(try open(name))
  }

  /// The names in it.
  var names: [String] { directory.names }

  /// Refuses a link in place of one of our files.
  func refuseLink(_ name: String) throws(StoreError) {
    try Self.inStore { () throws(PrivateDirectory.Failure) in try directory.refuseLink(name) }
  }

  /// Changes to the directory itself, that is to its names, are on the disk.
  func synchronize() throws(StoreError) {
    try Self.inStore { () throws(PrivateDirectory.Failure) in try directory.synchronize() }
  }

  private static func inStore<Result>(
    _ body: () throws(PrivateDirectory.Failure) -> Result
  ) throws(StoreError) -> Result {
    do throws(PrivateDirectory.Failure) {
      return try body()
    } catch {
      switch error {
      case .notOurs(let path): throw .notOurs(path: path)
      case .unusable(let path, let reason): throw .unusable(path: path, reason: reason)
      }
    }
  }
}
