package import Diagnostics
internal import JSONValue
internal import RequestSyntax
internal import Requests

/// The environments of JetBrains' HTTP Client (`http-client.env.json`): each becomes a script of names, to be used with
/// `--use`. What is secret, or in the private file, comes from the environment of the process.
package struct HTTPEnvironments: Sendable {
  /// By name, in the order of the file.
  package private(set) var scripts: [(name: String, script: ImportedScript)] = []

  /// - Parameters:
  ///   - shared: the file that is meant for everybody.
  ///   - hidden: the names in the private file beside it, by environment.
  /// - Returns: nil: it is no such file.
  package init?(_ shared: SourceText, hidden: [String: [String]] = [:]) {
    guard let environments = Self.environments(in: shared) else { return nil }
    let common = environments.first { $0.name == "$shared" }?.members ?? JSONObject()
    for (name, members) in environments where name != "$shared" {
      var all = common
      for member in members.members { all[member.key] = member.value }
      var notes: [ImportNote] = []
      let place = SourceRange(at: 0)
      var statements: [StatementSyntax] = []
      var known: Set<String> = []
      let hiddenNames = Set((hidden[name] ?? []) + (hidden["$shared"] ?? []))
      let names = all.members.map(\.key) + hiddenNames.subtracting(all.members.map(\.key)).sorted()
      // What others are made of comes first.
      for variable in Self.ordered(names, all) {
        if ["Security", "SSLConfiguration"].contains(variable) {
          notes.append(
            ImportNote(
              .warning, "\(variable) of \(name) is not read", hint: "write auth and tls in a profile", at: place))
          continue
        }
        guard let plain = ImportedNames.plain(variable) else {
          notes.append(ImportNote(.warning, "\"\(variable)\" of \(name) is no name", at: place))
          continue
        }
        known.insert(plain)
        let isHidden = hiddenNames.contains(variable) || SensitiveName.contains(variable)
        let value = isHidden ? .environment(plain) : Self.value(all[variable] ?? .null, known)
        statements.append(.binding(LetSyntax(plain, value)))
      }
      scripts.append((name, ImportedScript(source: shared, script: ScriptSyntax(statements), notes: notes)))
    }
  }

  /// The names of each environment in a private file, without their values.
  package static func names(in source: SourceText) -> [String: [String]] {
    Dictionary((environments(in: source) ?? []).map { ($0.name, $0.members.members.map(\.key)) }) { $0 + $1 }
  }

  private static func environments(in source: SourceText) -> [(name: String, members: JSONObject)]? {
    guard case .object(let whole)? = try? JSON(parsing: Array(source.bytes)) else { return nil }
    var environments: [(name: String, members: JSONObject)] = []
    for environment in whole.members {
      guard case .object(let members) = environment.value else { return nil }
      environments.append((environment.key, members))
    }
    return environments
  }

  /// The names, each after those that its value is made of.
  private static func ordered(_ names: [String], _ values: JSONObject) -> [String] {
    var ordered: [String] = []
    var (begun, done): (Set<String>, Set<String>) = ([], [])
    let known = Set(names)
    for name in names {
      // Those that wait for what they are made of: no values are nested as deep as names may be.
      var open = [name]
      while let next = open.last {
        let parts = begun.insert(next).inserted ? Self.parts(of: values[next]).filter(known.contains) : []
        let missing = parts.filter { !begun.contains($0) }
        if missing.isEmpty {
          open.removeLast()
          if done.insert(next).inserted { ordered.append(next) }
        } else {
          open += missing.reversed()
        }
      }
    }
    return ordered
  }

  /// The names between braces in a value.
  private static func parts(of value: JSON?) -> [String] {
    guard let text = value?.string, text.contains("{{") else { return [] }
    return text.split(separator: "{{").dropFirst().compactMap { part in
      part.firstRange(of: "}}").map { String(part[..<$0.lowerBound]).trimmed }
    }
  }

  private static func value(_ json: JSON, _ known: Set<String>) -> ExpressionSyntax {
    guard let text = json.string, text.contains("{{") else { return ExpressionSyntax(json) }
    var pieces: [StringSyntax.Piece] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let name = ImportedNames.plain(String(rest[start.upperBound..<end.lowerBound]).trimmed)
      guard let name, known.contains(name) else { break }
      pieces += [.text(String(rest[..<start.lowerBound])), .interpolation(.reference(name))]
      rest = rest[end.upperBound...]
    }
    return .string(StringSyntax(pieces + [.text(String(rest))]))
  }
}
