internal import Diagnostics
internal import Requests

/// The names of steps in reports: the label, or else the method and the target as they are written, so that a name is
/// the same in every run. Each occurs once in a file.
struct StepNames: Sendable {
  /// A step, as far as its name depends on it.
  struct Named {
    var label: String?
    /// Where it begins in its text, in bytes.
    var offset: Int?
    /// The rounds of the loops that it is in.
    var items: [Int]
    var number: Int?
    var method: String
  }

  private struct Place: Hashable {
    let source: String
    let offset: Int
  }

  private var written: [Place: String] = [:]
  private var counts: [String: Int] = [:]

  mutating func name(of head: RequestHead, in source: SourceText?) -> String {
    name(
      of: Named(
        label: head.label, offset: head.place?.range.lowerBound, items: head.items, number: head.number,
        method: "\(head.method)"),
      in: source)
  }

  mutating func name(of step: Named, in source: SourceText?) -> String {
    let base = step.label ?? step.offset.flatMap { offset in source.map { name(at: offset, in: $0) } }
    // The rounds of a loop, whose order does not depend on which came first.
    let rounds = step.items.map { "[\($0 + 1)]" }.joined()
    return unique((base ?? step.number.map { "step \($0)" } ?? step.method) + rounds)
  }

  mutating func unique(_ name: String) -> String {
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count == 1 ? name : unique("\(name) (\(count))")
  }

  private mutating func name(at offset: Int, in source: SourceText) -> String {
    let place = Place(source: source.name, offset: offset)
    if let name = written[place] { return name }
    let end = min(source.range.upperBound, offset + 400)
    guard offset < end else { return "step" }
    let name = Self.request(in: source[SourceRange(offset, end)])
    written[place] = name
    return name
  }

  /// `POST api:/jobs/{$create.body.id | url-encode}` of a step that goes on after that.
  static func request(in text: String) -> String {
    let text = text.drop { $0.isWhitespace }
    let method = text.prefix { !$0.isWhitespace }
    let rest = text.dropFirst(method.count).drop { $0.isWhitespace }
    var target = ""
    var depth = 0
    var quote: Character?
    for character in rest {
      if let open = quote {
        if character == open { quote = nil }
      } else {
        if character.isNewline || (character.isWhitespace && depth == 0) { break }
        switch character {
        case "{", "(", "[": depth += 1
        case "}", ")", "]": depth -= 1
        case "\"" where depth > 0 || target.isEmpty: quote = character
        default: break
        }
      }
      target.append(character)
      if target.utf8.count > 120 {
        target.append("…")
        break
      }
    }
    return target.isEmpty ? String(method) : "\(method) \(target)"
  }
}
