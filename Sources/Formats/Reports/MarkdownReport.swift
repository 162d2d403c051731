internal import Diagnostics
internal import JSONValue
internal import Presentation

/// A summary in Markdown, as for `$GITHUB_STEP_SUMMARY`: the counts, a line a file that did not pass, and what failed.
struct MarkdownReport: ReportWriter {
  /// How many failures are shown: GitHub takes a mebibyte.
  private static let shownFailures = 50

  private var counts = ReportCounts()
  private var files = 0
  private var failedFiles = 0
  private var rows: [UInt8] = []
  private var failures: [UInt8] = []
  private var failureCount = 0
  private var own = ReportCounts()
  private var slowest: [(milliseconds: Double, name: String)] = []

  mutating func bytes(for line: ReportLine) -> [UInt8] {
    switch line.kind {
    case .suite: return []
    case .file:
      own = ReportCounts()
      return []
    case .step:
      own.count(line)
      noteTime(line)
      if line.verdict.isFailure { append(line, name: line.shownName) }
      return []
    case .problem:
      if line.isError { append(line, name: "(script)") }
      return []
    case .fileEnd:
      files += 1
      counts.add(own)
      let hasFailed = line["exit-code"]?.int != 0
      if hasFailed { failedFiles += 1 }
      if hasFailed || own.flaky > 0 {
        rows.append(
          "| \(hasFailed ? "❌" : "⚠️") \(Self.cell(line.shownFile)) | \(own.passed) | \(own.failures) | \(own.skipped) | \(Self.time(line.milliseconds)) |\n"
        )
      }
      return []
    case .exchange: return []
    case .suiteEnd: return summary(line)
    }
  }

  private mutating func noteTime(_ line: ReportLine) {
    guard line.milliseconds > (slowest.count < 5 ? 0 : slowest[4].milliseconds) else { return }
    slowest.append((line.milliseconds, "\(line.shownFile) · \(line.shownName)"))
    slowest.sort { $0.milliseconds > $1.milliseconds }
    if slowest.count > 5 { slowest.removeLast() }
  }

  private mutating func append(_ line: ReportLine, name: String) {
    failureCount += 1
    guard failureCount <= Self.shownFailures else { return }
    let place = line.place.map { ":\($0.line)" } ?? ""
    failures.append("\n<details><summary><b>\(Self.html(name))</b> in \(Self.html("\(line.shownFile)\(place)"))")
    failures.append("</summary>\n\n<pre>\(Self.html(line.report))</pre>\n\n</details>\n")
  }

  private func summary(_ end: ReportLine) -> [UInt8] {
    var text: [UInt8] = []
    let isInterrupted = end["cause"]?.string == "interrupted"
    let failed = failureCount > 0 || failedFiles > 0
    let verdict = isInterrupted ? "interrupted" : failed ? "failed" : "passed"
    text.append("## workbench: \(verdict)\n\n")
    text.append("\(files) \(files == 1 ? "file" : "files"), \(counts.steps) \(counts.steps == 1 ? "step" : "steps"): ")
    text.append("\(counts.passed) passed, \(counts.failures) failed, \(counts.skipped) skipped")
    if counts.flaky > 0 { text.append(", \(counts.flaky) flaky") }
    text.append("; \(Self.time(end.milliseconds))\n")
    if !rows.isEmpty {
      text.append("\n| File | passed | failed | skipped | time |\n| --- | ---: | ---: | ---: | ---: |\n")
      text += rows
    }
    text += failures
    if failureCount > Self.shownFailures {
      text.append("\n… and \(failureCount - Self.shownFailures) more failures.\n")
    }
    if !slowest.isEmpty {
      text.append("\n<details><summary>Slowest steps</summary>\n\n| Step | time |\n| --- | ---: |\n")
      for step in slowest { text.append("| \(Self.cell(step.name)) | \(Self.time(step.milliseconds)) |\n") }
      text.append("\n</details>\n")
    }
    return text
  }

  private static func time(_ milliseconds: Double) -> String {
    NumberFormat.duration(.microseconds(Int(max(0, min(milliseconds, 1e12)) * 1_000)))
  }

  /// HTML in Markdown: no line of it may be empty, for that would end it.
  private static func html(_ text: String) -> String {
    var bytes: [UInt8] = []
    XMLText.append(VisibleText.escapeKeepingLines(text), to: &bytes)
    return String(decoding: bytes, as: UTF8.self).replacing("\n", with: "&#10;")
  }

  /// The text of a cell: nothing in it is Markdown.
  private static func cell(_ text: String) -> String {
    var cell = ""
    for character in html(VisibleText.escape(text)) {
      if "\\`*_[]|~!".contains(character) { cell.append("\\") }
      cell.append(character)
    }
    return cell
  }
}
