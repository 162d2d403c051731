internal import ArgumentParser
internal import Sessions

/// The values that scripts are given on the command line.
struct SettingOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Give a let, or a parameter of the sequence, this value.", valueName: "name=value"),
    completion: .setting)
  var settings: [Setting] = []

  @OptionGroup var files: OutsideOptions

  /// Reads the files; from here on what they say is a part of the world.
  func take(into world: inout World) throws -> GivenValues {
    GivenValues(settings.values, vars: try files.take(into: &world))
  }

  func validate() throws { try settings.validate() }
}

/// The same for a run that was given values before.
struct ReplacedSettingOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Give a let, or a parameter of the sequence, this value instead of the recorded one.", valueName: "name=value"))
  var settings: [Setting] = []

  @OptionGroup var files: OutsideOptions

  /// Reads the files; from here on what they say is a part of the world.
  func take(into world: inout World) throws -> GivenValues {
    GivenValues(settings.values, vars: try files.take(into: &world))
  }

  func validate() throws { try settings.validate() }
}

extension [Setting] {
  fileprivate var values: [String: String] { Dictionary(map { ($0.name, $0.value) }) { $1 } }

  fileprivate func validate() throws {
    let names = map(\.name)
    for (index, name) in names.enumerated() where names[..<index].contains(name) {
      throw ValidationError("\"\(name)\" is set twice.")
    }
  }
}

/// `name=value`.
struct Setting: ExpressibleByArgument {
  let name: String
  let value: String

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    name = String(argument[..<equals])
    value = String(argument[argument.index(after: equals)...])
  }
}
