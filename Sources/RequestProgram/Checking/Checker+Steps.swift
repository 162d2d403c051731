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
    scope.steps += 1
    if let label = step.label { declare(label, .step) }
  }
}
