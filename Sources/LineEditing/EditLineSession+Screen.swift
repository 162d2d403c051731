internal import CEditLine
internal import POSIX

extension EditLineSession {
  /// The line and how many of its scalars are before the cursor.
  var line: (text: String, cursor: Int) {
    guard let info = el_line(handle)?.pointee, let start = info.buffer, let end = info.lastchar, let at = info.cursor
    else { return ("", 0) }
    func text(to end: UnsafePointer<CChar>) -> String {
      let bytes = UnsafeRawBufferPointer(start: start, count: max(0, end - start))
      return String(decoding: bytes, as: UTF8.self)
    }
    return (text(to: end), text(to: at).unicodeScalars.count)
  }

  /// Replaces the line by another text, with the cursor after that many of its scalars; at its end if that is nil.
  func replaceLine(with text: String, cursor: Int? = nil) {
    let length = Int32(clamping: line.text.unicodeScalars.count)
    _ = el_cursor(handle, length)
    el_deletestr(handle, length)
    if !text.isEmpty { el_insertstr(handle, text) }
    if let cursor { moveCursor(to: cursor) }
  }

  func moveCursor(to position: Int) {
    _ = el_cursor(handle, Int32(clamping: position) - el_cursor(handle, 0))
  }

  /// Where the prompt and the line are on the screen now.
  var layout: ScreenLayout {
    let (text, cursor) = line
    return ScreenLayout(prompt: prompt.plainText, line: text, cursor: cursor, columns: terminal.size.columns)
  }

  /// Redraws the prompt and the line where they were as `old`.
  func redraw(over old: ScreenLayout) {
    // Not erased from the first column: in the screen's first row, terminals take that for a new screen and keep the
    // old one among the lines that scrolled away.
    write("\r" + (old.cursorRow > 0 ? "\u{1B}[\(old.cursorRow)A" : "") + "\u{1B}[K\u{1B}[C\u{1B}[J\r")
    _ = editline_redraw(handle)
  }

  /// Goes to the row below the line, shows `lines` there, and then the line again.
  func showBelow(_ lines: [String]) {
    leaveLine()
    write(lines.map { $0 + "\n" }.joined())
    _ = editline_redraw(handle)
  }

  /// Moves the terminal's cursor to the start of the row below the line.
  func leaveLine() {
    let layout = layout
    write(String(repeating: "\n", count: layout.lastRow - layout.cursorRow + 1))
  }

  /// Adapts to a new window size.
  func resize() {
    el_resize(handle)
    // Most terminals have rewrapped the text by now: it is laid out for the new size.
    redraw(over: layout)
  }

  /// Takes the terminal back after the process was stopped.
  func resume() {
    // Leave first: libedit believes that it is still in editing mode.
    _ = editline_prepare_terminal(handle, 0)
    _ = editline_prepare_terminal(handle, 1)
    write(BracketedPaste.enable + "\r")
    el_resize(handle)
    _ = editline_redraw(handle)
  }
}
