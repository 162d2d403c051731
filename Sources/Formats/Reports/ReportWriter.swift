internal import JSONValue

/// A format of reports: what it makes of each line.
protocol ReportWriter: Sendable {
  /// What is to be written now. After the last line, everything has been.
  mutating func bytes(for line: ReportLine) -> [UInt8]

  /// What has to be known before it could be: bytes in place of as many that were written before, once all lines are
  /// there. Where nothing can be replaced, as in a pipe, the report is complete without them.
  var late: (offset: Int, bytes: [UInt8])? { get }
}

extension ReportWriter {
  var late: (offset: Int, bytes: [UInt8])? { nil }
}

/// The formats that `--report` knows.
package enum ReportFileFormat: String, CaseIterable, Sendable {
  case jsonl, junit
  case junitGitLab = "junit-gitlab"
  case tap, tap13, github, markdown, html, har

  /// - Parameter isWhole: whether JSON lines have headers and bodies in them.
  func writer(isWhole: Bool) -> any ReportWriter {
    switch self {
    case .jsonl: LineReport(isWhole: isWhole)
    case .junit: JUnitReport(isForGitLab: false)
    case .junitGitLab: JUnitReport(isForGitLab: true)
    case .tap: TAPReport(version: 14)
    case .tap13: TAPReport(version: 13)
    case .github: GitHubReport()
    case .markdown: MarkdownReport()
    case .html: PageReport()
    case .har: ArchiveReport()
    }
  }

  /// Whether it shows headers and bodies.
  var isWhole: Bool {
    switch self {
    case .html: true
    case .jsonl, .junit, .junitGitLab, .tap, .tap13, .github, .markdown, .har: false
    }
  }

  /// Whether it needs what was sent and received itself, which JSON lines do not have.
  package var needsRecords: Bool {
    switch self {
    case .har: true
    case .jsonl, .junit, .junitGitLab, .tap, .tap13, .github, .markdown, .html: false
    }
  }
}

/// A report that is wanted: `junit=out/junit.xml`.
package struct ReportTarget: Hashable, Sendable {
  package let format: ReportFileFormat
  /// `-` is standard output.
  package let path: String

  package init(_ format: ReportFileFormat, path: String) {
    self.format = format
    self.path = path
  }

  /// - Returns: nil if it is not a format, `=`, and a path.
  package init?(_ text: String) {
    guard let equals = text.firstIndex(of: "="), let format = ReportFileFormat(rawValue: String(text[..<equals])),
      text.index(after: equals) < text.endIndex
    else { return nil }
    self.init(format, path: String(text[text.index(after: equals)...]))
  }
}

/// The lines as they are, for programs and for `workbench report`.
struct LineReport: ReportWriter {
  /// With headers and bodies.
  let isWhole: Bool

  mutating func bytes(for line: ReportLine) -> [UInt8] {
    if line.kind == .exchange { return [] }
    var object = line.object
    if isWhole {
      for member in line.details.members where object[member.key] == nil { object.members.append(member) }
    }
    var text = JSONPrinter.compact.print(.object(object))
    if text.contains(where: { $0 >= 0x7F }) {
      text = Array(JSONPrinter.visible(String(decoding: text, as: UTF8.self)).utf8)
    }
    text.append(UInt8(ascii: "\n"))
    return text
  }
}
