internal import Diagnostics
package import JSONValue
internal import RequestSyntax
package import RunStore

/// What a run of a script is made from, besides its texts.
package struct ScriptSetup: Hashable, Sendable {
  /// The full path of the script; nil: it is not a file.
  package var file: String?
  /// Where relative paths given on the command line begin.
  package var directory: String?
  /// The sequence to run; nil: the script's own steps.
  package var sequence: String?
  /// The settings given when it was begun.
  package var settings: [String: String] = [:]
  /// Those of them that are values and not texts; nil: there are none.
  package var values: [String: JSON]?
  /// The full paths of the environments that it was begun with; nil: there were none.
  package var environments: [String]?
  /// The settings changed in the debugger; nil: they were not changed.
  package var changedSettings: [String: String]?
  /// Those of them that are values of the language and not texts; nil in records of earlier programs, which knew only
  /// their texts.
  package var changedValues: [String: JSON]?
  /// Whether a step that fails does not end its block.
  package var keepsGoing = false
  /// Whether it was put into the queue: its text is the one that was added, whatever its file says by now.
  package var isQueued = false
  /// The suite that it is part of; nil: none.
  package var suite: String?
  /// Which of the suite's files it is, from 0.
  package var index: Int?
  /// The version of the language that it was written in.
  package var language = LanguageVersion.current

  package init() {}
}

extension ScriptSetup {
  package init(_ parameters: JSON) {
    language = LanguageVersion.first
    var record = Record.read(parameters)
    exchange(with: &record)
  }

  package var parameters: JSON {
    var (setup, record) = (self, Record.written([:]))
    setup.exchange(with: &record)
    return record.json
  }

  /// What is stored, each by its name. A new one may be absent, as it is in all earlier records, and earlier programs
  /// ignore it.
  private mutating func exchange(with record: inout Record) {
    record.text("file", &file)
    record.text("directory", &directory)
    record.text("sequence", &sequence)
    record.texts("settings", &settings)
    record.values("values", &values)
    record.list("environments", &environments)
    record.optionalTexts("set", &changedSettings)
    record.values("set-values", &changedValues)
    record.flag("keeps-going", &keepsGoing)
    record.flag("is-queued", &isQueued)
    record.text("suite", &suite)
    record.optionalNumber("index", &index)
    record.number("language", &language)
  }

  /// A record that members come from, or go to. What it lacks stays as it is.
  private enum Record {
    case read(JSON)
    case written(JSONObject)

    var json: JSON {
      switch self {
      case .read(let json): json
      case .written(let object): .object(object)
      }
    }

    /// - Parameter json: nil: it is not written.
    private mutating func exchange(_ name: String, _ json: () -> JSON?, _ take: (JSON) -> Void) {
      switch self {
      case .read(let record):
        if let value = record[name] { take(value) }
      case .written(var object):
        self = .written([:])
        object[name] = json()
        self = .written(object)
      }
    }

    mutating func text(_ name: String, _ value: inout String?) {
      exchange(name, { value.map(JSON.string) }, { value = $0.string })
    }

    mutating func texts(_ name: String, _ value: inout [String: String]) {
      exchange(name, { ^value }, { value = $0.texts })
    }

    mutating func optionalTexts(_ name: String, _ value: inout [String: String]?) {
      exchange(name, { value.map { ^$0 } }, { value = $0.texts })
    }

    mutating func values(_ name: String, _ value: inout [String: JSON]?) {
      exchange(
        name,
        { value.map { .object(JSONObject($0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })) } },
        { value = $0.object.map { Dictionary($0.members.map { ($0.key, $0.value) }) { $1 } } })
    }

    mutating func list(_ name: String, _ value: inout [String]?) {
      exchange(name, { value.map { .array($0.map(JSON.string)) } }, { value = $0.array?.compactMap(\.string) })
    }

    mutating func flag(_ name: String, _ value: inout Bool) {
      exchange(name, { value ? true : nil }, { value = $0.bool ?? false })
    }

    mutating func number(_ name: String, _ value: inout Int) {
      exchange(name, { ^value }, { value = $0.int ?? value })
    }

    mutating func optionalNumber(_ name: String, _ value: inout Int?) {
      exchange(name, { value.map { ^$0 } }, { value = $0.int })
    }
  }
}

extension JSON {
  fileprivate var texts: [String: String] {
    Dictionary((object?.members ?? []).compactMap { member in member.value.string.map { (member.key, $0) } }) { $1 }
  }
}

/// Where a run is in a suite.
package struct SuitePlace: Hashable, Sendable {
  /// The suite's identifier.
  package let suite: String
  /// Which of its files it is, from 0.
  package let index: Int

  package init(suite: String, index: Int) {
    self.suite = suite
    self.index = index
  }
}

extension RunSetup {
  /// A script's run.
  package init(
    _ script: ScriptFile, sequence: String?, settings: [String: String], values: [String: JSON] = [:],
    keepsGoing: Bool, in world: World, place: SuitePlace? = nil
  ) {
    let workingDirectory = world.workingDirectory
    var setup = ScriptSetup()
    if script.isFile { setup.file = Self.absolute(script.source.name, in: workingDirectory) }
    setup.directory = workingDirectory
    setup.sequence = sequence
    setup.settings = settings
    setup.values = values.isEmpty ? nil : values
    let environments = world.environments.filter(\.isFile).map { Self.absolute($0.source.name, in: workingDirectory) }
    setup.environments = environments.isEmpty ? nil : environments
    setup.keepsGoing = keepsGoing
    setup.language = world.language
    setup.suite = place?.suite
    setup.index = place?.index
    self.init(
      kind: place == nil ? "script" : Self.memberKind,
      name: sequence.map { "\(script.source.name) \($0)" } ?? script.source.name,
      parameters: setup.parameters,
      texts: [RunText(name: script.source.name, text: script.source[script.source.range])])
  }

  /// What it is made from, if it is a script's.
  package var script: ScriptSetup {
    get { ScriptSetup(parameters) }
    set { parameters = newValue.parameters }
  }

  /// The same without the values of these settings: they must be given again to continue the run.
  package func withoutSettings(_ names: Set<String>) -> RunSetup {
    var setup = self
    var script = script
    for name in names {
      if script.settings[name] != nil { script.settings[name] = RecordedScript.missingSetting }
      script.values?[name] = nil
      if script.changedSettings?[name] != nil { script.changedSettings?[name] = RecordedScript.missingSetting }
      script.changedValues?[name] = nil
    }
    setup.script = script
    return setup
  }

  /// Takes over settings from another setup of the same run, which has them as they may be stored.
  ///
  /// - Returns: whether that changes it.
  mutating func take(settings names: Set<String>, from other: RunSetup) -> Bool {
    var script = script
    let new = other.script
    for name in names {
      guard let text = new.settings[name] else { continue }
      script.settings[name] = text
      script.values = script.values ?? [:]
      script.values?[name] = new.values?[name]
      script.changedSettings?[name] = nil
      script.changedValues?[name] = nil
    }
    if script.values?.isEmpty ?? false { script.values = nil }
    guard script != self.script else { return false }
    self.script = script
    return true
  }

  /// The kind of runs made in the debugger.
  package static let debuggedKind = "debug"

  /// Whether a script can be run again from it.
  package var isScript: Bool { kind == "script" || kind == Self.debuggedKind || kind == Self.memberKind }

  package static func absolute(_ path: String, in directory: String) -> String {
    path.hasPrefix("/") ? path : "\(directory)/\(path)"
  }
}
