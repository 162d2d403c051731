internal import ArgumentParser
internal import Sessions

/// The values that scripts are given on the command line.
struct SettingOptions: ParsableArguments {
  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Give a let, or a parameter of the sequence, this value.", valueName: "name=value"))
  var settings: [Setting] = []

  @OptionGroup var files: OutsideOptions

  /// Reads the files; from here on what they say is a part of the world.
  func take(into world: inout World) throws -> GivenValues {
    let vars = try files.take(into: &world)
    return GivenValues(Dictionary(settings.map { ($0.name, $0.value) }) { $1 }, vars: vars)
  }

  func validate() throws {
    let names = settings.map(\.name)
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
