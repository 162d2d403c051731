import Diagnostics
import RequestSyntax
import Requests

/// The file of a snapshot as it is now.
enum SnapshotFile {
  case missing
  case shape(ShapeSyntax, SourceText)
  /// It cannot be read, or is not a shape: one sentence.
  case wrong(String)

  init(_ path: String, _ readFile: (String) throws(FileError) -> [UInt8]) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try readFile(path)
    } catch {
      self = error.isMissing ? .missing : .wrong("\(error)")
      return
    }
    let source = SourceText(name: path, bytes: bytes)
    let (shape, errors) = Parser.parseShape(source)
    guard let shape, !shape.hasExpressions else {
      let offset = errors.first?.range.lowerBound ?? 0
      let reason = errors.first?.diagnostic(in: source).message ?? "a snapshot has no expressions in its texts"
      self = .wrong("\(path):\(source.lineIndex(at: offset) + 1): \(reason)")
      return
    }
    self = .shape(shape, source)
  }
}

extension ShapeSyntax {
  /// Whether a text in it depends on something else.
  fileprivate var hasExpressions: Bool {
    switch kind {
    case .named, .boolean, .number, .array(nil), .snapshot: false
    case .string(let string): string.plainText == nil
    case .array(let element?): element.hasExpressions
    case .either(let choices): choices.contains(where: \.hasExpressions)
    case .object(let members, _):
      members.contains { member in
        if case .string(let key) = member.key, key.plainText == nil { return true }
        return member.shape.hasExpressions
      }
    }
  }
}
