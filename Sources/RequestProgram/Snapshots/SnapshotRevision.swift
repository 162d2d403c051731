import Diagnostics
import JSONValue
import RequestSyntax

/// The text of a snapshot's file after a value that it should fit: what fits stays as it is written, comments included.
struct SnapshotRevision {
  let file: SnapshotFile
  let evaluator: Evaluator
  let inference: ShapeInference

  /// - Parameter isAdded: whether another value has been compared with it in this run, which has to fit, too.
  /// - Returns: nil: it fits as it is.
  func text(for json: JSON, isAdded: Bool) -> String? {
    guard case .shape(let shape, let source) = file else {
      return SyntaxPrinter.print(inference.shape(of: json)) + "\n"
    }
    let evaluator = evaluator.reading(source)
    let fits = { (json: JSON, shape: ShapeSyntax) in
      (try? evaluator.mismatches(Value(json), shape).isEmpty) ?? false
    }
    var edits: [(range: SourceRange, text: String)] = []
    change(shape, json, isAdded: isAdded, fits, source) { edits.append(($0, $1)) }
    guard !edits.isEmpty else { return nil }
    var bytes = source.bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range.lowerBound..<edit.range.upperBound, with: Array(edit.text.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Objects with the same members are changed in the members that do not fit; anything else is written again.
  private func change(
    _ shape: ShapeSyntax, _ json: JSON, isAdded: Bool, _ fits: (JSON, ShapeSyntax) -> Bool, _ source: SourceText,
    _ edit: (SourceRange, String) -> Void
  ) {
    if fits(json, shape) { return }
    if case .object(let members, let isOpen) = shape.kind, case .object(let object) = json {
      let known = Set(members.compactMap(\.key.plainText))
      let hasAll = members.allSatisfy { $0.isOptional || object[$0.key.plainText ?? ""] != nil }
      if hasAll, isOpen || object.keys.allSatisfy(known.contains) {
        for member in members {
          guard let value = object[member.key.plainText ?? ""] else { continue }
          change(member.shape, value, isAdded: isAdded, fits, source, edit)
        }
        return
      }
    }
    let revised = inference.revised(shape, json, isAdded: isAdded, fits: fits)
    let line = source.lineRange(source.lineIndex(at: shape.range.lowerBound))
    let indentation = source.bytes[line.lowerBound..<shape.range.lowerBound].prefix { $0 == UInt8(ascii: " ") }.count
    edit(shape.range, SyntaxPrinter.print(revised, indentation: indentation))
  }
}
