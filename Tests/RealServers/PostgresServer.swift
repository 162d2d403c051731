import Foundation
import POSIX

/// A PostgreSQL of the tests' own, on a socket in a directory of its own; none where it is not installed.
public final class PostgresServer: Sendable {
  /// Started when the first test needs it. It ends with the tests.
  public static let shared = PostgresServer("")

  public let directory: String
  public let log: String
  private let bin: String
  private let user: String?

  /// - Parameter name: for one that fails, so that it is nobody else's.
  public init?(_ name: String) {
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    let candidates =
      versions.sorted { Int($0) ?? 0 > Int($1) ?? 0 }.map { "\(debian)/\($0)/bin" }
      + ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"]
    guard
      let bin = candidates.first(where: { folder in
        ["initdb", "postgres", "pg_ctl"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
      })
    else {
      print("SKIPPED: PostgreSQL is not installed (Scripts/prepare-servers), so its queue is not tested")
      return nil
    }
    self.bin = bin
    // It refuses to run as root.
    user = getuid() == 0 ? "nobody" : nil
    // A socket's path may have a hundred characters.
    directory = "/tmp/wb-postgres-\(getpid())\(name)"
    log = "\(directory)/server.log"
    try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    if let user { _ = Self.sh("chown \(user) \(directory)") }
    let made = run(
      "\(bin)/initdb -D \(directory)/data -U queue -A trust --no-sync -E UTF8 > \(directory)/init.log 2>&1")
    guard made == 0, start() else {
      print("SKIPPED: PostgreSQL does not start, so its queue is not tested; see \(directory)")
      return nil
    }
    let folder = directory
    let stop = "\(bin)/pg_ctl -D \(folder)/data -m immediate stop"
    // The server ends with this process, however that ends.
    let line = user.map { "runuser -u \($0) -- \(stop)" } ?? stop
    _ = Self.sh(
      "(while kill -0 \(getpid()) 2> /dev/null; do sleep 1; done; \(line); rm -rf \(folder)) > /dev/null 2>&1 &")
  }

  @discardableResult
  public func start() -> Bool {
    run(
      "\(bin)/pg_ctl -D \(directory)/data -w -t 30 -l \(log) -o \"-c listen_addresses='' -k \(directory) -c log_statement=all"
        + " -c log_parameter_max_length=-1 -c max_connections=300\" start > /dev/null 2>&1") == 0
  }

  /// As when its machine fails.
  public func crash() { _ = run("\(bin)/pg_ctl -D \(directory)/data -m immediate stop > /dev/null 2>&1") }

  /// The address of a new database.
  public func database() throws -> String {
    let name = "q\(UInt32.random(in: .min ... .max))"
    guard run("\(bin)/createdb -h \(directory) -U queue \(name) > /dev/null 2>&1") == 0 else {
      throw CocoaError(.fileNoSuchFile)
    }
    return address(name)
  }

  /// Does what the statements say in the database at this address.
  ///
  /// - Returns: whether it could.
  public func execute(_ sql: String, in address: String) throws -> Bool {
    let file = "\(directory)/\(UInt32.random(in: .min ... .max)).sql.given"
    try Data(sql.utf8).write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    return Self.sh("\(bin)/psql -q -v ON_ERROR_STOP=1 -f \(file) \"\(address)\" > /dev/null 2>&1") == 0
  }

  public func address(_ name: String) -> String {
    "postgres://queue@/\(name)?host=\(directory.replacingOccurrences(of: "/", with: "%2F"))"
  }

  private func run(_ line: String) -> Int32 {
    Self.sh(
      user.map { "cd /tmp && runuser -u \($0) -- sh -c '\(line.replacingOccurrences(of: "'", with: "'\\''"))'" } ?? line
    )
  }

  /// Foundation's `Process` crashes when other threads open files meanwhile.
  private static func sh(_ line: String) -> Int32 {
    var child: pid_t = 0
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(line), nil]
    defer { words.forEach { free($0) } }
    guard posix_spawn(&child, "/bin/sh", nil, nil, words, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR { continue }
    return status
  }
}
