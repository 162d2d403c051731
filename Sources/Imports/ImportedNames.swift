package import JSONValue
import RequestSyntax

/// What the variables of another tool's file are called in the script, and those of them that are known at once.
package struct ImportedNames {
  enum Meaning {
    /// A value that is written in the file.
    case constant(JSON)
    /// A name of the script.
    case name(String)
    /// A part of the response that is judged, which gets its name afterwards.
    case part(ExpressionSyntax)
  }

  private var meanings: [String: Meaning]
  private var used: Set<String> = ["env", "_"]
  /// The last number after each name.
  private var numbers: [String: Int] = [:]
  /// Those that come from outside, in the order in which they are used.
  private(set) var fromOutside: [(variable: String, name: String)] = []
  private var outside: Set<String> = []

  package init(_ values: [String: JSON] = [:]) {
    meanings = values.mapValues { .constant($0) }
  }

  mutating func set(_ variable: String, to value: JSON) { meanings[variable] = .constant(value) }

  /// Until it is bound, it stands for that.
  mutating func set(_ variable: String, to part: ExpressionSyntax) { meanings[variable] = .part(part) }

  func isKnown(_ variable: String) -> Bool { meanings[variable] != nil }

  /// What it stands for here; one that nothing has given a value comes from outside.
  mutating func meaning(of variable: String) -> Meaning {
    if let known = meanings[variable] { return known }
    let name = unused(variable)
    fromOutside.append((variable, name))
    outside.insert(name)
    meanings[variable] = .name(name)
    return .name(name)
  }

  /// Whether it is the name of a variable that comes from outside.
  func isFromOutside(_ name: String) -> Bool { outside.contains(name) }

  /// A name of the script that stands for it from now on.
  mutating func bind(_ variable: String) -> String {
    let name = unused(variable)
    meanings[variable] = .name(name)
    return name
  }

  /// A name that other tools may have dots in; nil: it is none.
  static func plain(_ name: String) -> String? {
    let plain = String(name.map { $0 == "." ? "_" : $0 })
    return NameSyntax.isName(plain) ? plain : nil
  }

  /// The name if it is free, otherwise the first of `name-2`, `name-3`, … that is.
  package mutating func unused(_ wanted: String) -> String {
    var base = String(wanted.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") ? $0 : "_" })
    if !NameSyntax.isName(base) { base = "v-\(base.drop { $0 == "-" })" }
    if !NameSyntax.isName(base) { base = "value" }
    var name = base
    while !used.insert(name).inserted {
      let number = numbers[base, default: 1] + 1
      numbers[base] = number
      name = "\(base)-\(number)"
    }
    return name
  }
}
