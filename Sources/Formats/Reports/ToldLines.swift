internal import JSONValue
package import RunStore

/// What the reports of a suite said that its records do not: of the steps that failed, now or at an earlier attempt, of
/// scripts that could not begin, and of how each file ended. It is kept with the suite, so that a report that is made
/// later says the same.
package struct ToldLines: Sendable {
  /// What was said of a file.
  struct File {
    var heading: ReportLine?
    var problems: [ReportLine] = []
    var steps: [ReportLine] = []
    var end: ReportLine?

    /// What was said of the step with that name, once.
    mutating func take(_ name: String) -> ReportLine? {
      steps.firstIndex { $0.name == name }.map { steps.remove(at: $0) }
    }
  }

  private static let name = "report.jsonl"

  private var bytes: [UInt8] = []

  package init() {}

  package mutating func note(_ line: ReportLine) {
    switch line.kind {
    case .step: if !line.verdict.isFailure, line.earlierFailures.isEmpty { return }
    case .file, .problem, .fileEnd, .suiteEnd: break
    case .suite, .exchange: return
    }
    var writer = LineReport(isWhole: false)
    bytes += writer.bytes(for: line)
  }

  package var text: RunText { RunText(name: Self.name, text: String(decoding: bytes, as: UTF8.self)) }

  /// What was said, by the number of the file, and at the end of the suite.
  static func read(_ texts: [RunText]) -> (files: [Int: File], end: ReportLine?) {
    var (files, end) = ([Int: File](), ReportLine?.none)
    let text = texts.last { $0.name == name }?.text ?? ""
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let json = try? JSON(parsing: Array(line)), let line = ReportLine(json) else { continue }
      switch line.kind {
      case .file: files[line.index, default: File()].heading = line
      case .problem: files[line.index, default: File()].problems.append(line)
      case .step: files[line.index, default: File()].steps.append(line)
      case .fileEnd: files[line.index, default: File()].end = line
      case .suiteEnd: end = line
      case .suite, .exchange: break
      }
    }
    return (files, end)
  }
}
