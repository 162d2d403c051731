#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A terminal that a file descriptor leads to.
public struct Terminal: Sendable, Hashable {
  /// The descriptor it was asked about.
  public let descriptor: Int32

  /// Nil if the descriptor is closed or leads elsewhere.
  public init?(descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return nil }
    self.descriptor = descriptor
  }

  /// Its size in character cells, 80 × 24 where it does not say.
  public var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Its modes, to be put back later.
  var attributes: termios? {
    var attributes = termios()
    return tcgetattr(descriptor, &attributes) == 0 ? attributes : nil
  }

  /// Puts modes back once all output is through.
  func restore(_ attributes: termios) {
    var attributes = attributes
    while tcsetattr(descriptor, TCSADRAIN, &attributes) != 0, errno == EINTR {}
  }
}
