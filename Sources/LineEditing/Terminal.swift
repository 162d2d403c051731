internal import POSIX

/// A terminal that a file descriptor refers to.
public struct Terminal: Sendable, Hashable {
  /// The descriptor it was created from.
  public let descriptor: Int32

  /// nil if the descriptor is closed or is not a terminal.
  public init?(descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    self.descriptor = descriptor
  }

  /// Its size in character cells, 80 × 24 if it does not report one.
  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Its modes, to be restored later.
  var attributes: termios? {
    var attributes = termios()
    return tcgetattr(descriptor, &attributes) == 0 ? attributes : nil
  }

  /// Restores modes once all output has been written.
  func restore(_ attributes: termios) {
    var attributes = attributes
    while tcsetattr(descriptor, TCSADRAIN, &attributes) != 0, errno == EINTR {}
  }
}
