import JSONValue
import Requests

/// What names stand for at one point of a run.
struct Scope: Sendable {
  /// What became of a step or a `run` with a label.
  enum StepResult: Sendable, Hashable {
    /// The exchanges of its rounds, at least one.
    case rounds([Exchange])
    case skipped
    /// The `let` names of the sequence that was run.
    case names([String: Value])
  }

  /// Parameters, `let`, `secret` and `for` names of this block.
  var bindings: [String: Value] = [:]
  var steps: [String: StepResult] = [:]
  /// `$1`, `$2`, …
  var numbered: [Exchange?] = []
  /// `$_`, at the prompt.
  var last: Exchange?
  /// Top-level `let` and `secret` names.
  var globals: [String: Value] = [:]
  /// Environment variables that a profile uses, so that they are its secrets wherever they stand.
  var environmentSecrets: [String: [OriginPattern]] = [:]
  /// What a request of this profile has in it that is secret.
  var profileSecrets: [String: Set<Secret>] = [:]

  enum Lookup {
    case value(Value)
    case exchange(Exchange, step: String, rounds: [Exchange])
    case notRun
    case unknown
  }

  func lookUp(_ name: String) -> Lookup {
    if let number = Int(name) {
      guard numbered.indices.contains(number - 1), let exchange = numbered[number - 1] else { return .notRun }
      return .exchange(exchange, step: "step \(number)", rounds: [exchange])
    }
    if name == "_" { return last.map { .exchange($0, step: "the last step", rounds: [$0]) } ?? .notRun }
    if let value = bindings[name] ?? (steps[name] == nil ? globals[name] : nil) { return .value(value) }
    switch steps[name] {
    case .rounds(let rounds)?:
      guard let last = rounds.last else { return .notRun }
      return .exchange(last, step: "step \"\(name)\"", rounds: rounds)
    case .names(let names)?: return .value(Value(.names(names)))
    case .skipped?: return .notRun
    case nil: return .unknown
    }
  }

  var knownNames: [String] {
    (Array(bindings.keys) + Array(steps.keys) + Array(globals.keys)).sorted()
  }
}
