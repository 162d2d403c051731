internal import CEditLine
internal import POSIX

extension EditLineSession {
  /// ^R: every key narrows the search through the history, newest first, until a key does something else.
  func search() -> KeyReaction {
    let before = line
    let usual = prompt
    var search = IncrementalSearch(walk: walk, line: before.text)
    var drawn = layout

    search: while true {
      show(search.prompt)
      replaceLine(with: search.shown, cursor: search.cursor)
      redraw(over: drawn)
      drawn = layout

      var character: wchar_t = 0
      guard el_wgetc(handle, &character) == 1, let key = Unicode.Scalar(UInt32(bitPattern: character)) else {
        return finish(usual, over: drawn, .endInput)
      }
      switch key {
      case "\u{12}": search.next(towards: .older)
      case "\u{13}": search.next(towards: .newer)
      case "\u{7F}", "\u{8}": search.removeLast()
      case "\u{7}":
        replaceLine(with: before.text, cursor: before.cursor)
        return finish(usual, over: drawn, .nothing)
      case _ where key.properties.generalCategory == .control:
        // The key does what it always does, to the entry that was found.
        if let age = search.age { walk.jump(to: age, from: before.text) }
        // Escape alone only ends the search: of emacs's keys it would be the beginning of the next.
        if key != "\u{1B}" || keys.isInSequence || usesVi { el_push(handle, String(key)) }
        return finish(usual, over: drawn, .nothing)
      default:
        search.append(key)
      }
    }
  }

  private func finish(_ prompt: EditorPrompt, over drawn: ScreenLayout, _ reaction: KeyReaction) -> KeyReaction {
    show(prompt)
    redraw(over: drawn)
    return reaction
  }
}

/// A search through the history that continues with every key.
struct IncrementalSearch {
  private let walk: HistoryWalk
  /// The entry that was found, or the line that was there before.
  private(set) var shown: String
  /// The position of the entry in the history; nil if none was found.
  private(set) var age: Int?
  private var pattern = ""
  private var failed = false
  /// What was found before each key, for backspace.
  private var past: [(shown: String, age: Int?, failed: Bool)] = []

  init(walk: HistoryWalk, line: String) {
    self.walk = walk
    shown = line
  }

  var prompt: EditorPrompt {
    EditorPrompt((failed ? "(no match) " : "(search) ") + pattern + ": ")
  }

  /// The position of the pattern in the entry, in scalars; nil is its end.
  var cursor: Int? {
    let text = Array(shown.unicodeScalars)
    let wanted = Array(pattern.unicodeScalars)
    guard !wanted.isEmpty, text.count >= wanted.count else { return nil }
    return (0...(text.count - wanted.count)).first { text[$0...].starts(with: wanted) }
  }

  mutating func append(_ key: Unicode.Scalar) {
    past.append((shown, age, failed))
    pattern.unicodeScalars.append(key)
    find(from: age ?? walk.searchStart, towards: .older, unlike: nil)
  }

  mutating func removeLast() {
    guard let last = past.popLast() else { return }
    pattern.unicodeScalars.removeLast()
    (shown, age, failed) = last
  }

  /// Another entry with the same pattern.
  mutating func next(towards direction: History.Direction) {
    guard !pattern.isEmpty else { return }
    find(from: (age ?? walk.searchStart) + (direction == .older ? 1 : -1), towards: direction, unlike: shown)
  }

  private mutating func find(from start: Int, towards direction: History.Direction, unlike line: String?) {
    guard let found = walk.find(pattern, from: start, towards: direction, unlike: line) else {
      failed = true
      return
    }
    (age, shown) = found
    failed = false
  }
}
