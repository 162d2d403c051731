import Canaries
import Foundation
import Glibc
import Testing

@testable import LineEditing

@Suite("History")
struct HistoryTests {
  private let directory = URL.temporaryDirectory.appending(path: "history-\(UUID())")
  private var path: String { directory.appending(path: "deeper/history").path }

  private func entries(of history: History) -> [String] {
    sequence(state: 0) { age in
      defer { age += 1 }
      return history.entry(age: age)
    }.map(\.self)
  }

  private func withDirectory(_ body: () async throws -> Void) async rethrows {
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body()
  }

  @Test("entries are there in the next session, newest first, multi-line ones complete")
  func acrossSessions() async throws {
    try await withDirectory {
      let written = ["GET /a", "POST /b json {\n  \"x\": \"\\n\"\n}", #"back\slash \n \\"#, "größe 日本語"]
      let history = History(path: path)
      for entry in written { try history.append(entry) }
      #expect(entries(of: history) == written.reversed())
      #expect(entries(of: History(path: path)) == written.reversed())
    }
  }

  @Test("an entry that is empty, begins with a space, or repeats the newest is not kept")
  func leftOut() async throws {
    try await withDirectory {
      for entry in ["a", "a", "", " secret", "\tsecret", "b"] { try History(path: path).append(entry) }
      try History(path: path).append("b")
      try History(path: path).append("a")
      #expect(entries(of: History(path: path)) == ["a", "b", "a"])
    }
  }

  @Test("secrets never reach the file")
  func redaction() async throws {
    let secret = Canary.secret("history")
    try await withDirectory {
      let history = History(path: path) { entry in
        entry.contains("never") ? nil : entry.replacing(secret, with: "••••")
      }
      try history.append("auth bearer \(secret)")
      try history.append("never this")
      let kept = try String(contentsOfFile: path, encoding: .utf8)
      #expect(kept == "auth bearer ••••\n")
      #expect(entries(of: history) == ["auth bearer \(secret)"], "in this session it comes back as it was typed")
      #expect(entries(of: History(path: path)) == ["auth bearer ••••"])
      try history.append("password=x", writing: "password=••••")
      #expect(entries(of: History(path: path)) == ["password=••••", "auth bearer ••••"])
    }
  }

  @Test("file and directory belong to the owner alone, whatever the umask", arguments: ["000", "022", "177", "777"])
  func permissions(mask: String) async throws {
    try await withDirectory {
      // A process of its own: the umask applies to all threads.
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["-c", "umask \(mask); echo entry | '\(probe.path)'"]
      shell.environment = ["PROBE_HISTORY": path]
      shell.standardOutput = Pipe()
      try shell.run()
      shell.waitUntilExit()
      var file = stat()
      var folder = stat()
      #expect(stat(path, &file) == 0)
      #expect(stat(directory.appending(path: "deeper").path, &folder) == 0)
      #expect(file.st_mode & 0o777 == 0o600)
      #expect(folder.st_mode & 0o777 == 0o700)
      #expect(entries(of: History(path: path)) == ["entry"])
    }
  }

  @Test("a file that others may read is closed to them")
  func permissionsOfAnOldFile() async throws {
    try await withDirectory {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let file = directory.appending(path: "history").path
      #expect(FileManager.default.createFile(atPath: file, contents: nil, attributes: [.posixPermissions: 0o644]))
      try History(path: file).append("b")
      var status = stat()
      #expect(stat(file, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
    }
  }

  @Test("a symbolic link is not followed, neither to read nor to write")
  func symbolicLink() async throws {
    try await withDirectory {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let target = directory.appending(path: "target").path
      let link = directory.appending(path: "link").path
      try Data("theirs\n".utf8).write(to: URL(filePath: target))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      let history = History(path: link)
      #expect(throws: HistoryError.fileNotOpened(path: link, code: ELOOP)) { try history.append("a") }
      #expect(
        "\(HistoryError.fileNotOpened(path: link, code: ELOOP))"
          == "\"\(link)\" is a link, and no history is written through one; put a file there, or remove the link")
      #expect("\(HistoryError.notWritten(path: link, code: ENOSPC))" == "cannot write \"\(link)\": the disk is full")
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "theirs\n")
      #expect(entries(of: history) == ["a"], "it is kept for this session")
    }
  }

  @Test("a pipe or a directory in place of the file is refused")
  func otherFiles() async throws {
    try await withDirectory {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let pipe = directory.appending(path: "pipe").path
      #expect(mkfifo(pipe, 0o600) == 0)
      #expect(throws: HistoryError.self) { try History(path: pipe).append("a") }
      #expect(throws: HistoryError.fileNotOpened(path: directory.path, code: EISDIR)) {
        try History(path: directory.path).append("a")
      }
    }
  }

  @Test("incomplete and damaged lines are skipped")
  func damaged() async throws {
    try await withDirectory {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let file = directory.appending(path: "history")
      try (Data("good\n".utf8) + [0xFF, 0xFE, 0x0A] + Data("bad \\x escape\n\n\nalso good\ntorn".utf8)).write(to: file)
      #expect(entries(of: History(path: file.path)) == ["also good", "good"])
    }
  }

  @Test("several concurrent sessions lose nothing")
  func concurrentSessions() async throws {
    try await withDirectory {
      let sessions = 8
      let each = 200
      try await withThrowingTaskGroup { group in
        for session in 0..<sessions {
          group.addTask {
            let history = History(path: path)
            for number in 0..<each { try history.append("session \(session)\nentry \(number)") }
          }
        }
        try await group.waitForAll()
      }
      let kept = entries(of: History(path: path))
      #expect(kept.count == sessions * each)
      #expect(Set(kept).count == sessions * each)
    }
  }

  private final class Flag: @unchecked Sendable { var isOn = false }

  @Test("what turned out to be secret is hidden where it was written, and nothing else moves")
  func hideAgain() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let secret = Canary.secret("typed-too-early")
    let known = Flag()
    let history = History(path: path) { known.isOn ? $0.replacing(secret, with: "••••") : $0 }
    for entry in ["GET /a", secret, "x \(secret)", "GET /b"] { try history.append(entry) }
    let other = History(path: path)
    try other.append("GET /other")
    known.isOn = true
    try history.hideAgain()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(!lines.joined().contains(secret))
    #expect(
      lines.map { $0.trimmingCharacters(in: .whitespaces) } == ["GET /a", "••••", "x ••••", "GET /b", "GET /other"])
  }

  @Test(
    "a search finds the nearest entry that contains, or begins with, the pattern",
    arguments: [
      (History.Pattern.substring("sheets"), 0, History.Direction.older, 1 as Int?),
      (.substring("sheets"), 2, .older, 3),
      (.substring("sheets"), 2, .newer, 1),
      (.prefix("GET"), 1, .older, 2),
      (.prefix("sheets"), 0, .older, nil),
      (.substring("n"), 0, .older, nil),
      (.substring("{\n}"), 0, .older, 0),
      (.substring(""), 2, .older, 2),
    ])
  func search(pattern: History.Pattern, start: Int, direction: History.Direction, age: Int?) async throws {
    try await withDirectory {
      for entry in ["GET /sheets", "GET /a", "POST /sheets", "PUT {\n}"] { try History(path: path).append(entry) }
      let reopened = History(path: path)
      #expect(reopened.search(for: pattern, from: start, towards: direction)?.age == age)
    }
  }
}
