internal import ArgumentParser
internal import Formats
internal import Prompt

/// How the steps of a run are reported.
struct ReportOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Show requests, headers and bodies.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Show nothing but errors.")
  var quiet = false

  @Flag(help: "Print a JSON object per step; with --verbose, headers and bodies too.")
  var json = false

  var style: ReportStyle {
    ReportStyle(json ? .json : .lines, verbose ? .verbose : quiet ? .quiet : .normal)
  }

  func validate() throws {
    if json && quiet { throw ValidationError("--json and --quiet contradict each other.") }
  }
}
