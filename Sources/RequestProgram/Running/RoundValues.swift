import JSONValue
import Requests

/// What the rounds of a loop leave: labels and `let` names become arrays in the order of the items, with null where there
/// is none.
struct RoundValues: Sendable {
  /// Those that are referred to later, as far as is known.
  let names: Set<String>
  private let count: Int
  private var values: [String: [Value]] = [:]
  private var lets: Set<String> = []
  private var made: [Int: [Secret]] = [:]

  /// - Parameter kept: the names that are referred to later; nil: perhaps all of them.
  init(of names: Set<String>, keeping kept: Set<String>?, count: Int) {
    self.names = kept.map(names.intersection) ?? names
    self.count = count
  }

  /// - Parameter secrets: what the round made.
  mutating func take(_ round: Block, _ secrets: [Secret], of index: Int) {
    if !secrets.isEmpty { made[index] = secrets }
    for name in names {
      if round.letNames[name] != nil { lets.insert(name) }
      guard let value = round.scope.bindings[name] ?? round.scope.steps[name]?.value else { continue }
      values[name, default: Array(repeating: Value(.null), count: count)][index] = value
    }
  }

  subscript(name: String) -> [Value] { values[name] ?? Array(repeating: Value(.null), count: count) }

  func isLet(_ name: String) -> Bool { lets.contains(name) }

  /// In the order of the rounds, so that they have the same names when the run is repeated.
  var secrets: [Secret] { made.sorted { $0.key < $1.key }.flatMap(\.value) }
}
