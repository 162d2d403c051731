internal import Diagnostics

/// Annotations for GitHub Actions: commands that it takes from a job's output and shows beside the lines of a change.
struct GitHubReport: ReportWriter {
  mutating func bytes(for line: ReportLine) -> [UInt8] {
    switch line.kind {
    case .suite, .file, .exchange, .fileEnd, .suiteEnd: return []
    case .problem:
      return command(line.isError ? "error" : "warning", title: nil, line.report, line)
    case .step:
      if line.verdict.isFailure { return command("error", title: line.shownName, line.report, line) }
      guard let earlier = line.earlierFailures.first else { return [] }
      return command("warning", title: "\(line.shownName) is flaky", "it failed first: \(earlier)", line)
    }
  }

  private func command(_ name: String, title: String?, _ message: String, _ line: ReportLine) -> [UInt8] {
    var properties = ["file=\(Self.property(line.file))"]
    if let place = line.place { properties += ["line=\(place.line)", "col=\(place.column)"] }
    if let title { properties.append("title=\(Self.property(title))") }
    return Array("::\(name) \(properties.joined(separator: ","))::\(Self.data(message))\n".utf8)
  }

  private static func data(_ text: String) -> String {
    VisibleText.escapeKeepingLines(text).replacing("%", with: "%25").replacing("\r", with: "%0D")
      .replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(VisibleText.escape(text)).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
