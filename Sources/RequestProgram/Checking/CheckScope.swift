/// The names that are known at one place of the check.
struct CheckScope: Sendable {
  enum Kind: String, Sendable {
    case step, parameter, name, secret
    case run = "sequence run"
  }

  /// What this block has declared so far.
  private(set) var names: [String: Kind] = [:]
  /// Labels and names that this block declares further down.
  var later: Set<String> = []
  /// Top-level names, seen from everywhere.
  var globals: Set<String> = []
  /// Requests written directly in this block so far.
  var steps = 0
  var used: Set<String> = []
  /// What is known of the values of names.
  var types: [String: StaticType] = [:]
  /// The same of top-level names, in a sequence.
  var globalTypes: [String: StaticType] = [:]

  /// Declares a name; false if there is one already.
  mutating func declare(_ name: String, _ kind: Kind) -> Bool {
    guard names[name] == nil else { return false }
    names[name] = kind
    later.remove(name)
    return true
  }

  /// At the prompt a name may be given again.
  mutating func redeclare(_ name: String, _ kind: Kind) {
    names[name] = kind
  }

  /// The name of a loop's item is known inside only.
  mutating func forget(_ name: String) {
    names[name] = nil
  }

  var known: [String] {
    Set(names.keys).union(globals).sorted()
  }
}
