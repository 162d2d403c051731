internal import Formats
internal import Requests
internal import UploaderCore

/// The secrets that the command line of this process names: they are in no error, whoever writes it.
enum CommandLineSecrets {
  /// Most processes write no error, and need none of it.
  private static let redactor: Redactor? = {
    let values = TypedSecrets.values(inWords: Array(CommandLine.arguments.dropFirst()))
    return values.isEmpty ? nil : Redactor(hiding: values)
  }()

  static func hidden(in text: String) -> String { redactor?.redact(text) ?? text }
}
