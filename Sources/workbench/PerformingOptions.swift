internal import ArgumentParser
internal import Formats

/// What is shown of operations while they are performed, and where their variables come from.
struct PerformingOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Show requests, headers and bodies of each step.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Show nothing but errors.")
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "Let $env have the NAME=value lines of this file where the environment lacks them.", valueName: "file"),
    completion: .file())
  var envFile: [String] = []

  func validate() throws {
    if verbose && quiet { throw ValidationError("--verbose and --quiet contradict each other.") }
  }

  var amount: ReportAmount { verbose ? .verbose : quiet ? .quiet : .normal }
}
