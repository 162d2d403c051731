package import Diagnostics
internal import Imports
package import RequestSyntax
package import Requests

/// A script with the place where its relative paths begin: its own directory, or the working directory for standard
/// input (`-`).
package struct ScriptFile: Sendable {
  package let source: SourceText
  /// Empty: the working directory.
  package let directory: String

  /// What it says; by its name it may be another tool's file.
  package var parsed: ParsedScript { Parser.read(source) }

  /// Whether it can be read again: standard input and typed text have names in angle brackets.
  package var isFile: Bool { !source.name.hasPrefix("<") }

  package init(source: SourceText, directory: String) {
    self.source = source
    self.directory = directory
  }

  /// - Parameter isForeign: whether another tool wrote it, whatever it is called.
  /// - Throws: `FileError` when it cannot be read.
  package init(_ path: String, in world: World, isForeign: Bool = false) throws(FileError) {
    let bytes = try world.readFile(path)
    // Before its lines are counted, which takes more room than they do.
    if isForeign || ForeignScript(fileName: path) != nil, bytes.count > ForeignScript.sizeLimit {
      throw .tooLong(path: path, limit: ForeignScript.sizeLimit)
    }
    source = SourceText(name: path == "-" ? "<stdin>" : path, bytes: bytes)
    directory = path == "-" ? "" : Self.directory(of: path)
  }

  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
