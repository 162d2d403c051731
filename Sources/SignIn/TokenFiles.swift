internal import JSONValue
internal import POSIX
internal import Requests
internal import UploaderCore

/// The tokens that somebody signed in for, a file each, which only its owner can read.
struct TokenFiles: Sendable {
  let path: String

  /// The largest file that is read, in bytes.
  private static let limit = 1 << 20
  /// How long another process may take to get a token.
  private static let patience = Duration.seconds(120)

  func read(_ key: TokenKey) throws(SignInError) -> TokenSet? {
    // Nothing is made only because somebody looks.
    var status = stat()
    guard lstat("\(path)/\(key.name).token", &status) == 0 else { return nil }
    let directory = try directory()
    let descriptor = try Self.made { () throws(PrivateDirectory.Failure) in
      try directory.open("\(key.name).token", flags: O_RDONLY)
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    do throws(FileError) {
      try FileBytes.forEachChunk(of: descriptor, failure: { .unreadable(path: path, reason: $0) }) {
        chunk throws(FileError) in
        guard bytes.count + chunk.count <= Self.limit else { throw .tooLong(path: path, limit: Self.limit) }
        bytes += chunk
      }
    } catch {
      throw .file(error)
    }
    // Whatever else is there is no token of ours: somebody has to sign in.
    return (try? JSON(parsing: bytes))?["tokens"].flatMap(TokenSet.init)
  }

  func write(_ tokens: TokenSet, _ key: TokenKey) throws(SignInError) {
    let directory = try directory()
    let file = JSON.object(["for": .object(key.description), "tokens": .object(tokens.stored)])
    try Self.made { () throws(PrivateDirectory.Failure) in
      try directory.replace("\(key.name).token", with: Array("\(file)".utf8))
    }
  }

  /// - Returns: whether there was one.
  @discardableResult
  func remove(_ key: TokenKey) throws(SignInError) -> Bool {
    try? PrivateDirectory(path).removeLeftovers(of: "\(key.name).token")
    guard unlink("\(path)/\(key.name).token") != 0 else { return true }
    if errno == ENOENT || errno == ENOTDIR { return false }
    throw .file(.unwritable(path: "\(path)/\(key.name).token", reason: .current))
  }

  /// Does something while no other process does it with the same tokens. The kernel lets go of the lock however a
  /// process ends.
  func locked<Success: Sendable>(
    _ key: TokenKey, _ clock: UploadClock, _ body: () async throws(SignInError) -> Success
  ) async throws(SignInError) -> Success {
    let directory = try directory()
    let descriptor = try Self.made { () throws(PrivateDirectory.Failure) in try directory.open("\(key.name).lock") }
    defer { close(descriptor) }
    let began = clock.now()
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        throw .file(.unwritable(path: "\(path)/\(key.name).lock", reason: .current))
      }
      guard clock.now() - began < Self.patience else {
        throw .unusable("another process has been getting the token for two minutes", advice: "end it, and try again")
      }
      do { try await clock.sleep(.milliseconds(20)) } catch { throw .cancelled }
    }
    return try await body()
  }

  private func directory() throws(SignInError) -> PrivateDirectory {
    try Self.made { () throws(PrivateDirectory.Failure) in try PrivateDirectory(path) }
  }

  private static func made<Result>(
    _ body: () throws(PrivateDirectory.Failure) -> Result
  ) throws(SignInError) -> Result {
    do throws(PrivateDirectory.Failure) {
      return try body()
    } catch {
      switch error {
      case .notOurs(let path):
        throw .unusable("\(path) is not ours, or is a link", advice: "tokens are kept in a directory of your own")
      case .unusable(let path, let reason): throw .file(.unwritable(path: path, reason: reason))
      }
    }
  }
}
