public import Diagnostics
import HTTPTypes
public import JSONValue
import RequestSyntax
public import Requests

extension ProgramRequestSequence {
  /// Statuses are expected of every round, everything else of the last.
  public func unmetExpectations(of exchange: Exchange) -> [UnmetExpectation] {
    guard let located = block.current, case .step(let step) = located.node else {
      return UnmetExpectation.success(of: exchange)
    }
    let (scope, rounds) = after(exchange, step)
    var judge = ExpectationJudge(
      evaluator: evaluator(located.source, scope, exchange: exchange), exchange: exchange, readFile: program.readFile,
      snapshots: program.snapshots(of: step, in: located.source))

    var unmet = judge.statuses(step.clauses)
    if unmet.isEmpty, let stream = step.stream, let missed = judge.missed(stream, ofStep: step.label?.text) {
      return [missed]
    }
    if let repetition = step.repetition {
      do throws(ProgramError) {
        if !(try isDone(repetition, located.source, scope, rounds)) {
          let mayWait =
            unmet.isEmpty
            || environment.language >= LanguageVersion.second
              && repetition.waitsOut(exchange.response.status.code)
          guard mayWait else { return unmet }
          guard let limit = try exceeded(repetition, located.source, scope, rounds) else { return [] }
          return unmet + [judge.unmet(repetition.condition, limit)]
        }
      } catch {
        return unmet + [judge.undecided(repetition.condition, error)]
      }
    }
    if let updates = environment.snapshots, unmet.isEmpty, !judge.snapshots.isEmpty {
      judge.passesSnapshots = true
      // What is not as expected otherwise is no example of how it should be.
      guard judge.unmet(step.clauses).isEmpty else { return judge.unmet(step.clauses) }
      judge.passesSnapshots = false
      let foreseen = SecretSearch(secrets(in: exchange))
      unmet += judge.snapshots.compactMap { judge.update($0, updates, foreseen) }
      if !unmet.isEmpty { return unmet }
    }
    return unmet + judge.unmet(step.clauses)
  }

  public func isRepeated(after exchange: Exchange) -> Bool {
    guard let located = block.current, case .step(let step) = located.node, let repetition = step.repetition else {
      return false
    }
    let (scope, rounds) = after(exchange, step)
    // What cannot be decided is already an unmet expectation.
    return (try? isDone(repetition, located.source, scope, rounds)) == false
  }

  /// What the condition of a repeated step reads and this response does not have; nil: it has all of that.
  public func missing(in exchange: Exchange) -> Diagnostic? {
    guard let located = block.current, case .step(let step) = located.node, let repetition = step.repetition else {
      return nil
    }
    do throws(ProgramError) {
      _ = try evaluator(located.source, after(exchange, step).scope, exchange: exchange).truth(repetition.condition)
      return nil
    } catch { return error.isMissing ? error.diagnostic : nil }
  }

  /// What is known once the step in progress has this response.
  func after(_ exchange: Exchange, _ step: StepSyntax) -> (scope: Scope, rounds: [Exchange]) {
    var scope = scope
    let rounds = block.rounds + [exchange]
    if !block.rounds.isEmpty { scope.last = block.lastBeforeRounds }
    if let label = step.label { scope.steps[label.text] = .rounds(rounds) }
    return (scope, rounds)
  }

  /// Whether the rounds are over.
  private func isDone(
    _ repetition: RepeatSyntax, _ source: Program.Source, _ scope: Scope, _ rounds: [Exchange]
  ) throws(ProgramError) -> Bool {
    try evaluator(source, scope, exchange: rounds.last).isFulfilled(repetition.condition)
  }

  /// The limit that another round would exceed, as a text; nil: it would not.
  private func exceeded(
    _ repetition: RepeatSyntax, _ source: Program.Source, _ scope: Scope, _ rounds: [Exchange]
  ) throws(ProgramError) -> String? {
    let evaluator = evaluator(source, scope)
    if let most = repetition.rounds {
      let count = try evaluator.count(most)
      if rounds.count >= count { return "within \(count) \(count == 1 ? "round" : "rounds")" }
      if repetition.limit == nil { return nil }
    }
    guard let expression = repetition.limit else {
      return rounds.count >= Self.roundLimit ? "within \(Self.roundLimit) rounds" : nil
    }
    guard let first = rounds.first, let last = rounds.last else { return nil }
    let limit = try evaluator.duration(expression)
    let interval =
      try repetition.interval.map { interval throws(ProgramError) in try evaluator.duration(interval) } ?? .zero
    let passed = max(
      last.started.adding(last.timings.total).subtracting(first.started), interval.multiplied(by: rounds.count - 1))
    return passed + interval > limit ? "within \(source.text[expression.range])" : nil
  }
}

/// Judges one exchange by a step's expectations.
struct ExpectationJudge {
  var evaluator: Evaluator
  let exchange: Exchange
  let readFile: (String) throws(FileError) -> [UInt8]
  let snapshots: [SnapshotTest]
  /// Whether snapshots are left out.
  var passesSnapshots = false

  private var takesRefusedRedirects: Bool { evaluator.environment.language < LanguageVersion.second }

  func unmet(_ subject: String, _ expected: String, _ actual: String, _ range: SourceRange) -> UnmetExpectation {
    UnmetExpectation(
      subject: subject, expected: expected, actual: actual,
      place: TextPlace(source: evaluator.source.name, range: range.lowerBound..<range.upperBound))
  }

  /// Every clause with statuses must hold; a step without one expects what any request does. A redirect that was
  /// refused is expected only by a step that names such a status.
  func statuses(_ clauses: [ClauseSyntax]) -> [UnmetExpectation] {
    let status = exchange.response.status.code
    var hasExpectation = false
    var found: [UnmetExpectation] = []
    for clause in clauses {
      switch clause.kind {
      case .expectStatus(let statuses):
        // That any will do does not say that a redirect was to be refused.
        if exchange.refusedRedirect == nil || statuses != [.any] { hasExpectation = true }
        if !statuses.contains(where: { $0.contains(status) }) {
          let expected = statuses.map(\.description).joined(separator: " or ")
          found.append(unmet("status", expected, "\(status)", clause.range))
        }
      case .expect(let condition):
        let isRefused = exchange.refusedRedirect != nil && !takesRefusedRedirects
        let isNamed = isRefused ? condition.namesRedirect : condition.namesStatus
        hasExpectation = hasExpectation || isNamed
      default: continue
      }
    }
    return hasExpectation
      ? found : UnmetExpectation.success(of: exchange, takesRefusedRedirects: takesRefusedRedirects)
  }

  /// What does not hold of what is expected besides a status.
  func unmet(_ clauses: [ClauseSyntax]) -> [UnmetExpectation] {
    clauses.flatMap { clause in
      if case .expect(let condition) = clause.kind { unmet(condition) } else { [UnmetExpectation]() }
    }
  }

  /// The parts of a condition that do not hold.
  func unmet(_ condition: ExpressionSyntax) -> [UnmetExpectation] {
    do throws(ProgramError) {
      return try judge(condition)
    } catch {
      let diagnostic = error.diagnostic
      let hint = error.saysWhatWasMeant ? diagnostic.label.map { " (\($0))" } ?? "" : ""
      return [unmet(text(condition.range), UnmetExpectation.holding, diagnostic.message + hint, error.range)]
    }
  }

  /// The condition of a step that was repeated up to its limit, with the reasons why it does not hold.
  func unmet(_ condition: ExpressionSyntax, _ limit: String) -> UnmetExpectation {
    let reasons = unmet(condition)
    let actual =
      switch reasons.count {
      case 0: "true too late"
      case 1: reasons[0].actual
      default: reasons.map { "\($0.subject) \($0.actual)" }.joined(separator: ", ")
      }
    return unmet(text(condition.range), limit, actual, condition.range)
  }

  /// A condition of `until` that is neither true nor false. Of a value that is there or not, what to write instead.
  func undecided(_ condition: ExpressionSyntax, _ error: ProgramError) -> UnmetExpectation {
    var actual = error.diagnostic.message
    if case .wrongKind(_, let kind) = error.fact {
      let value = text(error.range)
      actual = "\(value) is \(kind)"
      switch condition {
      case .path: actual += "; for whether it is there: until \(value) ?? null != null"
      case .unary(let node) where node.operator == .not && node.operand.range == error.range:
        actual += "; for whether it is missing: until \(value) ?? null == null"
      default: break
      }
    }
    return unmet("until \(text(condition.range))", UnmetExpectation.holding, actual, error.range)
  }

  private func judge(_ condition: ExpressionSyntax) throws(ProgramError) -> [UnmetExpectation] {
    switch condition {
    case .parenthesized(let node): return try judge(node.inner)
    case .binary(let node) where node.operator == .and: return unmet(node.left) + unmet(node.right)
    case .shapeTest(let node): return try judge(node)
    case .quantified(let node):
      let (items, found) = try evaluator.decisive(node)
      if (found == nil) == node.isUniversal { return [] }
      let actual =
        found.map { "[\($0.index)] is \($0.value.shown(limit: 120))" } ?? "none of \(items.elements?.count ?? 0)"
      let wanted = node.isUniversal ? "for every $\(node.name.text)" : "for some $\(node.name.text)"
      return [unmet(text(node.condition.range), wanted, actual, node.range)]
    case .binary(let node) where node.operator != .or:
      if try evaluator.truth(condition) { return [] }
      let actual = try evaluator.evaluate(node.left)
      let expected = try evaluator.evaluate(node.right).shown()
      let subject = text(node.left.range)
      // `expected status 200` needs no sign; `expected jsonpath "$.a" == 1` does, which another tool's file says.
      let isPlain = node.operator == .equal && (!subject.contains(" ") || SyntaxPrinter.print(node.left) == subject)
      let wanted = isPlain ? expected : "\(node.operator.rawValue) \(expected)"
      let shown = actual.shown(named: node.left.lastName) + (advice(onMembersOf: actual, node) ?? "")
      return [unmet(subject, wanted, shown, condition.range)]
    default:
      if try evaluator.truth(condition) { return [] }
      return [unmet(text(condition.range), "true", "false", condition.range)]
    }
  }

  /// For `body contains "x"` where the body is JSON: it is looked for among its keys or elements, and not in its text.
  private func advice(onMembersOf value: Value, _ node: BinarySyntax) -> String? {
    guard node.operator == .contains, case .member(let name) = node.left, name.text == "body",
      value.elements != nil || value.json?.object != nil
    else { return nil }
    let parts = value.elements == nil ? "keys" : "elements"
    return "; that is about its \(parts), and for its text: text contains \(text(node.right.range))"
  }

  private func judge(_ node: ShapeTestSyntax) throws(ProgramError) -> [UnmetExpectation] {
    let subject = text(node.value.range)
    let value: Value
    do throws(ProgramError) {
      value = try evaluator.evaluate(node.value)
    } catch {
      guard error.isMissing else { throw error }
      // In another tool's text, the whole condition is the place of each of its parts.
      let shape = text(node.shape.range)
      let wanted = shape.hasPrefix(subject + " ") ? String(shape.dropFirst(subject.count + 1)) : shape
      return [unmet(subject, wanted, "missing", node.value.range)]
    }
    let range = node.value.range.union(node.shape.range)
    guard node.shape.isSnapshot else {
      return try evaluator.mismatches(value, node.shape, named: node.value.lastName).map {
        unmet(subject + $0.path, $0.expected, $0.actual, range)
      }
    }
    return try judge(value, node).map { unmet(subject + $0.path, $0.expected, $0.actual, range) }
  }

  // MARK: Snapshots

  private func judge(_ value: Value, _ node: ShapeTestSyntax) throws(ProgramError) -> [ShapeMismatch] {
    guard !passesSnapshots, let test = snapshots.first(where: { $0.node.shape.range == node.shape.range }) else {
      return []
    }
    switch SnapshotFile(test.path, readFile) {
    case .missing:
      let advice = "there is no \(test.path) yet: run the script with --update-snapshots, which writes it"
      return [ShapeMismatch(path: "", expected: "its snapshot", actual: advice)]
    case .wrong(let reason): return [ShapeMismatch(path: "", expected: "its snapshot", actual: reason)]
    case .shape(let shape, let source): return try evaluator.reading(source).mismatches(value, shape)
    }
  }

  /// Makes the file of a snapshot fit.
  ///
  /// - Parameter foreseen: what later statements will make a secret of the response.
  /// - Returns: why it could not be done; nil: it fits.
  func update(_ test: SnapshotTest, _ updates: SnapshotUpdates, _ foreseen: SecretSearch) -> UnmetExpectation? {
    let range = test.node.value.range.union(test.node.shape.range)
    let subject = text(test.node.value.range)
    do throws(ProgramError) {
      let value = try evaluator.evaluate(test.node.value)
      guard let json = value.json else { return unmet(subject, "JSON or a text", value.kind, range) }
      let own = SecretSearch(value.taint.secrets)
      let inference = ShapeInference(
        isSecret: { text in
          !foreseen.found(in: text).isEmpty || !own.found(in: text).isEmpty || updates.isSecret(text)
        }, isHidden: !value.isOpen)
      let failure = updates.update(test, readFile) { file, isAdded in
        SnapshotRevision(file: file, evaluator: evaluator, inference: inference).text(for: json, isAdded: isAdded)
      }
      return failure.map { unmet(subject, "its snapshot", $0, range) }
    } catch {
      return unmet(subject, "its snapshot", error.diagnostic.message, range)
    }
  }

  func text(_ range: SourceRange) -> String {
    let text = evaluator.source[range]
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }
}

extension ProgramError {
  /// Whether its hint is worth a place in a line that says what does not hold.
  fileprivate var saysWhatWasMeant: Bool {
    if case .notComparable = fact { true } else { isMissing }
  }
}

extension RepeatSyntax {
  /// Whether a status that is not expected means that it is not done yet: if the condition reads the status, and
  /// nobody has to sign in first.
  fileprivate func waitsOut(_ status: Int) -> Bool {
    condition.namesStatus && ![401, 403, 407].contains(status)
  }
}

extension ExpressionSyntax {
  /// Whether the condition is about the status, so that the step itself defines which it expects.
  var namesStatus: Bool {
    var isNamed = false
    forEach { isNamed = isNamed || $0.isStatus }
    return isNamed
  }

  /// Whether the condition is about the status, and names one of 3xx, or one that comes from elsewhere. A range that
  /// also includes redirects (`status < 400`) names none.
  fileprivate var namesRedirect: Bool {
    guard namesStatus else { return false }
    var isNamed = false
    forEach { node in
      switch node {
      case .number(let number): isNamed = isNamed || Int(number.text).map { 300..<400 ~= $0 } ?? false
      case .binary(let node) where node.left.isStatus:
        switch (node.operator, node.right) {
        case (.equal, .number), (.in, .array): break
        case (.equal, _), (.in, _): isNamed = true
        default: break
        }
      default: break
      }
    }
    return isNamed
  }

  private var isStatus: Bool { if case .member(let name) = self { name.text == "status" } else { false } }
}
