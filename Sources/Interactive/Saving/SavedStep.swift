internal import Diagnostics
internal import HTTPTypes
internal import JSONValue
internal import RequestSyntax
internal import Requests

/// A step that goes into a saved script: its answers, and how it is written.
struct SavedStep {
  /// Several where the step was repeated.
  var numbers: [Int]
  /// The last answer.
  var exchange: Exchange
  var source: SourceText
  var step: StepSyntax
  /// Where it stands in the log; nil if a sequence brought it.
  var logIndex: Int?
  /// Where its relative paths begin; empty: the working directory.
  var directory: String
  /// What a request that was sent over and over waited for.
  var repetition: String?

  var number: Int { numbers[0] }

  /// The step that led to the answers: as it was written at the top level, else from what was sent.
  ///
  /// - Returns: nil if what was sent can not be written, which would be an error of ours.
  init?(_ number: Int, _ exchange: Exchange, log: SessionLog) {
    numbers = [number]
    self.exchange = exchange
    if let (index, written) = log.step(at: exchange.description.head.place) {
      source = log.entries[index].source
      directory = log.entries[index].directory
      step = written
      logIndex = index
      normalize()
    } else {
      directory = ""
      source = SourceText(name: "<sent>", text: StatementText.text(of: exchange.description))
      guard let step = Self.step(in: source) else { return nil }
      self.step = step
    }
  }

  /// A body that was pasted as text and is JSON becomes JSON.
  private mutating func normalize() {
    guard let clause = step.clauses.first(where: \.isLiteralText),
      case .inMemory(let description) = exchange.description,
      let body = description.body, let type = description.head.headers[.contentType] ?? body.contentType,
      MediaType.isJSON(type), let json = try? JSON(parsing: body.bytes)
    else { return }
    let start = source[SourceRange(step.range.lowerBound, clause.range.lowerBound)]
    let end = source[SourceRange(clause.range.upperBound, step.range.upperBound)]
    let text = SourceText(name: "<sent>", text: "\(start)json \(StatementText.expression(json))\(end)")
    guard let step = Self.step(in: text) else { return }
    source = text
    self.step = step
  }

  private static func step(in source: SourceText) -> StepSyntax? {
    let parsed = Parser.parse(source)
    guard parsed.errors.isEmpty, case .step(let step)? = parsed.script.statements.first else { return nil }
    return step
  }
}

extension StepSyntax {
  var repetition: RepeatSyntax? {
    for case .repetition(let repetition) in clauses.map(\.kind) { return repetition }
    return nil
  }

  var expectedStatuses: [StatusSyntax]? {
    let statuses = clauses.flatMap { clause -> [StatusSyntax] in
      if case .expectStatus(let statuses) = clause.kind { statuses } else { [] }
    }
    return statuses.isEmpty ? nil : statuses
  }
}

extension ClauseSyntax {
  /// `text "…"` or `body "…"` without an expression in it.
  fileprivate var isLiteralText: Bool {
    switch kind {
    case .text(.string(let string)), .body(.string(let string), _): string.plainText != nil
    default: false
    }
  }
}
