/// A parsed I-Regexp.
indirect enum IRegexpTree {
  /// `^` and `$`
  enum Anchor: Sendable {
    case start
    case end
  }

  case characters(IRegexpCharacters)
  case anchor(Anchor)
  case sequence([IRegexpTree])
  case choice([IRegexpTree])
  case repetition(IRegexpTree, min: Int, max: Int?)

  /// How many instructions it takes; nil if there are too many to count.
  var size: Int? {
    switch self {
    case .characters, .anchor: return 1
    case .sequence(let parts): return Self.sum(parts)
    case .choice(let branches): return Self.sum(branches).map { $0 + 2 * (branches.count - 1) }
    case .repetition(let part, let min, let max):
      guard let size = part.size else { return nil }
      let times = max ?? min + 1
      let (product, overflow) = (size + 2).multipliedReportingOverflow(by: times)
      return overflow || product > IRegexp.sizeLimit ? nil : product
    }
  }

  private static func sum(_ parts: [IRegexpTree]) -> Int? {
    var sum = 0
    for part in parts {
      guard let size = part.size, sum + size <= IRegexp.sizeLimit else { return nil }
      sum += size
    }
    return sum
  }

  func emit(to program: inout [IRegexp.Instruction]) {
    switch self {
    case .characters(let characters):
      program.append(.character(characters))
    case .anchor(let anchor):
      program.append(.anchor(anchor))
    case .sequence(let parts):
      for part in parts { part.emit(to: &program) }
    case .choice(let branches):
      Self.emit(branches[...], to: &program)
    case .repetition(let part, let min, let max):
      for _ in 0..<min { part.emit(to: &program) }
      guard let max else {
        // again: split on, after; part; jump again
        let again = program.count
        program.append(.jump(0))
        part.emit(to: &program)
        program.append(.jump(again))
        program[again] = .split(again + 1, program.count)
        return
      }
      var splits: [Int] = []
      for _ in min..<max {
        splits.append(program.count)
        program.append(.jump(0))
        part.emit(to: &program)
      }
      for split in splits { program[split] = .split(split + 1, program.count) }
    }
  }

  private static func emit(_ branches: ArraySlice<IRegexpTree>, to program: inout [IRegexp.Instruction]) {
    var ends: [Int] = []
    for (offset, branch) in branches.enumerated() {
      let isLast = offset == branches.count - 1
      let split = program.count
      if !isLast { program.append(.jump(0)) }
      branch.emit(to: &program)
      guard !isLast else { break }
      ends.append(program.count)
      program.append(.jump(0))
      program[split] = .split(split + 1, program.count)
    }
    for end in ends { program[end] = .jump(program.count) }
  }
}

/// The characters that match at one place.
struct IRegexpCharacters: Sendable {
  enum Item: Sendable {
    case range(ClosedRange<Unicode.Scalar>)
    /// `\p{…}`, and `\P{…}` if it is not contained.
    case category(Set<Unicode.GeneralCategory>, isContained: Bool)
  }

  var items: [Item]
  var isNegated = false

  /// `.`: anything but a line feed or a carriage return
  static let any = IRegexpCharacters(items: [.range("\n"..."\n"), .range("\r"..."\r")], isNegated: true)

  static func one(_ scalar: Unicode.Scalar) -> IRegexpCharacters {
    IRegexpCharacters(items: [.range(scalar...scalar)])
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isListed = items.contains { item in
      switch item {
      case .range(let range): range.contains(scalar)
      case .category(let categories, let isContained):
        categories.contains(scalar.properties.generalCategory) == isContained
      }
    }
    return isListed != isNegated
  }
}
