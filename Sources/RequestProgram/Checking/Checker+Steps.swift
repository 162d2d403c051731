import Diagnostics
import HTTPTypes
import RequestSyntax
import Requests

extension Checker {
  mutating func check(_ step: StepSyntax) {
    user = step.label.map { "step \"\($0.text)\"" } ?? "this step"
    let repeats = step.clauses.contains { if case .repetition = $0.kind { true } else { false } }
    ownLabel = step.label.map { ($0.text, repeats) }
    check(step.target, step)
    for item in step.items { check(item.value) }
    checkBodies(step)
    for clause in step.clauses { check(clause) }
    ownLabel = nil
    scope.steps += 1
    if let label = step.label { declare(label, .step) }
  }

  private mutating func check(_ target: TargetSyntax, _ step: StepSyntax) {
    switch target {
    case .word(let word): checkWord(word, step)
    case .string(let string):
      check(.string(string))
      if let text = string.plainText { checkScriptTarget(text, step, string.range) }
    case .expression(let expression): check(expression)
    case .reference(let reference, let tail):
      check(.reference(reference))
      if let tail { check(.word(tail)) }
    }
  }

  private mutating func checkWord(_ word: WordSyntax, _ step: StepSyntax) {
    check(.word(word))
    guard case .text(let head)? = word.pieces.first else {
      return report(.targetBeginsWithExpression, word.range)
    }
    if word.plainText == nil, let scheme = head.firstRange(of: "://") {
      let authority = head[scheme.upperBound...]
      if !authority.contains("/"), !authority.contains("?") { return report(.expressionInHost, word.range) }
    }
    checkScriptTarget(head, step, word.range)
  }

  /// A target that the script's own text names.
  private mutating func checkScriptTarget(_ text: String, _ step: StepSyntax, _ range: SourceRange) {
    if text.hasPrefix("/") || text.hasPrefix("?") {
      let named = step.clauses.contains { if case .profile = $0.kind { true } else { false } }
      let based = profileNames.filter { profiles[$0]?.hasBase ?? false }
      // At the prompt the profile in use decides.
      if !named, !program.isPrompt, based.count != 1 { report(.noProfileForPath(known: based), range) }
    } else if let (name, _) = TargetSyntax.profileAndPath(text) {
      checkProfile(name, range.beginning(name.utf8.count))
    } else if !text.isURL {
      report(.invalidURL(text), range)
    }
  }

  private mutating func checkBodies(_ step: StepSyntax) {
    let method = step.method.text
    let isReading = method == "GET" || method == "HEAD"
    if isReading, let item = step.items.first(where: \.isBody), step.itemBody == nil {
      report(.bodyItemOnGet(item.key.text, method: method), item.range)
    }
    let bodies = step.clauses.filter(\.isBody)
    let hasItems = step.items.contains(where: \.isBody)
    if let second = hasItems ? bodies.first : bodies.dropFirst().first { report(.twoBodies, second.keyword.range) }
    if isReading, let body = bodies.first { report(.bodyOnGet(method), body.keyword.range) }
  }

  private mutating func check(_ clause: ClauseSyntax) {
    var expressions: [ExpressionSyntax] = []
    // Only the outermost ones: `check` walks the rest.
    var depthGuard: SourceRange?
    clause.forEachExpression { expression in
      if let outer = depthGuard, expression.range.lowerBound >= outer.lowerBound,
        expression.range.upperBound <= outer.upperBound
      {
        return
      }
      depthGuard = expression.range
      expressions.append(expression)
    }
    for expression in expressions { check(expression) }
    switch clause.kind {
    case .header(.field(let name, _)):
      if HTTPField.Name(name.text) == nil { report(.invalidHeaderName(name.text), name.range) }
    case .auth(.scheme(.basic, let values)) where values.count != 2: report(.basicNeedsTwo, clause.range)
    case .auth(.scheme(.sigv4, _)): report(.notSupported("auth sigv4"), clause.range)
    case .save: report(.notSupported("save body"), clause.keyword.range)
    case .profile(let name): checkProfile(name.text, name.range)
    default: return
    }
  }
}

extension ClauseSyntax {
  var isBody: Bool {
    switch kind {
    case .json, .form, .multipart, .text, .body, .graphql: true
    default: false
    }
  }
}

extension ProfileSyntax {
  var hasBase: Bool {
    settings.contains { if case .base = $0.kind { true } else { false } }
  }
}
