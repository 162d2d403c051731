/// Values beside their names, in columns of their own: a signature is known only by its name, so both are looked at
/// together, before anything is cut.
package enum NamedValues {
  /// The values as they may be shown.
  ///
  /// - Parameter redact: hides the secrets in the pieces of a text.
  static func shown(
    _ values: [(name: String, value: String)], redact: ([String]) -> [String]
  ) -> [String] {
    shown(following: values.map { ("\"\($0.name)\": ", $0.value) }, redact: redact)
  }

  /// The same where the names are written in different ways.
  ///
  /// - Parameter values: each with what is written before it, such as `?X-Amz-Signature=`.
  package static func shown(
    following values: [(before: String, value: String)], redact: ([String]) -> [String]
  ) -> [String] {
    let pieces = redact(values.flatMap { [$0.before, $0.value, "\n"] })
    return values.indices.map { pieces[3 * $0 + 1] }
  }
}
