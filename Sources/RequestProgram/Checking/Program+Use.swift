import Diagnostics
public import RequestSyntax
import Requests

/// `use "file"`: the file's declarations are known as if they were written there. Its steps do not run.
extension Program {
  /// Adds the declarations of the files that the text uses, each once.
  ///
  /// - Parameter users: the files that are being added, the outermost first.
  /// - Returns: the diagnostics.
  mutating func addUsed(
    by script: ScriptSyntax, in text: SourceText, directory: String, users: [String]
  ) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for case .use(let node) in script.statements {
      func report(_ fact: CheckError.Fact) {
        found.append(CheckError(fact: fact, range: node.path.range).diagnostic(in: text))
      }
      guard let written = node.path.plainText else {
        report(.useOfExpression)
        continue
      }
      let path = Self.joined(directory, written)
      if let start = users.firstIndex(of: path) {
        report(.useCycle(users[start...] + [path]))
        continue
      }
      guard !usedFiles.contains(path) else { continue }
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try readFile(path)
      } catch {
        report(.unreadableUse("\(error)"))
        continue
      }
      usedFiles.append(path)
      let source = SourceText(name: path, bytes: bytes)
      usedSources.append(source)
      var used = Parser.parse(source)
      used.script.statements.removeAll { !$0.isDeclaration }
      found += add(used, directory: Self.directory(of: path), users: users + [path])
    }
    return found
  }

  /// A path that is written in a file of that directory; empty: the working directory.
  static func joined(_ directory: String, _ path: String) -> String {
    let whole = path.hasPrefix("/") || directory.isEmpty ? path : "\(directory)/\(path)"
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    // Put together by hand: this is a part of each start, and the library would look up what kind of sequence it is.
    var path = whole.hasPrefix("/") ? "/" : ""
    for (index, part) in parts.enumerated() { path += (index == 0 ? "" : "/") + String(part) }
    return path
  }

  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension StatementSyntax {
  /// Whether it only declares something and does nothing.
  public var isDeclaration: Bool {
    switch self {
    case .sequence, .profile, .binding, .secret, .use: true
    case .step, .run, .loop, .parallel, .finally, .tags: false
    }
  }
}
