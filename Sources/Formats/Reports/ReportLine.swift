package import JSONValue
internal import Requests
package import RunStore

/// One line of a report: what happened, as a JSON object without anything secret.
///
/// All formats of reports are made from these. The JSON lines are these, so whatever they are written to can be made
/// from them later, and the lines of several shards are the lines of the whole.
package struct ReportLine: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The first line: which program wrote it, when, and which share of the files it is about.
    case suite
    /// A file begins.
    case file
    /// A step has ended.
    case step
    /// What was sent and received in a step that is not over, or whose error is reported by itself: only in archives.
    case exchange
    /// Something is wrong outside of a step: with the script, the command line, the record.
    case problem
    /// A file is over.
    case fileEnd = "file-end"
    /// The last line.
    case suiteEnd = "suite-end"
  }

  /// The version of these lines: it increases when a reader of an earlier one would misread them.
  package static let version = 1

  package let kind: Kind
  package var object: JSONObject { didSet { facts = StepFacts(object) } }
  /// The rest of an exchange, headers and bodies, for the formats that show them.
  package var details = JSONObject()
  /// The exchange, for archives.
  package var record: RecordedStep?
  /// What a step's line says of how it ended.
  private var facts: StepFacts

  package init(_ kind: Kind, _ members: JSONObject) {
    self.kind = kind
    var all: [JSONObject.Member] = []
    all.reserveCapacity(members.count + 1)
    all.append(.init(key: "event", value: .string(kind.rawValue)))
    all += members.members
    object = JSONObject(all)
    facts = StepFacts(members)
  }

  /// - Returns: nil if it is not a line of a report.
  package init?(_ json: JSON) {
    guard case .object(let object) = json, let kind = json["event"]?.string.flatMap(Kind.init(rawValue:)) else {
      return nil
    }
    self.kind = kind
    self.object = object
    facts = StepFacts(object)
  }

  package subscript(_ name: String) -> JSON? { object[name] ?? details[name] }
}

// MARK: - Reading

extension ReportLine {
  /// The script.
  package var file: String { facts.file }
  /// Which of the suite's files it is, from 0.
  package var index: Int { self["index"]?.int ?? 0 }
  /// The name of a step, which is unique in its file.
  package var name: String { facts.name }
  /// Where it is written, from 1.
  package var place: (line: Int, column: Int)? {
    self["line"]?.int.map { ($0, self["column"]?.int ?? 1) }
  }
  /// What happened, in one sentence.
  package var message: String { self["message"]?.string ?? self["error"]?.string ?? unmetSentence ?? "" }
  /// The same as people read it, with the lines it is about.
  package var report: String { self["report"]?.string ?? message }
  package var milliseconds: Double { facts.milliseconds }
  /// How a step ended.
  package var verdict: Verdict { facts.verdict }
  /// How many expectations of a step are written, or were not met.
  var expectations: Int { max(facts.expectations, unmet) }
  /// How many of them were not met. That a response is a success is expected, though not written.
  var unmet: Int { facts.unmet }
  /// What was wrong with earlier attempts, at a step that succeeded in the end or failed again.
  package var earlierFailures: [String] { facts.earlierFailures }
  /// In which repetition of its file it is, if files are repeated.
  var repetition: Int? { facts.repetition }

  /// How a step ended.
  package enum Verdict: Hashable, Sendable {
    case passed
    case skipped(String)
    /// An expectation was not met.
    case failed
    /// It got no response, or could not be made: for this reason.
    case broken(String)

    package var isFailure: Bool {
      switch self {
      case .passed, .skipped: false
      case .failed, .broken: true
      }
    }
  }

  /// An error and not a warning.
  package var isError: Bool { self["severity"]?.string != "warning" }

  private var unmetSentence: String? {
    guard let unmet = self["unmet"]?.array, !unmet.isEmpty else { return nil }
    return unmet.map {
      UnmetExpectation(
        subject: $0["subject"]?.string ?? "", expected: $0["expected"]?.string ?? "",
        actual: $0["actual"]?.string ?? ""
      ).sentence
    }.joined(separator: "; ")
  }
}

/// What every format asks of every line, read once.
private struct StepFacts {
  var file = ""
  var name = ""
  var verdict = ReportLine.Verdict.passed
  var expectations = 0
  var unmet = 0
  var earlierFailures: [String] = []
  var milliseconds = 0.0
  var repetition: Int?

  init(_ object: JSONObject) {
    var (isFailure, isBroken) = (false, false)
    var cause = "failed"
    var reason: String?
    for member in object {
      let value = member.value
      // Their lengths are compared first, which nearly always is enough.
      switch (member.key.utf8.count, member.key) {
      case (2, "ok"): isFailure = value.bool == false
      case (4, "file"): file = value.string ?? ""
      case (4, "name"): name = value.string ?? ""
      case (4, "time"): milliseconds = value.double ?? 0
      case (5, "error"): isBroken = true
      case (5, "cause"): cause = value.string ?? cause
      case (5, "unmet"): unmet = value.array?.count ?? 0
      case (7, "skipped"): reason = value.string
      case (10, "repetition"): repetition = value.int
      case (12, "expectations"): expectations = value.int ?? 0
      case (16, "earlier-failures"): earlierFailures = (value.array ?? []).compactMap(\.string)
      default: break
      }
    }
    if isFailure {
      verdict = isBroken ? .broken(cause) : .failed
    } else if let reason {
      verdict = .skipped(reason)
    }
  }
}
