/// What to do about errors that the check and a run have in common.
package enum ErrorAdvice {
  /// A secret has fewer bytes than one needs.
  package static let ofShortSecret =
    "hiding it would hide everything; for a short password use let in place of secret, and auth basic \"user\", $name in the request"

  /// Several profiles have the origin that a request goes to.
  ///
  /// - Parameter file: where the request is written. A file of another tool has a profile of its own, called as its format
  ///   is; one of that name in an environment counts in its place.
  package static func ofProfiles(_ names: [String], in file: String) -> String {
    let own = names.first { file.hasSuffix(".\($0)") || $0 == "http" && file.hasSuffix(".rest") }
    return own.map { "in the file for --use, call the profile \"\($0)\": it then counts in place of this file's own" }
      ?? "choose one: \(names.map { "with profile \($0)" }.joined(separator: ", or "))"
  }
}
