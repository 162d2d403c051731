internal import ArgumentParser
internal import Formats
internal import JSONValue
internal import Presentation
internal import Sessions

/// The files from which scripts are given something that is not in them.
struct OutsideOptions: ParsableArguments {
  @Option(
    name: .customLong("vars"),
    help: ArgumentHelp(
      "Give lets and parameters the values of a map in JSON or YAML; names that the script lacks are ignored.",
      valueName: "file"),
    completion: .file(extensions: ["json", "yaml", "yml"]))
  var values: [String] = []

  @Option(
    name: .customLong("env-file"),
    help: ArgumentHelp(
      "Let $env have the NAME=value lines of this file where the environment lacks them.", valueName: "file"),
    completion: .file())
  var variables: [String] = []

  @Option(
    name: .customLong("use"),
    help: ArgumentHelp(
      "Use the let, secret and profile statements of this script in place of those of the same names.",
      valueName: "file"),
    completion: .file(extensions: ["wb"]))
  var environments: [String] = []

  func validate() throws {
    if (values + variables + environments).filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input can be one file, not several.")
    }
  }

  /// Reads the files; from here on what they say is a part of the world.
  ///
  /// - Returns: the values for names.
  func take(into world: inout World) throws -> [String: JSON] {
    try Self.take(values: values, variables: variables, environments: environments, into: &world)
  }

  static func take(
    values: [String] = [], variables: [String], environments: [String] = [], into world: inout World
  ) throws -> [String: JSON] {
    do throws(OutsideFileError) {
      return try world.take(values: values, variables: variables, environments: environments)
    } catch {
      ErrorPrinter(Printer(world, secrets: KnownSecrets())).print(ErrorReport(error.message, notes: error.advice))
      try error.exitCode.check()
      return [:]
    }
  }
}
