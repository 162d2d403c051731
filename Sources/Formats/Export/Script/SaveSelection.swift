/// Which responses go into a saved script: `chain.wb`, `chain.wb 3..7`, `chain.wb 1 3..5`, `chain.wb login`,
/// `chain.wb login..confirm`.
package struct SaveSelection: Hashable {
  package enum ParseError: Error, Hashable {
    case noFile
    /// A word that is neither a number nor a range of numbers, nor the label of a response.
    case malformed(String)
    case outOfRange(String, last: Int)
    case nothingYet
  }

  package var file: String
  /// Whether the file may already exist: `chain.wb!`.
  package var replaces: Bool
  /// From 1, in order.
  package var numbers: [Int]
  /// Those that were named individually, and are kept whatever their status is.
  package var named: Set<Int>
  /// What was typed after the file.
  private let words: [String]
  /// How many responses there are.
  private let last: Int

  /// Whether no responses were named.
  package var isOfAll: Bool { words.isEmpty }

  /// - Parameters:
  ///   - last: how many responses there are.
  ///   - number: that of the response with a label.
  package init(_ argument: String?, last: Int, number: (String) -> Int? = { _ in nil }) throws(ParseError) {
    var words = (argument ?? "").split { $0.isWhitespace || $0 == "," }[...]
    guard let file = words.popFirst() else { throw .noFile }
    guard last > 0 else { throw .nothingYet }
    replaces = file.hasSuffix("!")
    self.file = String(replaces ? file.dropLast() : file)
    named = []
    self.words = words.map(String.init)
    self.last = last
    var chosen: Set<Int> = []
    for word in words {
      let range =
        if let number = number(String(word.drop { $0 == "$" })) {
          number...number
        } else {
          try Self.range(word, last: last, number)
        }
      chosen.formUnion(range)
      if range.count == 1 { named.formUnion(range) }
    }
    numbers = words.isEmpty ? Array(1...last) : chosen.sorted()
  }

  /// Removes responses that nobody named individually.
  ///
  /// - Returns: whether they are removed: false if one of them was named, or was not chosen.
  package mutating func leaveOut(_ unwanted: [Int]) -> Bool {
    let unwanted = Set(unwanted)
    guard !unwanted.isEmpty, unwanted.isDisjoint(with: named), unwanted.isSubset(of: numbers) else { return false }
    numbers.removeAll(where: unwanted.contains)
    return true
  }

  /// What saves the same to the same file, and this response whatever it is.
  package func keeping(_ number: Int) -> String {
    let all = last > 1 && words.isEmpty ? ["1..\(last)"] : words
    return (["\(file)!"] + all + ["\(number)"]).joined(separator: " ")
  }

  /// `3`, `$3`, `3..7`, `3-7`, `3..`, `login..`.
  private static func range(
    _ word: Substring, last: Int, _ number: (String) -> Int?
  ) throws(ParseError) -> ClosedRange<Int> {
    let text = word.filter { $0 != "$" }
    let separator = text.firstRange(of: "..") ?? text.firstRange(of: "-")
    let start = separator.map { text[..<$0.lowerBound] } ?? text[...]
    let end = separator.map { text[$0.upperBound...] } ?? text[...]
    guard let first = Int(start) ?? number(String(start)),
      let final = end.isEmpty ? last : Int(end) ?? number(String(end)), first <= final
    else {
      throw .malformed(String(word))
    }
    guard first >= 1, final <= last else { throw .outOfRange(String(word), last: last) }
    return first...final
  }
}
