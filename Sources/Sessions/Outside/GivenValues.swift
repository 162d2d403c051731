package import JSONValue

/// The values that scripts are given from outside: those of `--set`, and the maps of `--vars`.
package struct GivenValues: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// Each is for a name that the script has.
  package var settings: [String: String]
  /// Each is for a name that the script may have; `settings` take precedence.
  package var vars: [String: JSON]

  package init(_ settings: [String: String] = [:], vars: [String: JSON] = [:]) {
    self.settings = settings
    self.vars = vars
  }

  package init(dictionaryLiteral settings: (String, String)...) {
    self.init(Dictionary(settings) { $1 })
  }

  package var isEmpty: Bool { settings.isEmpty && vars.isEmpty }
}
