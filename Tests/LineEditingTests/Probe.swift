import Foundation
import PseudoTerminal

/// The program around LineEditing that the tests drive; it is built beside them.
let probe = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
  .appending(path: "line-editing-probe")

extension PseudoTerminal {
  /// Starts the probe.
  convenience init(environment: [String: String] = [:], columns: UInt16 = 80) throws {
    try self.init(running: probe.path, environment: environment, columns: columns)
  }
}
