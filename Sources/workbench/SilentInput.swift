internal import POSIX
internal import Synchronization

/// Lines typed or pasted at the terminal that are not shown: the address that a browser ends at has a code in it. They
/// may be longer than a terminal's own lines.
final class SilentInput: Sendable {
  private struct State {
    /// The terminal's modes before; nil: it is not listened to.
    var modes: termios?
    var bytes: [UInt8] = []
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { end() }

  /// Does nothing without a terminal, or in the background.
  func begin() {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0, tcgetpgrp(descriptor) == getpgrp() else { return }
    var silent = modes
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON)
    guard tcsetattr(descriptor, TCSANOW, &silent) == 0 else { return }
    state.withLock { state in
      state.modes = modes
      state.bytes = []
    }
  }

  func end() {
    state.withLock { state in
      guard var modes = state.modes else { return }
      tcsetattr(descriptor, TCSANOW, &modes)
      state = State()
    }
  }

  /// A whole line, if one is there; it does not wait.
  func line() -> String? {
    state.withLock { state in
      guard state.modes != nil else { return nil }
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&input, 1, 0) > 0 {
        var byte: UInt8 = 0
        guard read(descriptor, &byte, 1) == 1 else { return nil }
        switch byte {
        case 0x0A, 0x0D:
          defer { state.bytes = [] }
          return String(decoding: state.bytes, as: UTF8.self)
        // Backspace, and what erases a line.
        case 0x08, 0x7F: _ = state.bytes.popLast()
        case 0x15: state.bytes = []
        default: if state.bytes.count < 1 << 16 { state.bytes.append(byte) }
        }
      }
      return nil
    }
  }
}
