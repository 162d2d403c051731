/// A regular expression of RFC 9485, matched in time linear in the text, whatever the expression is.
///
/// The matcher follows all paths through the expression at once (Thompson; Cox, *Regular Expression Matching: the
/// Virtual Machine Approach*), so neither an expression nor a text from a server can make it backtrack forever.
///
/// `^` and `$` outside brackets are the start and the end of the text, as they are for the engines that RFC 9485 §5
/// maps its expressions to and in JSONPath's compliance suite, though in the RFC's own grammar they are characters.
struct IRegexp: Sendable {
  /// An expression that needs more instructions than this (`a{1000}{1000}`) is refused.
  static let sizeLimit = 10_000

  enum Instruction: Sendable {
    case character(IRegexpCharacters)
    /// Continues at both places.
    case split(Int, Int)
    case jump(Int)
    /// Continues only at the start of the text, or only at its end.
    case anchor(IRegexpTree.Anchor)
    case match
  }

  private let program: [Instruction]

  /// nil for a text that is not an I-Regexp, or one that is too large.
  init?(_ text: String) {
    var parser = IRegexpParser(text)
    guard let tree = parser.parse(), let size = tree.size, size < Self.sizeLimit else { return nil }
    var program: [Instruction] = []
    program.reserveCapacity(size + 1)
    tree.emit(to: &program)
    program.append(.match)
    self.program = program
  }

  /// Whether the expression matches the whole text.
  func matches(_ text: String) -> Bool { run(text, isAnchored: true) }

  /// Whether it matches any part of the text.
  func isFound(in text: String) -> Bool { run(text, isAnchored: false) }

  private func run(_ text: String, isAnchored: Bool) -> Bool {
    let text = text.unicodeScalars
    var current = Threads(capacity: program.count)
    var next = Threads(capacity: program.count)
    var index = text.startIndex
    add(0, to: &current, isStart: true, isEnd: text.isEmpty)
    while index < text.endIndex {
      if !isAnchored, current.hasMatch { return true }
      if current.places.isEmpty, isAnchored { return false }
      let scalar = text[index]
      index = text.index(after: index)
      next.removeAll()
      for place in current.places {
        if case .character(let characters) = program[place], characters.contains(scalar) {
          add(place + 1, to: &next, isStart: false, isEnd: index == text.endIndex)
        }
      }
      if !isAnchored { add(0, to: &next, isStart: false, isEnd: index == text.endIndex) }
      swap(&current, &next)
    }
    return current.hasMatch
  }

  /// Adds the places that can be reached without consuming a character.
  private func add(_ start: Int, to threads: inout Threads, isStart: Bool, isEnd: Bool) {
    threads.pending.append(start)
    while let place = threads.pending.popLast() {
      guard threads.insert(place) else { continue }
      switch program[place] {
      case .jump(let target): threads.pending.append(target)
      case .split(let first, let second):
        threads.pending.append(second)
        threads.pending.append(first)
      case .anchor(.start): if isStart { threads.pending.append(place + 1) }
      case .anchor(.end): if isEnd { threads.pending.append(place + 1) }
      case .character: threads.places.append(place)
      case .match: threads.hasMatch = true
      }
    }
  }

  /// The places where the program is simultaneously.
  private struct Threads {
    /// Those that wait for a character.
    var places: [Int] = []
    var pending: [Int] = []
    var hasMatch = false
    private var seen: [Int]
    private var generation = 1

    init(capacity: Int) {
      seen = Array(repeating: 0, count: capacity)
    }

    /// Whether the place was not there yet.
    mutating func insert(_ place: Int) -> Bool {
      if seen[place] == generation { return false }
      seen[place] = generation
      return true
    }

    mutating func removeAll() {
      places.removeAll(keepingCapacity: true)
      hasMatch = false
      generation += 1
    }
  }
}
