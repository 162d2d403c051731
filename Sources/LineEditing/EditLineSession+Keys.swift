internal import CEditLine
internal import POSIX

extension EditLineSession {
  /// Called by libedit for the next character: returns 1 with one, 0 at the end.
  func readKey(into character: UnsafeMutablePointer<wchar_t>?) -> Int32 {
    if let scalar = takePushedBack() {
      character?.pointee = wchar_t(bitPattern: scalar.value)
      return 1
    }
    while true {
      switch keys.next() {
      case .character(let typed):
        guard let scalar = read(typed) else { continue }
        character?.pointee = wchar_t(bitPattern: scalar.value)
        return 1
      case .event(.interrupted):
        character?.pointee = 3
        return 1
      case .event(.resized): resize()
      case .event(.continued): resume()
      case .event(.cancelled):
        isInterrupted = true
        return 0
      case .end: return 0
      }
    }
  }

  func addFunctions() {
    for function in KeyBindings.Function.allCases {
      _ = editline_add_function(handle, function.rawValue, function.rawValue, function.callback)
    }
  }
}

extension KeyBindings.Function {
  fileprivate var callback: editline_key_function {
    switch self {
    case .interrupt: { handle, _ in EditLineSession.perform(handle) { $0.interrupt() } }
    case .suspend: { handle, _ in EditLineSession.perform(handle) { $0.suspend() } }
    case .complete: { handle, _ in EditLineSession.perform(handle) { $0.complete() } }
    case .paste: { handle, _ in EditLineSession.perform(handle) { $0.paste() } }
    case .previousEntry: { handle, _ in EditLineSession.perform(handle) { $0.goBack() } }
    case .nextEntry: { handle, _ in EditLineSession.perform(handle) { $0.goForward() } }
    case .previousWithPrefix: { handle, _ in EditLineSession.perform(handle) { $0.searchPrefix(towards: .older) } }
    case .nextWithPrefix: { handle, _ in EditLineSession.perform(handle) { $0.searchPrefix(towards: .newer) } }
    case .search: { handle, _ in EditLineSession.perform(handle) { $0.search() } }
    case .edit: { handle, _ in EditLineSession.perform(handle) { $0.edit() } }
    case .deleteWord: { handle, _ in EditLineSession.perform(handle) { $0.deleteWord() } }
    case .nextWord: { handle, _ in EditLineSession.perform(handle) { $0.goToWord(.next) } }
    case .previousWord: { handle, _ in EditLineSession.perform(handle) { $0.goToWord(.previous) } }
    case .deleteNextWord: { handle, _ in EditLineSession.perform(handle) { $0.delete(to: .next) } }
    case .deletePreviousWord: { handle, _ in EditLineSession.perform(handle) { $0.delete(to: .previous) } }
    }
  }
}

extension EditLineSession {
  fileprivate static func perform(_ handle: OpaquePointer?, _ action: (EditLineSession) -> KeyReaction) -> UInt8 {
    (of(handle).map(action) ?? .beep).code
  }

  /// ^C: shows it, as terminals do, and ends the line below it.
  fileprivate func interrupt() -> KeyReaction {
    isInterrupted = true
    let (text, _) = line
    moveCursor(to: text.unicodeScalars.count)
    el_insertstr(handle, "^C")
    el_push(handle, "\n")
    return .refresh
  }

  /// ^W: the word before the cursor, back to a space, as shells do it: `If-Match:"a"` is one.
  fileprivate func deleteWord() -> KeyReaction {
    let (text, cursor) = line
    let scalars = Array(text.unicodeScalars)
    var start = cursor
    while start > 0, scalars[start - 1].properties.isWhitespace { start -= 1 }
    while start > 0, !scalars[start - 1].properties.isWhitespace { start -= 1 }
    if start == cursor { return .beep }
    el_deletestr(handle, Int32(clamping: cursor - start))
    return .refresh
  }

  /// M-f and M-b. A word is of letters and digits, as readline has it: `name` and `ann` in `name=ann`. For libedit that is one.
  fileprivate func goToWord(_ direction: WordMotion) -> KeyReaction {
    let (text, cursor) = line
    let place = direction.place(in: text, from: cursor)
    if place == cursor { return .beep }
    moveCursor(to: place)
    return .refresh
  }

  /// M-d and M-DEL
  fileprivate func delete(to direction: WordMotion) -> KeyReaction {
    let (text, cursor) = line
    let place = direction.place(in: text, from: cursor)
    if place == cursor { return .beep }
    if place > cursor { moveCursor(to: place) }
    el_deletestr(handle, Int32(clamping: abs(place - cursor)))
    return .refresh
  }

  /// ^Z, for the whole job. The guard restores the terminal first; the reader takes it again afterwards.
  fileprivate func suspend() -> KeyReaction {
    leaveLine()
    kill(0, SIGTSTP)
    return .nothing
  }

  fileprivate func complete() -> KeyReaction {
    let (text, cursor) = line
    let completions = completer.completions(of: text, at: text.unicodeScalars.index(text.startIndex, offsetBy: cursor))
    switch completions.outcome(in: text) {
    case .nothing:
      return .beep
    case .replace(let replacement):
      let before = String(text[..<completions.range.lowerBound]) + replacement
      replaceLine(with: before + text[completions.range.upperBound...], cursor: before.unicodeScalars.count)
      openMark = completions.openMark
      return .refresh
    case .list:
      let size = terminal.size
      let list = CandidateList(
        completions.candidates, columns: size.columns, rows: size.rows, styled: environment["NO_COLOR"] == nil)
      showBelow(list.lines)
      return .nothing
    }
  }

  /// Text that the terminal reports as pasted goes into the line as it is, including line feeds: Return submits it as a
  /// whole.
  fileprivate func paste() -> KeyReaction {
    var pasted = String.UnicodeScalarView()
    let end = Array(BracketedPaste.end.unicodeScalars)
    var character: wchar_t = 0
    while !pasted.suffix(end.count).elementsEqual(end) {
      guard el_wgetc(handle, &character) == 1 else { break }
      if let scalar = Unicode.Scalar(UInt32(bitPattern: character)) { pasted.append(scalar) }
    }
    if pasted.suffix(end.count).elementsEqual(end) { pasted.removeLast(end.count) }
    let text = BracketedPaste.cleaned(String(pasted))
    if !text.isEmpty { el_insertstr(handle, text) }
    return .refresh
  }

  /// The line above in a text of several lines, otherwise the previous entry.
  fileprivate func goBack() -> KeyReaction {
    let (text, cursor) = line
    if let above = LinePosition(in: text, at: cursor).above {
      moveCursor(to: above)
      return .refresh
    }
    return show(walk.older(than: text))
  }

  /// The line below in a text of several lines, otherwise the next entry.
  fileprivate func goForward() -> KeyReaction {
    let (text, cursor) = line
    if let below = LinePosition(in: text, at: cursor).below {
      moveCursor(to: below)
      return .refresh
    }
    return show(walk.newer())
  }

  fileprivate func searchPrefix(towards direction: History.Direction) -> KeyReaction {
    let (text, cursor) = line
    let prefix = String(text.unicodeScalars.prefix(cursor))
    guard let found = walk.search(prefix: prefix, of: text, towards: direction) else { return .beep }
    replaceLine(with: found.entry, cursor: found.prefix.unicodeScalars.count)
    return .refresh
  }

  private func show(_ entry: String?) -> KeyReaction {
    guard let entry else { return .beep }
    replaceLine(with: entry)
    return .refresh
  }
}
