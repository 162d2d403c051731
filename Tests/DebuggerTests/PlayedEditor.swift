import Foundation
import LineEditing
import Synchronization

/// Plays lines as if they were piped or typed; it runs those for the shell itself.
final class PlayedEditor: LineEditor {
  let isInteractive: Bool
  private let lines: Mutex<[String]>
  private let directory: URL
  private let screen: Recorder

  init(_ lines: [String], isInteractive: Bool, directory: URL, screen: Recorder) {
    self.lines = Mutex(lines)
    self.isInteractive = isInteractive
    self.directory = directory
    self.screen = screen
  }

  func readLine(prompt: EditorPrompt, completer: any Completer) async -> LineInput {
    while let line = lines.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      if line.hasPrefix("$ ") {
        screen.append("\(line)\n")
        do { try runInShell(String(line.dropFirst(2))) } catch { screen.append("\(error)\n") }
        continue
      }
      if isInteractive { screen.append("\(prompt.plainText)\(line)\n") }
      return line == "^C" ? .interrupted : .line(line)
    }
    return .endOfInput
  }

  private func runInShell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = directory
    try process.run()
    process.waitUntilExit()
  }
}
