internal import Diagnostics
internal import Requests

/// A script with the place in which its relative paths begin: beside it, or for standard input (`-`) the working
/// directory.
struct ScriptFile: Sendable {
  let source: SourceText
  /// Empty: the working directory.
  let directory: String

  /// Whether it can be read again: standard input and what was typed have names in angle brackets.
  var isFile: Bool { !source.name.hasPrefix("<") }

  init(source: SourceText, directory: String) {
    self.source = source
    self.directory = directory
  }

  /// - Throws: `FileError` when it can not be read.
  init(_ path: String, in world: World) throws(FileError) {
    source = SourceText(name: path == "-" ? "<stdin>" : path, bytes: try world.readFile(path))
    directory = path == "-" ? "" : Self.directory(of: path)
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
