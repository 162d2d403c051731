internal import CEditLine
internal import POSIX

extension EditLineSession {
  /// ^X^E: the line is edited in `$VISUAL` or `$EDITOR`, and is then sent with Return.
  func edit() -> KeyReaction {
    let editor = ExternalEditor(environment: environment)
    leaveLine()
    let (text, _) = line
    var edited: String?
    outsideEditing { edited = editor.edit(text, terminal: terminal.descriptor) }
    if let edited { replaceLine(with: edited) }
    keys.dropEvents()
    write("\r")
    _ = editline_redraw(handle)
    if edited == nil { el_beep(handle) }
    return .nothing
  }
}
