internal import JSONValue

/// JUnit's XML: a suite for each file, a case for each step. The plain one is valid by the schema of Jenkins
/// (`junit-10.xsd`); the one for GitLab also says in which file and line a case is.
///
/// Readers keep a case's history by `classname` and `name`: neither contains anything that changes from run to run, and
/// both together occur once.
struct JUnitReport: ReportWriter {
  let isForGitLab: Bool
  private var cases: [UInt8] = []
  private var counts = ReportCounts()
  /// Errors outside of steps.
  private var problems: [ReportLine] = []
  private var file: ReportLine?
  /// The file of the last case, and its class: those of the next, mostly.
  private var fileClass = (file: "", name: "")
  /// The file of each class.
  private var classes: [String: String] = [:]
  private var id: String?
  private var totals = ReportCounts()
  private var time = 0.0

  init(isForGitLab: Bool) {
    self.isForGitLab = isForGitLab
  }

  mutating func bytes(for line: ReportLine) -> [UInt8] {
    switch line.kind {
    case .suite:
      id = line["id"]?.string
      return Array((Self.start + ">" + String(repeating: " ", count: Self.room) + "\n").utf8)
    case .file:
      (cases, counts, problems, file) = ([], ReportCounts(), [], line)
      return []
    case .step:
      counts.count(line)
      appendCase(line)
      return []
    case .problem:
      if line.isError { problems.append(line) }
      return []
    case .fileEnd: return suite(line)
    case .exchange: return []
    case .suiteEnd:
      time = line.milliseconds
      return Array("</testsuites>\n".utf8)
    }
  }

  private static let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"workbench\""
  /// The bytes that are kept for the totals, after the end of the tag.
  private static let room = 96

  var late: (offset: Int, bytes: [UInt8])? {
    var attributes: [UInt8] = []
    attributes.append(attribute: "tests", "\(totals.steps)")
    attributes.append(attribute: "failures", "\(totals.failed)")
    attributes.append(attribute: "errors", "\(totals.broken)")
    attributes.append(seconds: time)
    attributes.append(">")
    guard attributes.count <= Self.room else { return nil }
    return (Self.start.utf8.count, attributes)
  }

  /// `tests/checkout.wb` is `tests.checkout`: readers split it at its dots.
  private mutating func className(_ line: ReportLine) -> String {
    let base = Self.className(line)
    if classes[base, default: line.file] == line.file {
      classes[base] = line.file
      return base
    }
    // `x.y/a.wb` and `x_y/a.wb`: no two files have one name.
    for number in 2... {
      let name = "\(base) (\(number))"
      if classes[name, default: line.file] == line.file {
        classes[name] = line.file
        return name
      }
    }
    return base
  }

  private static func className(_ line: ReportLine) -> String {
    let file = line.file
    let path = file.hasSuffix(".wb") ? String(file.dropLast(3)) : file
    let parts = path.split(separator: "/").filter { $0 != "." && $0 != ".." }
    let name = parts.map { $0.replacing(".", with: "_") }.joined(separator: ".")
    return name.isEmpty ? "script" : name
  }

  private mutating func appendCase(_ line: ReportLine) {
    open(line, name: line.shownName, milliseconds: line.milliseconds)
    let earlier = line.earlierFailures
    let attempt: String
    switch line.verdict {
    case .passed:
      guard !earlier.isEmpty else { return cases.append("/>\n") }
      attempt = "flakyFailure"
      cases.append(">")
    case .skipped(let reason):
      cases.append("><skipped")
      cases.append(attribute: "message", reason)
      cases.append("/></testcase>\n")
      return
    case .failed:
      attempt = "rerunFailure"
      cases.append(">")
      appendFault("failure", type: "expectation", line)
    case .broken(let cause):
      attempt = "rerunFailure"
      cases.append(">")
      appendFault("error", type: cause, line)
    }
    for message in earlier {
      cases.append("<\(attempt) type=\"failure\"")
      cases.append(attribute: "message", message)
      cases.append("/>")
    }
    cases.append("</testcase>\n")
  }

  private mutating func open(_ line: ReportLine, name: String, milliseconds: Double) {
    cases.append("    <testcase")
    cases.append(attribute: "name", name)
    if line.file != fileClass.file || fileClass.name.isEmpty { fileClass = (line.file, className(line)) }
    cases.append(attribute: "classname", fileClass.name)
    cases.append(seconds: milliseconds)
    if isForGitLab {
      cases.append(attribute: "file", line.file)
      if let place = line.place { cases.append(attribute: "line", "\(place.line)") }
    }
  }

  /// All that went wrong in one element: readers keep only one.
  private mutating func appendFault(_ element: String, type: String, _ line: ReportLine) {
    cases.append("<\(element)")
    cases.append(attribute: "type", type)
    cases.append(attribute: "message", line.message)
    cases.append(">")
    XMLText.append(line.report, to: &cases)
    cases.append("</\(element)>")
  }

  private mutating func suite(_ end: ReportLine) -> [UInt8] {
    if !problems.isEmpty {
      // What kept it from running is a case as well: a suite without one counts as passed.
      counts.broken += 1
      open(end, name: "(script)", milliseconds: 0)
      cases.append("><error")
      cases.append(attribute: "type", end["cause"]?.string ?? "usage")
      cases.append(attribute: "message", problems.map(\.message).joined(separator: "; "))
      cases.append(">")
      XMLText.append(problems.map(\.report).joined(separator: "\n"), to: &cases)
      cases.append("</error></testcase>\n")
    }
    totals.add(counts)
    var suite: [UInt8] = []
    suite.append("  <testsuite")
    suite.append(attribute: "name", end.shownFile)
    suite.append(attribute: "tests", "\(counts.steps)")
    suite.append(attribute: "failures", "\(counts.failed)")
    suite.append(attribute: "errors", "\(counts.broken)")
    suite.append(attribute: "skipped", "\(counts.skipped)")
    suite.append(seconds: end.milliseconds)
    if let started = file?["started"]?.string { suite.append(attribute: "timestamp", String(started.prefix(19))) }
    if isForGitLab { suite.append(attribute: "file", end.file) }
    suite.append(">\n")
    let properties = [("run", end["run"]?.string), ("suite", id), ("continue", end["continue"]?.string)]
      .compactMap { name, value in value.map { (name, $0) } }
    if !properties.isEmpty {
      suite.append("    <properties>")
      for (name, value) in properties {
        suite.append("<property")
        suite.append(attribute: "name", name)
        suite.append(attribute: "value", value)
        suite.append("/>")
      }
      suite.append("</properties>\n")
    }
    suite += cases
    suite.append("  </testsuite>\n")
    cases = []
    return suite
  }
}

extension [UInt8] {
  /// ` time="1.205"`: three decimals; the schema knows neither signs nor exponents.
  fileprivate mutating func append(seconds milliseconds: Double) {
    let whole = Int(Swift.max(0, Swift.min(milliseconds.rounded(), 1e15)))
    append(" time=\"")
    append(decimal: whole / 1_000)
    append(UInt8(ascii: "."))
    let fraction = whole % 1_000
    if fraction < 100 { append(UInt8(ascii: "0")) }
    if fraction < 10 { append(UInt8(ascii: "0")) }
    append(decimal: fraction)
    append(UInt8(ascii: "\""))
  }
}

extension ReportLine {
  /// The file, and which of its repetitions it is.
  var shownFile: String { repetition.map { "\(file) #\($0)" } ?? file }
  /// The step, and in which repetition of its file it is.
  var shownName: String { repetition.map { "\(name) #\($0)" } ?? name }
}
