public import Requests

extension ProgramRequestSequence {
  /// What a name stands for.
  public enum Meaning: Sendable {
    case response(Exchange)
    /// After a loop, those of its rounds.
    case responses([Exchange])
    /// A value that is not a response.
    case value
  }

  /// What a name stands for now; nil: nothing.
  public func meaning(of name: String) -> Meaning? {
    switch scope.lookUp(name) {
    case .exchange(let exchange, _, _): return .response(exchange)
    case .value(let value): return value.meaning
    case .notRun, .beginning, .unset, .unknown: return nil
    }
  }
}

extension Value {
  /// What it stands for.
  package var meaning: ProgramRequestSequence.Meaning {
    switch content {
    case .exchange(let exchange): return .response(exchange)
    case .list(let values):
      let exchanges = values.compactMap { value in
        if case .exchange(let exchange) = value.content { exchange } else { nil }
      }
      return exchanges.isEmpty ? .value : .responses(exchanges)
    default: return .value
    }
  }
}
