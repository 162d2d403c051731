/// What a file that is loaded at the prompt contains, by its name.
package enum OutsideFileKind: Hashable, Sendable {
  /// Statements of the language.
  case script
  /// A map in JSON or YAML.
  case values
  /// `NAME=value` lines.
  case variables

  package init(path: String) {
    let name = path.split(separator: "/").last?.lowercased() ?? ""
    if name == ".env" || name.hasPrefix(".env.") || name.hasSuffix(".env") {
      self = .variables
    } else if [".json", ".yaml", ".yml"].contains(where: name.hasSuffix) {
      self = .values
    } else {
      self = .script
    }
  }
}
