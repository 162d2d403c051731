internal import Diagnostics
internal import RequestSyntax
package import Requests

extension World {
  /// Writes a script. One that says where secrets are is readable by its owner alone.
  package func writeScript(_ text: String, to path: String) throws(FileError) {
    if ScriptSecrets.areNamed(in: text) { try makePrivate(path) }
    try writeFile(path, ResponseBody(Array(text.utf8)))
  }
}

/// Whether a script names secrets, and where they are.
package enum ScriptSecrets {
  package static func areNamed(in text: String) -> Bool {
    Parser.parse(SourceText(name: "", text: text)).script.statements.contains(where: isNaming)
  }

  private static func isNaming(_ statement: StatementSyntax) -> Bool {
    if case .secret = statement { return true }
    var isNaming = false
    statement.forEachExpression { expression in
      if case .reference(let reference) = expression, reference.root.text == "env" { isNaming = true }
    }
    return isNaming
  }
}
