package import Diagnostics
internal import HTTPTypes
internal import JSONValue
package import RequestProgram
package import RequestSyntax
package import Requests

/// A step that goes into a saved script: its responses, and how it is written.
package struct SavedStep {
  /// Several where the step was repeated.
  package var numbers: [Int]
  /// The last response.
  package var exchange: Exchange
  package var step: StepSyntax
  package var comments: [CommentSyntax] = []
  /// Its position in the log; nil if it came from a block.
  package var logIndex: Int?
  /// The directory that its relative paths start from; empty: the working directory.
  package var directory = ""
  /// What a request that was sent over and over waited for.
  package var repetition: RepeatSyntax?
  /// Clauses that mean something only where they were written.
  private(set) var lost: [ClauseSyntax] = []
  /// Expectations whose file is beside another script.
  private(set) var lostSnapshots: [ClauseSyntax] = []

  package var number: Int { numbers[0] }

  /// The first request sent, before any redirect.
  package var sent: SentRequest { exchange.firstRequest }

  /// The step that led to the response. One that was typed is kept as typed. One from a block was sent with the values
  /// of that block: its content is taken from the request, and everything else is as it was written.
  ///
  /// - Parameters:
  ///   - used: the files that are used.
  ///   - session: has the values of names in blocks.
  ///   - isRound: whether it is one of its rounds alone. If a round was made from the one before, it is written as it
  ///     was sent, too: nothing else has the name of that one.
  package init(
    _ number: Int, _ exchange: Exchange, log: SessionLog, used: [SourceText] = [],
    session: ProgramRequestSequence? = nil, isRound: Bool = false
  ) {
    numbers = [number]
    self.exchange = exchange
    guard var written = log.step(at: exchange.description.head.place, among: used) else {
      step = StepSyntax(exchange.description)
      return
    }
    lostSnapshots = written.step.clauses.filter(\.hasSnapshot)
    written.step.clauses.removeAll(where: \.hasSnapshot)
    directory = written.directory
    logIndex = written.logIndex
    guard logIndex == nil || isRound && written.step.readsItsRounds else {
      step = written.step
      comments = written.comments
      return
    }
    var (auth, clauses): (AuthSyntax?, [ClauseSyntax]) = (nil, [])
    for clause in written.step.clauses where !clause.isContent {
      if case .auth(let scheme) = clause.kind {
        auth = scheme
      } else if let kept = clause.inPlaceOfNames({ reference in
        session?.localValue(of: reference, in: written.source, at: number - 1)
      }) {
        clauses.append(kept)
      } else {
        lost.append(clause)
      }
    }
    step = StepSyntax(exchange.description, auth: auth, clauses)
    comments = written.comments
  }

  /// The step to be typed again, without a repetition of its own, its references as the context calls the responses.
  package func again(in context: SavingContext, adding clauses: [ClauseSyntax.Kind] = []) -> ScriptSyntax {
    var references = ReferenceRewriter(
      context, number: number, logIndex: logIndex, directory: directory,
      ownLabel: step.repetition == nil ? nil : step.label?.text)
    var step = step
    step.clauses.removeAll { if case .repetition = $0.kind { true } else { false } }
    step.rewriteEach { references.rewrite(&$0) }
    for index in step.clauses.indices { references.movePath(in: &step.clauses[index]) }
    step.clauses += behindAll(clauses)
    return ScriptSyntax([.step(step)], comments: comments)
  }

  /// Clauses that come after everything written, the last comment included.
  func behindAll(_ clauses: [ClauseSyntax.Kind]) -> [ClauseSyntax] {
    let end = max(step.range.upperBound, comments.last?.range.upperBound ?? 0)
    return clauses.map { kind in
      var clause = ClauseSyntax(kind)
      clause.range = SourceRange(at: end)
      return clause
    }
  }

  /// What was ended by ^C is looked at for as long as it was: nobody may be there to end it, and a run would wait for
  /// a server that never does. One whose length was known comes to an end by itself.
  ///
  /// - Returns: for how long; nil if nothing is to be done.
  package mutating func boundStream() -> String? {
    let response = exchange.response
    guard response.cut == .interrupted, !response.headers.contains(.contentLength), step.repetition == nil else {
      return nil
    }
    let index = step.clauses.firstIndex { if case .stream = $0.kind { true } else { false } }
    if let index, case .stream(let stream) = step.clauses[index].kind, stream.limit != nil || stream.condition != nil {
      return nil
    }
    let passed = exchange.timings.total - exchange.timings.firstByte
    let seconds = NumberSyntax("\(max(1, Int((passed / .seconds(1)).rounded(.up))))", .s)
    let kind = ClauseSyntax.Kind.stream(StreamSyntax(limit: .number(seconds)))
    if let index { step.clauses[index].kind = kind } else { step.clauses += behindAll([kind]) }
    return "\(seconds.text)s"
  }

  /// An item that a file does not allow, `tags:='["a"]'`, becomes a clause; a body that was pasted as text and is JSON
  /// becomes JSON.
  package mutating func normalize() {
    if step.items.contains(where: \.isQuotedJSON) { step = step.withoutItems }
    guard let index = step.clauses.firstIndex(where: \.isLiteralText),
      case .inMemory(let description) = exchange.description,
      let body = description.body, MediaType.isJSON(description.head.headers[.contentType] ?? "application/json"),
      description.head.headers.contains(.contentType) || body.contentType == "application/json",
      let json = JSON(asSent: body.bytes)
    else { return }
    let range = step.clauses[index].range
    step.clauses[index] = ClauseSyntax(.json(ExpressionSyntax(json)))
    step.clauses[index].range = range
  }
}

extension StepSyntax {
  package var repetition: RepeatSyntax? {
    for case .repetition(let repetition) in clauses.map(\.kind) { return repetition }
    return nil
  }

  /// Whether a round is made from the one before.
  fileprivate var readsItsRounds: Bool {
    guard repetition != nil, let label else { return false }
    var reads = false
    forEachReference { if $0.root.text == label.text { reads = true } }
    return reads
  }

  /// Whether the body of its response goes to a file.
  var savesBody: Bool { clauses.contains { if case .save = $0.kind { true } else { false } } }

  package var expectedStatuses: [StatusSyntax]? {
    let statuses = clauses.flatMap { clause -> [StatusSyntax] in
      if case .expectStatus(let statuses) = clause.kind { statuses } else { [] }
    }
    return statuses.isEmpty ? nil : statuses
  }
}

extension ClauseSyntax {
  /// Whether it determines what is sent, except for the credential.
  package var isContent: Bool {
    switch kind {
    case .json, .form, .multipart, .text, .body, .graphql, .header, .query: true
    case .auth, .expectStatus, .expect, .when, .repetition, .stream, .retry, .timeout, .limit, .redirects, .save,
      .effect,
      .profile, .wait:
      false
    }
  }

  /// `text "…"` or `body "…"` without an expression in it.
  fileprivate var isLiteralText: Bool {
    switch kind {
    case .text(.string(let string)), .body(.string(let string), _): string.plainText != nil
    default: false
    }
  }

  /// The clause with values for names that nobody knows elsewhere; nil if one of them cannot be written.
  fileprivate func inPlaceOfNames(_ value: (ReferenceSyntax) -> Value?) -> ClauseSyntax? {
    var clause = self
    var isWritten = true
    clause.rewriteEach { expression in
      guard case .reference(let reference) = expression, let value = value(reference) else { return }
      guard let literal = value.literal(leavingBy: .file) else { return isWritten = false }
      expression = ExpressionSyntax(literal)
    }
    return isWritten ? clause : nil
  }
}
