internal import ArgumentParser

/// Whether to use colors: `--color`, else `NO_COLOR`, else only on a terminal.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
  case auto
  case always
  case never

  /// The result for one stream (https://no-color.org).
  func isColored(onTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto: return onTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
  }
}

/// The options of every command that prints.
struct ColorOptions: ParsableArguments {
  @Option(help: "Colors: auto, always or never.")
  var color = ColorChoice.auto
}
