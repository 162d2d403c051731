internal import JSONValue
package import Presentation
internal import Requests

/// What is said of a suite at its end.
package struct SuiteSummary: Sendable {
  private struct Failure {
    let place: String
    let name: String
    let message: String
  }

  private static let shownFailures = 100
  private static let shownSlow = 5

  private var counts = ReportCounts()
  private var files = 0
  private var failedFiles = 0
  private var failures: [Failure] = []
  private var failureCount = 0
  private var flaky: [String] = []
  private var slowest: [(milliseconds: Double, name: String)] = []
  /// By file and name, when files are repeated.
  private var times: [String: [Double]] = [:]
  private var order: [String] = []
  private let isRepeated: Bool

  /// - Parameter isRepeated: whether each file is run several times.
  package init(isRepeated: Bool) {
    self.isRepeated = isRepeated
  }

  package var failedFileCount: Int { failedFiles }
  package var fileCount: Int { files }

  package mutating func note(_ line: ReportLine) {
    switch line.kind {
    case .step:
      counts.count(line)
      if line.verdict.isFailure { fail(line, line.shownName) }
      if !line.earlierFailures.isEmpty, !line.verdict.isFailure { flaky.append("\(line.shownFile)  \(line.shownName)") }
      guard case .passed = line.verdict else { return }
      time(line)
    case .problem: if line.isError { fail(line, "script") }
    case .fileEnd:
      files += 1
      if line["exit-code"]?.int != 0 { failedFiles += 1 }
    case .suite, .file, .exchange, .suiteEnd: break
    }
  }

  private mutating func fail(_ line: ReportLine, _ name: String) {
    failureCount += 1
    guard failures.count < Self.shownFailures else { return }
    let place = line.place.map { "\(line.shownFile):\($0.line)" } ?? line.shownFile
    failures.append(Failure(place: place, name: name, message: line.message))
  }

  private mutating func time(_ line: ReportLine) {
    let name = "\(line.file)  \(line.name)"
    if isRepeated {
      if times[name] == nil { order.append(name) }
      times[name, default: []].append(line.milliseconds)
    }
    guard line.milliseconds > (slowest.count < Self.shownSlow ? -1 : slowest[Self.shownSlow - 1].milliseconds) else {
      return
    }
    slowest.append((line.milliseconds, "\(line.shownFile)  \(line.shownName)"))
    slowest.sort { $0.milliseconds > $1.milliseconds }
    if slowest.count > Self.shownSlow { slowest.removeLast() }
  }

  /// - Parameters:
  ///   - total: how long it took.
  ///   - unbegun: how many files were not run.
  package func text(total: Duration, unbegun: Int) -> StyledText {
    var text = StyledText()
    if isRepeated { text.append(percentiles) }
    if !failures.isEmpty {
      text.append("failed:\n", .failure)
      for failure in failures {
        text.append("  \(failure.place)  ", .faint)
        text.append(failure.name, .strong)
        text.append("  \(failure.message)\n")
      }
      if failureCount > failures.count { text.append("  … and \(failureCount - failures.count) more\n", .faint) }
    }
    if !flaky.isEmpty {
      text.append("flaky, since they failed at first:\n", .warning)
      for name in flaky.prefix(Self.shownFailures) { text.append("  \(name)\n") }
    }
    if counts.steps > Self.shownSlow, !slowest.isEmpty {
      text.append("slowest:\n", .faint)
      for step in slowest { text.append("  \(Self.duration(step.milliseconds))  \(step.name)\n", .faint) }
    }
    let passed = files - failedFiles
    text.append("\(count(files, "file")): \(passed) passed", failedFiles == 0 && unbegun == 0 ? .success : .plain)
    if failedFiles > 0 { text.append(", \(failedFiles) failed", .failure) }
    if unbegun > 0 { text.append(", \(unbegun) not run", .warning) }
    text.append("; \(count(counts.steps, "step")): \(NumberFormat.grouped(counts.passed)) passed")
    if counts.failures > 0 { text.append(", \(NumberFormat.grouped(counts.failures)) failed", .failure) }
    if counts.skipped > 0 { text.append(", \(NumberFormat.grouped(counts.skipped)) skipped") }
    if counts.flaky > 0 { text.append(", \(NumberFormat.grouped(counts.flaky)) flaky", .warning) }
    if counts.expectations > 0 {
      text.append("; \(count(counts.expectations, "expectation")): ")
      text.append("\(NumberFormat.grouped(counts.expectations - counts.unmet)) met")
      if counts.unmet > 0 { text.append(", \(NumberFormat.grouped(counts.unmet)) not met", .failure) }
    }
    text.append("; \(NumberFormat.duration(total))\n")
    return text
  }

  private var percentiles: StyledText {
    var text = StyledText("    p50      p90      p99\n", .faint)
    for name in order {
      let sorted = (times[name] ?? []).sorted()
      for part in [0.5, 0.9, 0.99] {
        text.append(Self.padded(Self.duration(Self.percentile(part, of: sorted)), to: 9))
      }
      text.append(" \(name)", .strong)
      text.append("  \(sorted.count) times\n", .faint)
    }
    return text
  }

  /// The smallest value that no less than this part of all does not exceed.
  static func percentile(_ part: Double, of sorted: [Double]) -> Double {
    guard !sorted.isEmpty else { return 0 }
    let rank = Int((part * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  private static func duration(_ milliseconds: Double) -> String {
    NumberFormat.duration(.microseconds(Int(milliseconds * 1_000)))
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private func count(_ number: Int, _ noun: String) -> String {
    "\(NumberFormat.grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
