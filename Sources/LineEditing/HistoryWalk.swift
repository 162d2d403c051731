/// Moves back and forth in the history from a line that is being edited, and returns to that line.
struct HistoryWalk {
  private let history: History
  /// The entry that is shown; -1 is the line itself.
  private var age = -1
  /// The line as it was when the walk left it.
  private var draft = ""
  /// What the last search by prefix looked for, and what it showed.
  private var prefixSearch: (prefix: String, shown: String)?

  init(history: History) {
    self.history = history
  }

  /// The entry before the one shown; nil at the oldest.
  mutating func older(than line: String) -> String? {
    guard let entry = history.entry(age: age + 1) else { return nil }
    leave(line)
    age += 1
    return entry
  }

  /// The entry after the one shown, and finally the line that the walk began with; nil there.
  mutating func newer() -> String? {
    guard age >= 0 else { return nil }
    age -= 1
    return age < 0 ? draft : history.entry(age: age) ?? draft
  }

  /// The next entry that begins the way the line did when this search began; nil if there is none.
  mutating func search(
    prefix: String, of line: String, towards direction: History.Direction
  ) -> (entry: String, prefix: String)? {
    let prefix = prefixSearch.flatMap { $0.shown == line ? $0.prefix : nil } ?? prefix
    var next = age + (direction == .older ? 1 : -1)
    while let found = history.search(for: .prefix(prefix), from: next, towards: direction) {
      if found.entry == line {
        next = found.age + (direction == .older ? 1 : -1)
        continue
      }
      leave(line)
      age = found.age
      prefixSearch = (prefix, found.entry)
      return (found.entry, prefix)
    }
    guard direction == .newer, age >= 0 else { return nil }
    age = -1
    prefixSearch = nil
    return (draft, prefix)
  }

  /// The first entry from `start` on that contains `text`, skipping entries equal to `line`.
  func find(_ text: String, from start: Int, towards direction: History.Direction, unlike line: String?) -> (
    age: Int, entry: String
  )? {
    var next = start
    while let found = history.search(for: .substring(text), from: next, towards: direction) {
      if found.entry != line { return found }
      next = found.age + (direction == .older ? 1 : -1)
    }
    return nil
  }

  /// Where a search begins: at the entry that is shown, or at the newest.
  var searchStart: Int { max(0, age) }

  /// Goes to an entry that a search found.
  mutating func jump(to age: Int, from line: String) {
    leave(line)
    self.age = age
  }

  private mutating func leave(_ line: String) {
    if age < 0 { draft = line }
  }
}
