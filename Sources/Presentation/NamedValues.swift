/// Values beside their names, in columns of their own: a signature is known only by its name, so both are looked at
/// together, before anything is cut.
enum NamedValues {
  /// The values as they may be shown.
  ///
  /// - Parameter redact: hides the secrets in the pieces of a text.
  static func shown(
    _ values: [(name: String, value: String)], redact: ([String]) -> [String]
  ) -> [String] {
    let pieces = redact(values.flatMap { ["\"\($0.name)\": ", $0.value, "\n"] })
    return values.indices.map { pieces[3 * $0 + 1] }
  }
}
