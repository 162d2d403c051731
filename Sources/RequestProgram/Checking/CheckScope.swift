/// The names that are known at one point of the check.
struct CheckScope: Sendable {
  enum Kind: String, Sendable {
    case step, parameter, name, secret
    case run = "sequence run"
  }

  /// What is known about a name.
  struct Declared: Sendable {
    var kind: Kind
    /// The type of its value; nil if only the run can tell.
    var type: StaticType?

    /// The type after a `$`, without a path.
    var typeOfReference: StaticType? { kind == .step ? .step : type }
  }

  /// What this block has declared so far.
  private(set) var names: [String: Declared] = [:]
  /// What was declared last: mostly a step refers to the one before it, which need not be looked up then.
  private var latest: (name: String, declared: Declared)?
  /// Labels and names that this block declares, including those it has declared already.
  var later: Set<String> = []
  /// Top-level names, seen from everywhere.
  var globals: Set<String> = []
  /// Requests written directly in this block so far.
  var steps = 0
  /// What was referred to, in a sequence.
  var used: Set<String> = []
  /// The top-level names that were declared before, in a sequence.
  var outerNames: [String: Declared] = [:]

  /// What is known about a name that this block has declared.
  func declared(_ name: String) -> Declared? {
    if let latest, latest.name == name { return latest.declared }
    return names[name]
  }

  func kind(of name: String) -> Kind? { declared(name)?.kind }

  /// Makes room for as many names as a text of so many bytes has, where each of its steps has one.
  mutating func reserve(forNamesIn bytes: Int) {
    names.reserveCapacity(bytes / 160)
  }

  /// Announces names that will be declared.
  mutating func expect(_ coming: Set<String>) {
    if later.isEmpty { later = coming } else { later.formUnion(coming) }
    names.reserveCapacity(names.count + coming.count)
  }

  /// Declares a name.
  ///
  /// - Returns: what it was before; nil if it is new.
  mutating func declare(_ name: String, _ kind: Kind, _ type: StaticType? = nil) -> Declared? {
    let declared = Declared(kind: kind, type: type)
    latest = (name, declared)
    return names.updateValue(declared, forKey: name)
  }

  /// The name of a loop's item is known only inside the loop.
  mutating func forget(_ name: String) {
    names[name] = nil
    latest = nil
  }

  var known: [String] {
    Set(names.keys).union(globals).sorted()
  }
}
