/// Compiles a tree to a program.
struct PatternCompiler {
  /// An expression that needs more instructions than this (`a{1000}{1000}`) is refused.
  let limit: Int
  private(set) var program: [Pattern.Instruction] = []

  init(limit: Int) {
    self.limit = limit
  }

  mutating func append(_ instruction: Pattern.Instruction) throws(PatternError) {
    if program.count >= limit { throw PatternError(sentence: "it is too large") }
    program.append(instruction)
  }

  mutating func compile(_ tree: PatternTree) throws(PatternError) {
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
      for branch in branches.dropLast() {
        let split = try reserve()
        try compile(branch)
        ends.append(try reserve())
        program[split] = .either(split + 1, program.count)
      }
      if let last = branches.last { try compile(last) }
      for end in ends { program[end] = .jump(program.count) }
    case .repetition(let inner, let least, let most, let isReluctant):
      for _ in 0..<least {
        let start = program.count
        try compile(inner)
        // A piece that takes no instructions takes none however often it is repeated.
        if program.count == start { break }
      }
      var splits: [Int] = []
      for _ in least..<(most ?? least + 1) {
        splits.append(try reserve())
        try compile(inner)
      }
      if most == nil { try append(.jump(splits[0])) }
      for split in splits {
        program[split] = isReluctant ? .either(program.count, split + 1) : .either(split + 1, program.count)
      }
    }
  }

  /// A place whose instruction comes later.
  private mutating func reserve() throws(PatternError) -> Int {
    try append(.jump(0))
    return program.count - 1
  }
}
