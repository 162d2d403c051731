import Foundation
import Testing

/// A chain that fails, and how it is diagnosed and fixed: a file in `Chains`.
///
/// ```
/// fault: expired-policy
/// says: the policy expired
/// === chain.wb
/// …
/// === session
/// …
/// debug> n
/// ```
struct PreparedChain: CustomTestStringConvertible {
  let name: String
  var faults: [String] = []
  /// What the debugger has to report at some point.
  var diagnosis: [String] = []
  var script = ""
  var session = ""
  private let text: String

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Chains")

  static let all: [PreparedChain] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { try? PreparedChain(name: $0) }
  }()

  init(name: String) throws {
    self.name = name
    text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    let parts = text.components(separatedBy: "=== ")
    for line in parts[0].split(separator: "\n") {
      if line.hasPrefix("fault: ") { faults.append(String(line.dropFirst(7))) }
      if line.hasPrefix("says: ") { diagnosis.append(String(line.dropFirst(6))) }
    }
    for part in parts.dropFirst() {
      if part.hasPrefix("chain.wb\n") { script = String(part.dropFirst(9)) }
      if part.hasPrefix("session\n") { session = String(part.dropFirst(8)) }
    }
  }

  var testDescription: String { name }

  /// What is typed in the session.
  var lines: [String] {
    session.split(separator: "\n").compactMap { line in
      if line.hasPrefix("debug> ") { return String(line.dropFirst(7)) }
      return line.hasPrefix("$ ") ? String(line) : nil
    }
  }

  /// Writes the session as it is now.
  func record(_ session: String) throws {
    guard let start = text.range(of: "=== session\n") else { return }
    try (text[..<start.upperBound] + session).write(
      to: Self.folder.appending(path: name), atomically: true, encoding: .utf8)
  }
}
