public import Requests

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Everything outside that a program can look at, injected so that a run can be repeated with the same values.
public struct ProgramEnvironment: Sendable {
  /// `$env`.
  public var variables: [String: String]
  /// Since 1970.
  public var now: @Sendable () -> Duration
  public var random: @Sendable (ClosedRange<Int>) -> Int
  /// A version 4 UUID (RFC 9562 §5.4).
  public var makeUUID: @Sendable () -> String
  /// Looks at a file; it is read only when it is sent or digested.
  public var openFile: @Sendable (_ path: String) throws(FileError) -> FileSlice
  /// Asks the user for a secret without showing it; nil where nobody can be asked.
  public var ask: (@Sendable (_ question: String) -> String?)?

  public init(
    variables: [String: String] = [:], now: @escaping @Sendable () -> Duration = ProgramEnvironment.systemTime,
    random: @escaping @Sendable (ClosedRange<Int>) -> Int = { Int.random(in: $0) },
    makeUUID: @escaping @Sendable () -> String = ProgramEnvironment.randomUUID,
    openFile: @escaping @Sendable (String) throws(FileError) -> FileSlice = { path throws(FileError) in
      try FileSlice(path: path)
    },
    ask: (@Sendable (String) -> String?)? = nil
  ) {
    self.variables = variables
    self.now = now
    self.random = random
    self.makeUUID = makeUUID
    self.openFile = openFile
    self.ask = ask
  }

  /// The system's clock, since 1970.
  public static func systemTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  public static func randomUUID() -> String {
    var generator = SystemRandomNumberGenerator()
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = ""
    for (index, digit) in Hexadecimal.encode(bytes).enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }
}
