internal import Diagnostics
internal import Requests

/// The names of steps in reports: the label, or else the method and the target as they are written, so that a name is
/// the same in every run. Each occurs once in a file.
struct StepNames: Sendable {
  private var written: [TextPlace: String] = [:]
  private var counts: [String: Int] = [:]

  mutating func name(of head: RequestHead, in source: SourceText?) -> String {
    let base = head.label ?? head.place.flatMap { place in source.map { name(at: place, in: $0) } }
    // The rounds of a loop, whose order does not depend on which came first.
    let rounds = head.items.map { "[\($0 + 1)]" }.joined()
    return unique((base ?? head.number.map { "step \($0)" } ?? "\(head.method)") + rounds)
  }

  mutating func unique(_ name: String) -> String {
    let count = counts[name, default: 0] + 1
    counts[name] = count
    return count == 1 ? name : unique("\(name) (\(count))")
  }

  private mutating func name(at place: TextPlace, in source: SourceText) -> String {
    if let name = written[place] { return name }
    let end = min(place.range.upperBound, place.range.lowerBound + 400)
    let name = Self.request(in: source[SourceRange(place.range.lowerBound, end)])
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
