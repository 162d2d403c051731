#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Asks at the terminal for something that is not to be seen, wherever the streams lead.
enum SecretQuestion {
  /// The answer; nil without a terminal, or when the user ends it with ^C or ^D.
  @Sendable static func ask(_ question: String) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var attributes = termios()
    guard tcgetattr(terminal, &attributes) == 0 else { return nil }
    var silent = attributes
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &attributes) }
    say("\(question): ", to: terminal)
    defer { say("\n", to: terminal) }
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while read(terminal, &byte, 1) == 1 {
      switch byte {
      case 0x0A, 0x0D: return String(decoding: answer, as: UTF8.self)
      // ^C is a key here: a signal would leave a terminal that does not echo.
      case 0x03: return nil
      default: answer.append(byte)
      }
    }
    return nil
  }

  private static func say(_ text: String, to terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = write(terminal, bytes, bytes.count)
  }
}
