internal import POSIX
internal import Synchronization

/// A line editor without a terminal: input comes from a stream or a text, nothing is edited.
public final class ScriptedLineEditor: LineEditor {
  public let isInteractive: Bool

  private let lines: Mutex<LineSource>
  private let screen: (@Sendable (String) -> Void)?

  /// Reads lines from a stream as they are; prompts are not shown.
  ///
  /// The descriptor remains the caller's, who closes it.
  public init(reading descriptor: Int32) {
    isInteractive = false
    lines = Mutex(LineSource(descriptor: descriptor))
    screen = nil
  }

  /// Takes lines from `lines` as from a stream.
  public init(lines text: [String]) {
    isInteractive = false
    lines = Mutex(LineSource(text: text.map { $0 + "\n" }.joined()))
    screen = nil
  }

  /// Types `keys` as a person would: line feed is Return, `\t` completes, U+0003 is ^C, U+0004 is ^D.
  ///
  /// - Parameter screen: receives what a terminal would show: prompts, what is typed, lists of candidates.
  public init(typing keys: String, screen: (@Sendable (String) -> Void)? = nil) {
    isInteractive = true
    lines = Mutex(LineSource(text: keys))
    self.screen = screen
  }

  public func readLine(prompt: EditorPrompt, completer: any Completer) async -> LineInput {
    if isInteractive { return type(prompt: prompt, completer: completer) }
    if let line = lines.withLock({ $0.nextBufferedLine() }) { return .line(line) }
    let line = await onDedicatedThread { self.lines.withLock { $0.nextLine() } }
    return line.map(LineInput.line) ?? .endOfInput
  }

  private func type(prompt: EditorPrompt, completer: any Completer) -> LineInput {
    var line = ""
    screen?(prompt.plainText)
    while let key = lines.withLock({ $0.nextCharacter() }) {
      switch key {
      case "\n":
        screen?("\n")
        return .line(line)
      case "\u{3}":
        screen?("^C\n")
        return .interrupted
      case "\u{4}":
        guard line.isEmpty else { continue }
        screen?("\n")
        return .endOfInput
      case "\t":
        complete(&line, prompt: prompt, with: completer)
      default:
        line.append(key)
        screen?(String(key))
      }
    }
    screen?("\n")
    return line.isEmpty ? .endOfInput : .line(line)
  }

  private func complete(_ line: inout String, prompt: EditorPrompt, with completer: any Completer) {
    let completions = completer.completions(of: line, at: line.endIndex)
    switch completions.outcome(in: line) {
    case .nothing:
      break
    case .replace(let text):
      let typed = line[completions.range]
      screen?(text.hasPrefix(typed) ? String(text.dropFirst(typed.count)) : text)
      line.replaceSubrange(completions.range, with: text)
    case .list:
      let list = withUTF8Locale { CandidateList(completions.candidates, columns: 80, rows: 24) }
      screen?("\n" + list.lines.joined(separator: "\n") + "\n" + prompt.plainText + line)
    }
  }
}

/// Lines of a text or a stream. Bytes that are not UTF-8 become U+FFFD; a carriage return before the line feed is
/// removed.
struct LineSource: Sendable {
  private let descriptor: Int32?
  private var buffer: [UInt8]
  /// Where the unread part of `buffer` begins.
  private var position = 0
  /// How far the unread part is known to contain no line feed.
  private var searched = 0

  init(descriptor: Int32) {
    self.descriptor = descriptor
    buffer = []
  }

  init(text: String) {
    descriptor = nil
    buffer = Array(text.utf8)
  }

  /// The next line, waiting for the stream; nil at the end.
  mutating func nextLine() -> String? {
    while true {
      if let line = nextBufferedLine() { return line }
      guard readMore() else { break }
    }
    guard position < buffer.count else { return nil }
    defer { drop(through: buffer.count) }
    return decoded(position..<buffer.count)
  }

  /// The next line, if all of it has already been read.
  mutating func nextBufferedLine() -> String? {
    guard let end = buffer[max(searched, position)...].firstIndex(of: 0x0A) else {
      searched = buffer.count
      return nil
    }
    defer { drop(through: end + 1) }
    return decoded(position..<end)
  }

  /// The next character of a text; a carriage return and a line feed count as one.
  mutating func nextCharacter() -> Character? {
    guard let character = String(decoding: buffer[position...].prefix(64), as: UTF8.self).first else { return nil }
    position += character.utf8.count
    return character == "\r\n" ? "\n" : character
  }

  private func decoded(_ range: Range<Int>) -> String {
    var line = buffer[range]
    if line.last == 0x0D { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  private mutating func drop(through end: Int) {
    position = end
    searched = end
    guard position == buffer.count || position > 1 << 20 else { return }
    buffer.removeSubrange(..<position)
    position = 0
    searched = 0
  }

  private mutating func readMore() -> Bool {
    guard let descriptor else { return false }
    let chunk = 64 * 1024
    var count = -1
    let more = [UInt8](unsafeUninitializedCapacity: chunk) { bytes, filled in
      repeat { count = read(descriptor, bytes.baseAddress, chunk) } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    buffer += more
    return count > 0
  }
}
