internal import ArgumentParser
internal import Formats

/// The reports that are written to files.
struct ReportTargetOptions: ParsableArguments {
  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a report, as often as given: \(Self.formats). The path - is standard output.", valueName: "format=path"))
  var options: [ReportTargetOption] = []

  var targets: [ReportTarget] { options.map(\.target) }

  private static let formats = ReportFileFormat.allCases.map(\.rawValue).joined(separator: ", ")

  /// What writes the report that an option of other tools is named after, `--junit`, `--report-html`; nil: none is.
  static func advice(on option: String) -> String? {
    let words = option.split(whereSeparator: { "-_".contains($0) }).map { $0.lowercased() }
    let format = words.lazy.compactMap { otherNames[$0] ?? ReportFileFormat(rawValue: $0) }.first
    return format.map { "--report \($0.rawValue)=FILE writes that report." }
  }

  private static let otherNames: [String: ReportFileFormat] = [
    "json": .jsonl, "ndjson": .jsonl, "junitxml": .junit, "xml": .junit, "xunit": .junit, "md": .markdown,
    "page": .html,
  ]

  func validate() throws {
    let paths = targets.map(\.path)
    for path in paths {
      guard let comma = path.lastIndex(of: ","), ReportTarget(String(path[path.index(after: comma)...])) != nil else {
        continue
      }
      throw ValidationError("Each report has its own --report: --report a=… --report b=….")
    }
    for (index, path) in paths.enumerated() where paths[..<index].contains(path) {
      throw ValidationError("Two reports go to \"\(path)\".")
    }
  }
}

/// `junit=out/junit.xml`
struct ReportTargetOption: ExpressibleByArgument {
  let target: ReportTarget

  init?(argument: String) {
    guard let target = ReportTarget(argument) else { return nil }
    self.target = target
  }
}
