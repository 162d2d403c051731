internal import Diagnostics
internal import HTTPTypes
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
    guard step.clauses.contains(where: \.isLiteralText), step.repetition == nil,
      step.clauses.allSatisfy({ $0.isLiteralText || $0.isPlainField })
    else { return }
    var description = exchange.description
    description.head.label = step.label?.text
    if case .inMemory(var inMemory) = description, let type = inMemory.head.headers[.contentType] {
      inMemory.body?.contentType = type
      inMemory.head.headers[.contentType] = nil
      description = .inMemory(inMemory)
    }
    let text = SourceText(name: "<sent>", text: StatementText.text(of: description))
    guard let step = Self.step(in: text),
      step.clauses.contains(where: { if case .json = $0.kind { true } else { false } })
    else { return }
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

  /// A clause that the request that was sent tells all about, unless an expression is in it.
  fileprivate var isPlainField: Bool {
    switch kind {
    case .header, .timeout, .auth(.none):
      var isPlain = true
      forEachExpression { expression in
        switch expression {
        case .string, .word, .number, .object: break
        default: isPlain = false
        }
      }
      return isPlain
    default: return false
    }
  }
}
