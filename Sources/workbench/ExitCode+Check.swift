internal import ArgumentParser
internal import Prompt
internal import Sessions

extension Sessions.ExitCode {
  /// Ends the command with this code, unless everything succeeded.
  func check() throws {
    if self != .success { throw ArgumentParser.ExitCode(rawValue) }
  }
}
