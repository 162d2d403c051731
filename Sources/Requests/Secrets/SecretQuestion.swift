import POSIX

/// Asks at the terminal for something that must not be shown, wherever the streams are redirected.
enum SecretQuestion {
  /// The answer, which may be empty.
  ///
  /// - Throws: `SecretSourceError` without a terminal, or when the user ends it with ^C or ^D.
  static func ask(_ question: String) throws(SecretSourceError) -> String {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { throw .noTerminal(question: question) }
    defer { close(terminal) }
    var attributes = termios()
    guard tcgetattr(terminal, &attributes) == 0 else { throw .noTerminal(question: question) }
    var silent = attributes
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &attributes) }
    say(question.last.map { "?:".contains($0) } ?? false ? "\(question) " : "\(question): ", to: terminal)
    defer { say("\n", to: terminal) }
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while read(terminal, &byte, 1) == 1 {
      switch byte {
      case 0x0A, 0x0D: return String(decoding: answer, as: UTF8.self)
      // ^C is a key here: a signal would leave the terminal without echo.
      case 0x03: throw .notAnswered(question: question)
      default: answer.append(byte)
      }
    }
    throw .notAnswered(question: question)
  }

  private static func say(_ text: String, to terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = write(terminal, bytes, bytes.count)
  }
}
