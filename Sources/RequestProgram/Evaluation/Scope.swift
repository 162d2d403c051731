import JSONValue
import Requests

/// What names stand for at one point of a run.
struct Scope: Sendable {
  /// The outcome of a step or a `run` with a label.
  enum StepResult: Sendable, Hashable {
    /// The exchanges of its rounds, at least one.
    case rounds([Exchange])
    case skipped
    /// A step with `repeat` before its first round.
    ///
    /// - Parameter hides: whether something else had its label.
    case beginning(hides: Bool)
    /// A `let` or `secret` that has no value.
    case unset
    /// The `let` names of the sequence that was run.
    case names([String: Value])

    /// As a value itself; nil if it did not run.
    var value: Value? {
      switch self {
      case .rounds(let rounds): rounds.last.map { Value(.exchange($0)) }
      case .names(let names): .names(names)
      case .skipped, .beginning, .unset: nil
      }
    }
  }

  /// What the blocks around this one know; nil for a file and a sequence.
  var outer: OuterScope?
  /// Parameters, `let`, `secret` and `for` names of this block.
  var bindings: [String: Value] = [:]
  var steps: [String: StepResult] = [:]
  /// `$1`, `$2`, …
  var numbered: [Exchange?] = []
  /// `$_`, at the prompt.
  var last: Exchange?
  /// Top-level `let` and `secret` names.
  var globals: [String: Value] = [:]
  /// Environment variables that a profile uses, so that they are its secrets wherever they appear.
  var environmentSecrets: [String: [OriginPattern]] = [:]
  /// Those whose keys sign URLs, and whose secrets may be in what was sent.
  var profiles = SessionProfiles()
  /// The secrets of the run, to be found again in what is read from outside.
  var known = SecretSearch()

  enum Lookup {
    case value(Value)
    case exchange(Exchange, step: String, rounds: [Exchange])
    /// - Parameter last: of a number after the last one, that one.
    case notRun(last: Int? = nil)
    case beginning(hides: Bool)
    case unset
    case unknown
  }

  func lookUp(_ name: String) -> Lookup {
    var scope: Scope? = self
    while let here = scope {
      if let found = here.lookUpHere(name) { return found }
      scope = here.outer?.scope
    }
    return globals[name].map(Lookup.value) ?? .unknown
  }

  /// The last response from this URL, in this block or one around it.
  func response(from url: String) -> Exchange? {
    let found = ([last] + numbered.reversed()).first { $0?.request.url == url } ?? nil
    return found ?? outer?.scope.response(from: url)
  }

  /// Whether the name is a parameter, an item, or bound by `let` or `secret` in this block or one around it.
  func binds(_ name: String) -> Bool {
    bindings[name] != nil || (outer?.scope.binds(name) ?? false)
  }

  /// In this block only; nil if it does not determine the name.
  private func lookUpHere(_ name: String) -> Lookup? {
    if let number = Int(name) {
      // Blocks inside others have only labels, so a number is the outer block's.
      if outer != nil { return nil }
      guard number > 0, numbered.indices.contains(number - 1), let exchange = numbered[number - 1] else {
        return .notRun(last: numbered.lastIndex { $0 != nil }.map { $0 + 1 }.flatMap { $0 < number ? $0 : nil })
      }
      return .exchange(exchange, step: "step \(number)", rounds: [exchange])
    }
    if name == "_" {
      if let last { return .exchange(last, step: "the last step", rounds: [last]) }
      return outer == nil ? .notRun() : nil
    }
    if let value = bindings[name] { return .value(value) }
    switch steps[name] {
    case .rounds(let rounds)?:
      guard let last = rounds.last else { return .notRun() }
      return .exchange(last, step: "step \"\(name)\"", rounds: rounds)
    case .names(let names)?: return .value(.names(names))
    case .skipped?: return .notRun()
    case .beginning(let hides)?: return .beginning(hides: hides)
    case .unset?: return .unset
    case nil: return nil
    }
  }

  var knownNames: [String] {
    let names = Array(bindings.keys) + Array(steps.keys) + Array(globals.keys)
    return Set(names + (outer?.scope.knownNames ?? [])).sorted()
  }
}

/// The scope around a block, shared by everything that runs inside it.
final class OuterScope: Sendable {
  let scope: Scope

  init(_ scope: Scope) {
    self.scope = scope
  }
}
