/// A regular expression whose time is its length times that of the text, whatever the two contain: it runs as a machine
/// that is in many states at once and never goes back (K. Thompson 1968; captures after R. Pike's `sam`).
///
/// Scripts use it to match what servers sent, so no pattern and no text may make it hang.
struct Pattern: Sendable {
  /// The most instructions that one may have.
  private static let sizeLimit = 20_000

  private enum Instruction: Sendable {
    case characters(PatternTree.CharacterSet)
    /// Continues at both, the first preferred.
    case either(Int, Int)
    case jump(Int)
    /// Notes the place: 0 and 1 for the match, 2 and 3 for the first group.
    case note(Int)
    case assertion(PatternTree.Assertion)
    case match
  }

  private var instructions: [Instruction] = []
  /// Whether there is a group to extract.
  private(set) var hasGroup = false

  init(_ text: String) throws(PatternError) {
    var parser = PatternParser(text)
    let tree = try parser.parse()
    hasGroup = parser.groups > 0
    try append(.note(0))
    try compile(tree)
    try append(.note(1))
    try append(.match)
  }

  struct Match {
    var whole: String
    /// What the first group took; nil if it has no part in the match.
    var group: String?
  }

  /// The leftmost match; of those that start there, the one that the pattern prefers.
  func firstMatch(in text: String) -> Match? {
    let scalars = Array(text.unicodeScalars)
    guard let places = run(scalars) else { return nil }
    func part(_ start: Int, _ end: Int) -> String? {
      guard start >= 0, end >= start else { return nil }
      var part = ""
      part.unicodeScalars.append(contentsOf: scalars[start..<end])
      return part
    }
    return part(places[0], places[1]).map { Match(whole: $0, group: part(places[2], places[3])) }
  }

  /// Whether any part of the text matches.
  func isFound(in text: String) -> Bool { run(Array(text.unicodeScalars)) != nil }

  // MARK: Compiling

  private mutating func append(_ instruction: Instruction) throws(PatternError) {
    if instructions.count >= Self.sizeLimit { throw PatternError(sentence: "it is too large") }
    instructions.append(instruction)
  }

  private mutating func compile(_ tree: PatternTree) throws(PatternError) {
    switch tree {
    case .characters(let set): try append(.characters(set))
    case .assertion(let assertion): try append(.assertion(assertion))
    case .sequence(let pieces): for piece in pieces { try compile(piece) }
    case .group(let inner, let number):
      if number == 1 { try append(.note(2)) }
      try compile(inner)
      if number == 1 { try append(.note(3)) }
    case .choice(let branches):
      var ends: [Int] = []
      for (index, branch) in branches.enumerated() {
        guard index < branches.count - 1 else {
          try compile(branch)
          break
        }
        let split = instructions.count
        try append(.jump(0))
        try compile(branch)
        ends.append(instructions.count)
        try append(.jump(0))
        instructions[split] = .either(split + 1, instructions.count)
      }
      for end in ends { instructions[end] = .jump(instructions.count) }
    case .repetition(let inner, let least, let most, let isReluctant):
      for _ in 0..<least { try compile(inner) }
      if let most {
        var splits: [Int] = []
        for _ in least..<max(most, least) {
          splits.append(instructions.count)
          try append(.jump(0))
          try compile(inner)
        }
        for split in splits {
          instructions[split] = Self.either(split + 1, instructions.count, isReluctant)
        }
      } else {
        let split = instructions.count
        try append(.jump(0))
        try compile(inner)
        try append(.jump(split))
        instructions[split] = Self.either(split + 1, instructions.count, isReluctant)
      }
    }
  }

  private static func either(_ inside: Int, _ behind: Int, _ isReluctant: Bool) -> Instruction {
    isReluctant ? .either(behind, inside) : .either(inside, behind)
  }

  // MARK: Running

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

  private func run(_ text: [Unicode.Scalar]) -> Places? {
    var now = States(count: instructions.count)
    var next = States(count: instructions.count)
    var stack: [(instruction: Int, places: Places)] = []
    var found: Places?
    now.clear()
    for position in 0...text.count {
      // Nothing that starts later is preferred to what has been found.
      if found == nil { follow(0, Places(repeating: -1), text, position, &now, &stack) }
      if now.places.isEmpty, found != nil { break }
      next.clear()
      for state in now.places {
        if case .match = instructions[state.instruction] {
          found = state.places
          break
        }
        guard position < text.count, case .characters(let set) = instructions[state.instruction] else { continue }
        if set.contains(text[position]) {
          follow(state.instruction + 1, state.places, text, position + 1, &next, &stack)
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
        switch instructions[instruction] {
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
