internal import Formats
internal import Sessions
internal import Synchronization

/// A screen that keeps what is shown on it, for a program to read.
final class RecordedScreen: Sendable {
  private let shown = Mutex("")

  var text: String { shown.withLock { $0 } }

  /// Shows without colors.
  func printer(_ secrets: KnownSecrets) -> Printer {
    let output = World.Output { [self] text in shown.withLock { $0 += text } }
    return Printer(output: output, errorOutput: output, secrets: secrets)
  }
}
