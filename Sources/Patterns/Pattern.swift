/// A regular expression whose time is its length times that of the text, whatever the two contain: it runs as a machine
/// that is in many states at once and never goes back (K. Thompson 1968; captures after R. Pike's `sam`).
///
/// Scripts and JSONPath use it to match what servers sent, so no pattern and no text may make it hang. This module
/// knows nothing about either.
package struct Pattern: Sendable {
  enum Instruction: Sendable {
    case characters(PatternTree.CharacterSet)
    /// Continues at both, the first preferred.
    case either(Int, Int)
    case jump(Int)
    /// Notes the place: 0 and 1 for the match, 2 and 3 for the first group.
    case note(Int)
    case assertion(PatternTree.Assertion)
    case match
  }

  private let program: [Instruction]
  /// Whether there is a group to extract.
  package let hasGroup: Bool

  /// One of the script language.
  package init(_ text: String) throws(PatternError) {
    var parser = PatternParser(text)
    let tree = try parser.parse()
    try self.init(tree, limit: PatternParser.sizeLimit, hasGroup: parser.groups > 0)
  }

  /// One of RFC 9485; nil for a text that is not an I-Regexp, or one that is too large.
  package init?(iRegexp text: String) {
    var parser = IRegexpParser(text)
    guard let tree = parser.parse() else { return nil }
    do throws(PatternError) {
      try self.init(tree, limit: IRegexpParser.sizeLimit, hasGroup: false)
    } catch {
      return nil
    }
  }

  private init(_ tree: PatternTree, limit: Int, hasGroup: Bool) throws(PatternError) {
    var compiler = PatternCompiler(limit: limit)
    try compiler.append(.note(0))
    try compiler.compile(tree)
    try compiler.append(.note(1))
    try compiler.append(.match)
    program = compiler.program
    self.hasGroup = hasGroup
  }

  package struct Match {
    package var whole: String
    /// What the first group matched; nil if it is not part of the match.
    package var group: String?
  }

  /// The leftmost match; of those that start there, the one that the pattern prefers.
  package func firstMatch(in text: String) -> Match? {
    let scalars = Array(text.unicodeScalars)
    guard let places = run(scalars, .first) else { return nil }
    func part(_ start: Int, _ end: Int) -> String? {
      guard start >= 0, end >= start else { return nil }
      return String(String.UnicodeScalarView(scalars[start..<end]))
    }
    return part(places[0], places[1]).map { Match(whole: $0, group: part(places[2], places[3])) }
  }

  /// Whether any part of the text matches.
  package func isFound(in text: String) -> Bool { run(Array(text.unicodeScalars), .any) != nil }

  /// Whether the whole text matches.
  package func matches(_ text: String) -> Bool { run(Array(text.unicodeScalars), .whole) != nil }

  /// How far all searches for the matches of one text may look together, in characters.
  private static let stepLimit = 20_000_000

  /// The matches in the text, from left to right, none inside another; nil if finding them all would take too long.
  package func ranges(in text: String) -> [Range<String.Index>]? {
    let scalars = Array(text.unicodeScalars)
    let indices = Array(text.unicodeScalars.indices) + [text.endIndex]
    var found: [Range<String.Index>] = []
    var (start, steps) = (0, 0)
    while start <= scalars.count, let places = run(scalars, .first, from: start, steps: &steps) {
      found.append(indices[places[0]]..<indices[places[1]])
      // What matches nothing is looked for again one character further.
      start = places[1] > places[0] ? places[1] : places[1] + 1
      if steps > Self.stepLimit { return nil }
    }
    return found
  }

  // MARK: Running

  private enum Wanted {
    case first, any, whole
  }

  private typealias Places = SIMD4<Int>

  /// The states at one place of the text, in the order of preference, each at most once.
  private struct States {
    var places: [(instruction: Int, places: Places)] = []
    private var seen: [Int]
    private var mark = 0

    init(count: Int) {
      seen = Array(repeating: -1, count: count)
    }

    mutating func clear() {
      places.removeAll(keepingCapacity: true)
      mark += 1
    }

    mutating func isNew(_ instruction: Int) -> Bool {
      if seen[instruction] == mark { return false }
      seen[instruction] = mark
      return true
    }
  }

  /// - Parameters:
  ///   - start: where it begins to look.
  ///   - steps: how far it has looked, which it adds to.
  private func run(
    _ text: [Unicode.Scalar], _ wanted: Wanted, from start: Int = 0, steps: UnsafeMutablePointer<Int>? = nil
  ) -> Places? {
    var now = States(count: program.count)
    var next = States(count: program.count)
    var stack: [(instruction: Int, places: Places)] = []
    var found: Places?
    for position in start...text.count {
      steps?.pointee += 1
      // Nothing that begins later is preferred to what has been found.
      if found == nil, wanted != .whole || position == start {
        follow(0, Places(repeating: -1), text, position, &now, &stack)
      }
      if now.places.isEmpty, found != nil || wanted == .whole { break }
      next.clear()
      states: for state in now.places {
        switch program[state.instruction] {
        case .match:
          if wanted == .whole, position < text.count { continue }
          if wanted != .first { return state.places }
          found = state.places
          break states
        case .characters(let set):
          guard position < text.count, set.contains(text[position]) else { continue }
          follow(state.instruction + 1, state.places, text, position + 1, &next, &stack)
        case .either, .jump, .note, .assertion: continue
        }
      }
      swap(&now, &next)
    }
    return found
  }

  /// Adds the instruction, or what it leads to without consuming a character.
  private func follow(
    _ start: Int, _ places: Places, _ text: [Unicode.Scalar], _ position: Int, _ states: inout States,
    _ stack: inout [(instruction: Int, places: Places)]
  ) {
    stack.append((start, places))
    while var (instruction, places) = stack.popLast() {
      while states.isNew(instruction) {
        switch program[instruction] {
        case .characters, .match:
          states.places.append((instruction, places))
        case .jump(let target):
          instruction = target
          continue
        case .either(let first, let second):
          stack.append((second, places))
          instruction = first
          continue
        case .note(let index):
          places[index] = position
          instruction += 1
          continue
        case .assertion(let assertion):
          guard Self.holds(assertion, text, position) else { break }
          instruction += 1
          continue
        }
        break
      }
    }
  }

  private static func holds(_ assertion: PatternTree.Assertion, _ text: [Unicode.Scalar], _ position: Int) -> Bool {
    switch assertion {
    case .textStart: return position == 0
    case .textEnd: return position == text.count
    case .lineStart: return position == 0 || text[position - 1] == "\n"
    case .lineEnd: return position == text.count || text[position] == "\n" || text[position] == "\r"
    case .wordBoundary, .noWordBoundary:
      let before = position > 0 && PatternTree.CharacterSet.word.contains(text[position - 1])
      let after = position < text.count && PatternTree.CharacterSet.word.contains(text[position])
      return (before != after) == (assertion == .wordBoundary)
    }
  }
}
