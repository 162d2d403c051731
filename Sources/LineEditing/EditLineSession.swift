internal import CEditLine
internal import POSIX

/// One libedit handle with what its callbacks need. Used by one thread at a time.
final class EditLineSession {
  let handle: OpaquePointer
  let output: UnsafeMutablePointer<FILE>
  let terminal: Terminal
  var keys: KeyReader
  let history: History
  let environment: [String: String]

  /// The prompt of the current read.
  var prompt: EditorPrompt = ""
  var completer: any Completer = NoCompleter()
  var walk: HistoryWalk
  /// What a completion ended with so that one can go on, `.` or `[`, while nothing was typed after it.
  var openMark: Unicode.Scalar?
  /// The character to be read after one that was put before it.
  private var pushedBack: Unicode.Scalar?
  /// Whether ^C, or the task's cancellation, ended the read.
  var isInterrupted = false

  /// Keeps the terminal safe during a read.
  private var guardian: TerminalGuard?
  /// The memory that libedit reads the prompt from.
  private var promptText: UnsafeMutablePointer<CChar>?
  private let input: UnsafeMutablePointer<FILE>

  init?(input: Int32, output: Int32, events: Int32, history: History, environment: [String: String]) {
    guard let terminal = Terminal(descriptor: input), Terminal(descriptor: output) != nil,
      let attributes = terminal.attributes, EditLineLibrary.isAvailable,
      let inputFile = Self.openFile(input, mode: "r"), let outputFile = Self.openFile(output, mode: "w")
    else { return nil }
    guard
      let handle = withUTF8Locale({ el_init("workbench", inputFile, outputFile, outputFile) })
    else {
      fclose(inputFile)
      fclose(outputFile)
      return nil
    }
    self.handle = handle
    self.input = inputFile
    self.output = outputFile
    self.terminal = terminal
    self.keys = KeyReader(input: input, events: events)
    self.history = history
    self.environment = environment
    self.walk = HistoryWalk(history: history)
    withUTF8Locale { configure() }
    terminal.restore(attributes)
  }

  deinit {
    // libedit would restore the attributes it found when it started, and drop what was typed ahead.
    _ = editline_set_editing(handle, 0)
    el_end(handle)
    fclose(input)
    fclose(output)
    free(promptText)
  }

  /// Reads one line with the terminal in editing mode.
  func readLine(prompt: EditorPrompt, completer: any Completer, wakeup: Int32) -> LineInput {
    withUTF8Locale {
      self.completer = completer
      show(prompt)
      walk = HistoryWalk(history: history)
      isInterrupted = false
      (openMark, pushedBack) = (nil, nil)
      keys.dropEvents()
      guard let attributes = terminal.attributes else { return .endOfInput }
      let guardian = TerminalGuard(
        terminal: terminal, attributes: attributes, output: fileno(output), events: wakeup)
      guardian.install()
      self.guardian = guardian
      defer { guardian.remove() }
      return readLine()
    }
  }

  /// The character to be read in place of the one that was typed: what a completion has added goes away before what cannot
  /// follow it, `$1.body.fields, file…`, and is not there twice; nil: nothing is read.
  func read(_ typed: Unicode.Scalar) -> Unicode.Scalar? {
    // A list of candidates changes nothing.
    guard let mark = openMark, typed != "\t" else { return typed }
    openMark = nil
    if typed == mark { return nil }
    guard mark != "(", Self.afterValue.contains(typed) else { return typed }
    pushedBack = typed
    return "\u{7F}"
  }

  /// The character that waits to be read.
  func takePushedBack() -> Unicode.Scalar? {
    defer { pushedBack = nil }
    return pushedBack
  }

  /// What is typed after a whole value, or instead of the mark.
  private static let afterValue: Set<Unicode.Scalar> = [",", ")", "}", "|", ";", " ", ".", "[", "\r", "\n"]

  private func readLine() -> LineInput {
    // Before the prompt is visible: libedit would show it first, and the terminal would swallow a ^D typed in between.
    _ = editline_prepare_terminal(handle, 1)
    write(BracketedPaste.enable)
    var count: Int32 = 0
    let line = el_gets(handle, &count).map { String(cString: $0) }
    write("\(BracketedPaste.disable)")
    guard var line else {
      write("\n")
      return isInterrupted ? .interrupted : .endOfInput
    }
    if isInterrupted { return .interrupted }
    if line.last == "\n" { line.removeLast() }
    return .line(line)
  }

  /// Runs `body` with the terminal and signals as they are between reads.
  func outsideEditing(_ body: () -> Void) {
    write("\(BracketedPaste.disable)")
    _ = editline_prepare_terminal(handle, 0)
    guardian?.remove()
    body()
    guardian?.install()
    _ = editline_prepare_terminal(handle, 1)
    write(BracketedPaste.enable)
  }

  /// Sets the prompt that libedit draws from now on.
  func show(_ prompt: EditorPrompt) {
    self.prompt = prompt
    free(promptText)
    promptText = strdup(prompt.encoded)
  }

  /// Writes to the terminal, bypassing libedit's model of the screen.
  func write(_ text: String) {
    fputs(text, output)
    fflush(output)
  }

  private static func openFile(_ descriptor: Int32, mode: String) -> UnsafeMutablePointer<FILE>? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    guard let file = fdopen(copy, mode) else {
      close(copy)
      return nil
    }
    return file
  }
}

// MARK: - Configuration

extension EditLineSession {
  private func configure() {
    _ = editline_set_client(handle, Unmanaged.passUnretained(self).toOpaque())
    _ = editline_set_editor(handle, "emacs")
    _ = editline_set_prompt(handle, { EditLineSession.of($0)?.promptText }, CChar(EditorPrompt.escape.asciiValue ?? 1))
    _ = editline_set_reader(handle, { EditLineSession.of($0)?.readKey(into: $1) ?? -1 })
    _ = editline_take_all_keys(handle)
    addFunctions()
    bindKeys()
  }

  /// Whether the keys are those of vi.
  var usesVi: Bool { editline_editor(handle).map { String(cString: $0) } == "vi" }

  private func bindKeys() {
    let user = KeyBindings(lines: editrcLines())
    for words in user.choices { parse(words) }
    let usesVi = usesVi
    for binding in KeyBindings.own + (usesVi ? KeyBindings.viCommands : KeyBindings.emacs) {
      _ =
        binding.inCommandMode
        ? editline_bind_command(handle, binding.key, binding.function.rawValue)
        : editline_bind(handle, binding.key, binding.function.rawValue)
    }
    for words in user.others { parse(words) }
  }

  /// The user's editrc file as words, by libedit's own quoting rules.
  private func editrcLines() -> [[String]] {
    guard let path = environment["EDITRC"] ?? environment["HOME"].map({ $0 + "/.editrc" }),
      let file = fopen(path, "re"), let tokenizer = tok_init(nil)
    else { return [] }
    defer {
      fclose(file)
      tok_end(tokenizer)
    }
    var lines: [[String]] = []
    var buffer: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(buffer) }
    while getline(&buffer, &capacity, file) > 0, let buffer {
      if String(cString: buffer).drop(while: { $0.isWhitespace }).first == "#" { continue }
      var count: Int32 = 0
      var words: UnsafeMutablePointer<UnsafePointer<CChar>?>?
      tok_reset(tokenizer)
      guard tok_str(tokenizer, buffer, &count, &words) == 0, count > 0, let words else { continue }
      lines.append((0..<Int(count)).compactMap { index in words[index].map { String(cString: $0) } })
    }
    return lines
  }

  private func parse(_ words: [String]) {
    let copies = words.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    var arguments = copies.map { $0.map { UnsafePointer($0) } } + [nil]
    _ = el_parse(handle, Int32(words.count), &arguments)
  }

  /// The session that a callback of libedit belongs to.
  static func of(_ handle: OpaquePointer?) -> EditLineSession? {
    guard let handle, let client = editline_client(handle) else { return nil }
    return Unmanaged<EditLineSession>.fromOpaque(client).takeUnretainedValue()
  }
}
