internal import Diagnostics
internal import JSONValue

/// The Test Anything Protocol. In version 14 a file is a test point and its steps are its subtest; version 13, which
/// `prove` reads, has no subtests, so each step is a test point.
struct TAPReport: ReportWriter {
  let version: Int
  private var count = 0
  private var stepCount = 0
  private var steps: [UInt8] = []
  private var problems: [ReportLine] = []

  init(version: Int) {
    self.version = version
  }

  mutating func bytes(for line: ReportLine) -> [UInt8] {
    switch line.kind {
    case .suite: return Array("TAP version \(version)\n".utf8)
    case .file:
      (stepCount, steps, problems) = (0, [], [])
      return []
    case .step:
      return point(line)
    case .problem:
      if line.isError { problems.append(line) }
      return []
    case .fileEnd: return file(line)
    case .exchange: return []
    case .suiteEnd:
      var bytes: [UInt8] = []
      bytes.append(count == 0 ? "1..0 # SKIP nothing was run\n" : "1..\(count)\n")
      if line["cause"]?.string == "interrupted" { bytes.append("Bail out! interrupted\n") }
      return bytes
    }
  }

  private var hasSubtests: Bool { version >= 14 }

  private mutating func point(_ line: ReportLine) -> [UInt8] {
    let indent = hasSubtests ? "    " : ""
    var bytes: [UInt8] = []
    let number: Int
    if hasSubtests {
      stepCount += 1
      number = stepCount
    } else {
      count += 1
      number = count
    }
    let name = hasSubtests ? line.shownName : "\(line.shownFile) \(line.shownName)"
    bytes.append(indent)
    bytes.append(line.verdict.isFailure ? "not ok " : "ok ")
    bytes.append(decimal: number)
    bytes.append(" - ")
    bytes.append(Self.description(name))
    switch line.verdict {
    case .skipped(let reason): bytes.append(" # SKIP \(Self.description(reason))\n")
    case .passed, .failed, .broken: bytes.append("\n")
    }
    if line.verdict.isFailure { append([line], indent: indent + "  ", to: &bytes) }
    guard hasSubtests else { return bytes }
    steps += bytes
    return []
  }

  private mutating func file(_ end: ReportLine) -> [UInt8] {
    var bytes: [UInt8] = []
    let failed = end["exit-code"]?.int != 0
    // A step that failed says so itself; what else went wrong needs a point of its own.
    let isUntold = failed && !problems.isEmpty
    if hasSubtests {
      if isUntold {
        stepCount += 1
        steps.append("    not ok \(stepCount) - (script)\n")
        append(problems, indent: "      ", to: &steps)
      }
      bytes.append("# Subtest: \(Self.description(end.shownFile))\n")
      bytes += steps
      bytes.append(stepCount == 0 ? "    1..0 # SKIP no steps\n" : "    1..\(stepCount)\n")
      count += 1
      bytes.append("\(failed ? "not ok" : "ok") \(count) - \(Self.description(end.shownFile))\n")
    } else if isUntold {
      count += 1
      bytes.append("not ok \(count) - \(Self.description(end.shownFile)) (script)\n")
      append(problems, indent: "  ", to: &bytes)
    }
    steps = []
    return bytes
  }

  /// A block of YAML, of which a point has one; its strings are written as JSON, which YAML contains.
  private func append(_ lines: [ReportLine], indent: String, to bytes: inout [UInt8]) {
    guard let line = lines.first else { return }
    func add(_ text: String) { bytes.append("\(indent)\(text)\n") }
    add("---")
    add("message: \(Self.quoted(lines.map(\.message).joined(separator: "; ")))")
    add("severity: fail")
    if let place = line.place {
      add("at:")
      add("  file: \(Self.quoted(line.file))")
      add("  line: \(place.line)")
    }
    for unmet in line["unmet"]?.array ?? [] {
      add("expected: \(Self.quoted("\(unmet["subject"]?.string ?? "") \(unmet["expected"]?.string ?? "")"))")
      add("actual: \(Self.quoted(unmet["actual"]?.string ?? ""))")
      // A key may occur once.
      break
    }
    add("...")
  }

  private static func quoted(_ text: String) -> String {
    JSONPrinter.visible(String(decoding: JSONPrinter.compact.print(.string(text)), as: UTF8.self))
  }

  /// One line, in which `#` begins no directive.
  private static func description(_ text: String) -> String {
    let text = VisibleText.escape(text)
    guard text.utf8.contains(where: { "\\#".utf8.contains($0) }) else { return text }
    return text.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
  }
}
