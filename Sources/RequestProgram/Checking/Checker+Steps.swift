import Diagnostics
import RequestSyntax

extension Checker {
  mutating func check(_ step: StepSyntax) {
    user = .step(label: step.label?.text)
    let repeats = step.clauses.contains { if case .repetition = $0.kind { true } else { false } }
    // A name that is already taken keeps its meaning.
    ownLabel = step.label.flatMap { scope.names[$0.text] == nil || program.isPrompt ? ($0.text, repeats) : nil }
    check(method: step.method)
    check(step.target, step)
    if repeats { checkPages(step) }
    for item in step.items {
      check(item.value)
      if item.kind == .file { noteRead(item.value) }
    }
    checkBodies(step)
    checkSnapshots(step)
    for clause in step.clauses { check(clause) }
    checkRepeated(step.clauses)
    checkFraming(step)
    checkSecrets(step)
    checkIsSet(step)
    ownLabel = nil
    asksForSamePage = false
    scope.steps += 1
    if let label = step.label { declare(label, .step) }
  }

  private mutating func checkPages(_ step: StepSyntax) {
    guard let condition = step.repetition?.condition, source[condition.range].contains("links.next") else { return }
    var readsItself = false
    step.target.forEachReference { if [step.label?.text, "_"].contains($0.root.text) { readsItself = true } }
    asksForSamePage = !readsItself
    if asksForSamePage {
      let target = source[step.target.range]
      report(.samePage(target, label: step.label?.text ?? "p", isTyped: source.isTyped), step.target.range)
    }
  }
}
