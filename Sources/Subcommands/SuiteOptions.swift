package import Sessions

/// Which files a suite is, and how they are run.
package struct SuiteOptions: Sendable {
  /// Files, directories and patterns.
  package var paths: [String] = []
  /// How many files at once.
  package var jobs = 1
  /// Whether no file begins after one that failed.
  package var failsFast = false
  /// How often each file is run; nil: once, and no times are compared.
  package var repetitions: Int?
  /// How often a file that fails is run again.
  package var retries = 0
  /// Only files whose path contains this, or fits it as a pattern.
  package var only: String?
  /// Only files with one of these tags; with `!`: without this one.
  package var tags: [String] = []
  package var shard: Shard?
  package var script = ScriptOptions()

  package init() {}

  /// Which share of the files is run: `2/5`.
  package struct Shard: Hashable, Sendable {
    /// From 1.
    package let index: Int
    package let count: Int

    package init?(_ text: String) {
      let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let index = numbers[0], let count = numbers[1], (1...10_000).contains(count),
        (1...count).contains(index)
      else { return nil }
      self.index = index
      self.count = count
    }
  }
}

/// One run of one file of a suite.
struct SuiteEntry: Hashable, Sendable {
  let file: SuiteFile
  /// Which of the whole suite's runs it is, from 0.
  let index: Int
  /// From 1; nil: the file is run once.
  let repetition: Int?
}

extension SuiteOptions {
  /// What is run, of the files that were found.
  ///
  /// - Returns: with how many entries the whole suite has, whatever the share.
  func entries(of files: [SuiteFile]) -> (own: [SuiteEntry], total: Int) {
    let chosen = files.filter { isChosen($0) }
    var entries: [SuiteEntry] = []
    for file in chosen {
      for round in 1...max(1, repetitions ?? 1) {
        entries.append(
          SuiteEntry(file: file, index: entries.count, repetition: repetitions == nil ? nil : round))
      }
    }
    let own = shard.map { shard in entries.filter { $0.index % shard.count == shard.index - 1 } } ?? entries
    return (own, entries.count)
  }

  private func isChosen(_ file: SuiteFile) -> Bool {
    if let only {
      guard file.path.contains(only) || FilePattern(only).matches(file.path) else { return false }
    }
    let wanted = tags.filter { !$0.hasPrefix("!") }
    let unwanted = tags.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
    if file.tags.contains(where: unwanted.contains) { return false }
    return wanted.isEmpty || file.tags.contains(where: wanted.contains)
  }
}
