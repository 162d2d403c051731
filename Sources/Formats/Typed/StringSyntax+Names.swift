internal import Imports
package import RequestSyntax

extension StringSyntax {
  /// The same with the values of names that have a hyphen, `$shop-token`, in place of what a shell reads there: a variable
  /// `$shop`, and a text. The braces around such a name, `{$shop-token}`, are those of the language.
  ///
  /// - Parameter names: those of the session.
  package func joining(_ names: [String]) -> StringSyntax {
    let hyphenated = names.filter { $0.contains("-") }.sorted { $0.count > $1.count }
    if hyphenated.isEmpty { return self }
    var string = self
    var index = 0
    while index + 1 < string.pieces.count {
      defer { index += 1 }
      guard case .interpolation(let value) = string.pieces[index], let beginning = value.environmentName,
        case .text(var after) = string.pieces[index + 1],
        let name = hyphenated.first(where: {
          $0.hasPrefix(beginning) && after.begins(with: $0.dropFirst(beginning.count))
        })
      else { continue }
      after.removeFirst(name.count - beginning.count)
      if index > 0, case .text(var before) = string.pieces[index - 1], before.hasSuffix("{"), after.hasPrefix("}") {
        before.removeLast()
        after.removeFirst()
        string.pieces[index - 1] = .text(before)
      }
      string.pieces[index] = .interpolation(.reference(name))
      string.pieces[index + 1] = .text(after)
    }
    string.pieces.removeAll { if case .text("") = $0 { true } else { false } }
    return string
  }
}

extension String {
  /// Whether it begins with the rest of a name, and does not go on with more of one.
  fileprivate func begins(with rest: Substring) -> Bool {
    guard hasPrefix(rest) else { return false }
    return dropFirst(rest.count).first.map { !($0.isLetter || $0.isNumber || $0 == "_") } ?? true
  }
}
