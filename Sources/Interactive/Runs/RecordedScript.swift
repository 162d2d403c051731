internal import Diagnostics
internal import JSONValue
internal import Requests
internal import RunStore

/// The script of a recorded run, as far as it can be had again.
struct RecordedScript {
  let script: ScriptFile
  let sequence: String?
  var settings: [String: String]
  /// Whether a step that fails does not end its block.
  let keepsGoing: Bool
  /// Where relative paths begin that were given on the command line.
  let workingDirectory: String
  /// Settings that were secrets, so that their values are not kept.
  let missingSettings: [String]

  /// - Parameters:
  ///   - file: the script to take instead.
  ///   - settings: what is given now; it wins.
  init(
    _ setup: RunSetup, file: String? = nil, settings given: [String: String] = [:], in world: World
  ) throws {
    let parameters = setup.parameters
    sequence = parameters["sequence"]?.string
    keepsGoing = parameters["keeps-going"]?.bool ?? false
    workingDirectory = parameters["directory"]?.string ?? world.workingDirectory
    var settings: [String: String] = [:]
    var missing: [String] = []
    for member in parameters["settings"]?.object?.members ?? [] {
      guard let value = member.value.string else { continue }
      if value.utf8.contains(1) { missing.append(member.key) } else { settings[member.key] = value }
    }
    self.settings = settings.merging(given) { $1 }
    missingSettings = missing.filter { given[$0] == nil }
    if let file {
      script = try ScriptFile(file, in: world)
    } else if parameters["is-queued"]?.bool != true, let path = parameters["file"]?.string,
      let bytes = try? world.readFile(path)
    {
      // Diagnostics call it as it was called.
      script = ScriptFile(
        source: SourceText(name: setup.texts.first?.name ?? path, bytes: bytes),
        directory: ScriptFile.directory(of: path))
    } else {
      guard let text = setup.texts.first else { throw StoreError.damaged("a run without a script") }
      let directory = parameters["file"]?.string.map(ScriptFile.directory) ?? workingDirectory
      script = ScriptFile(source: SourceText(name: text.name, text: text.text), directory: directory)
    }
  }
}
