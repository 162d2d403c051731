import Formats
import JSONValue
import Requests
import Sessions
import Synchronization
import UploaderCore

/// Reports of a suite that has everything in it: failures, skips, retries, groups, naughty names.
enum ReportSample {
  /// Names that a reader may stumble over.
  static let naughty = [
    "plain", "a.b, c:d", "<b>&amp;\"'", "]]> -->", "# SKIP not really", "back\\slash # TODO", "tab\tand\nline\r",
    "bell \u{7} escape \u{1B}[31m", "\u{FFFE}\u{FFFF}", "null \u{0}", "emoji 👩‍👧 ünïcødé", "::error::x%0A", "| `pipe` |",
    "</script><script>alert(1)</script>", "1..3", "ok 1 - not really", "Bail out!", "  spaces  ", "---\n...",
    "\u{202E}rtl",
  ]

  /// The lines of a suite with this many files, each with the same kinds of steps.
  static func lines(files: Int) -> [ReportLine] {
    var lines = [
      ReportLine(
        .suite,
        [
          "version": 1, "program": "workbench test", "started": "2026-11-22T09:00:00.000Z", "files": ^files,
          "id": "abcd1234",
        ])
    ]
    var counts = (steps: 0, passed: 0, skipped: 0, failed: 0, broken: 0)
    for index in 0..<files {
      let file = "tests/\(naughty[index % naughty.count])-\(index).wb"
      func line(_ kind: ReportLine.Kind, _ members: JSONObject) -> ReportLine {
        var object: JSONObject = ["file": .string(file), "index": ^index]
        object.members += members.members
        return ReportLine(kind, object)
      }
      lines.append(line(.file, ["started": "2026-11-22T09:00:00.000Z"]))
      for (number, name) in naughty.enumerated() {
        var step: JSONObject = ["name": .string("\(name) \(number)"), "line": ^(number + 1), "column": 1]
        counts.steps += 1
        switch number % 5 {
        case 0, 4:
          step["ok"] = true
          step["status"] = 200
          step["time"] = 12.5
          if number == 4 { step["earlier-failures"] = [.string("it failed: \(name)")] }
          counts.passed += 1
        case 1:
          step["ok"] = true
          step["skipped"] = .string("when \(name) did not hold")
          counts.skipped += 1
        case 2:
          step["ok"] = false
          step["message"] = .string("expected \(name), got something else")
          step["unmet"] = [["subject": "body.name", "expected": .string("== \(name)"), "actual": .string(name)]]
          step["report"] = .string("error: expected \(name)\n  --> x.wb:1:1\n")
          step["time"] = 1
          counts.failed += 1
        default:
          step["ok"] = false
          step["error"] = .string("no response within 10 s: \(name)")
          step["cause"] = "timeout"
          counts.broken += 1
        }
        lines.append(line(.step, step))
      }
      lines.append(line(.fileEnd, ["ok": false, "exit-code": 1, "cause": "failed", "time": 100, "run": "efgh5678"]))
    }
    lines.append(
      ReportLine(
        .suiteEnd,
        [
          "ok": false, "exit-code": 1, "cause": "failed", "time": 1_000, "files": ^files, "failed-files": ^files,
          "steps": ^counts.steps, "passed": ^counts.passed, "skipped": ^counts.skipped, "failed": ^counts.failed,
          "broken": ^counts.broken,
        ]))
    return lines
  }

  /// The report in a format.
  static func text(_ format: ReportFileFormat, of lines: [ReportLine]) throws -> String {
    let written = Mutex<[String: [UInt8]]>([:])
    let files = try ReportFiles(
      [ReportTarget(format, path: "x")], isWhole: true,
      in: world { path, bytes in
        written.withLock { $0[path] = bytes }
      })
    for line in lines { files.write(line) }
    guard files.finish().isEmpty else { return "" }
    return String(decoding: written.withLock { $0["x"] } ?? [], as: UTF8.self)
  }

  static func world(write: @escaping @Sendable (String, [UInt8]) -> Void) -> World {
    World(
      output: .nowhere, errorOutput: .nowhere, environment: [:], workingDirectory: "/",
      readFile: { path throws(FileError) in throw .unreadable(path: path, reason: SystemError(number: 2)) },
      writeFile: { path, body throws(FileError) in write(path, try body.bytes()) }, replaceFile: { _, _ in },
      listDirectory: { _ in [] }, transport: NoTransport())
  }

  private struct NoTransport: Transport {
    func origin(of url: String) throws(TransportError) -> Origin { throw TransportError(.url(url, reason: "none")) }

    func send(
      _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws(TransportError) -> TransportResponse {
      throw TransportError(.other(reason: "none"))
    }
  }
}
