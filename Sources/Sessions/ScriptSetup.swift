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
  private enum Member {
    case text(WritableKeyPath<ScriptSetup, String?>)
    case texts(WritableKeyPath<ScriptSetup, [String: String]>)
    case optionalTexts(WritableKeyPath<ScriptSetup, [String: String]?>)
    case values(WritableKeyPath<ScriptSetup, [String: JSON]?>)
    case list(WritableKeyPath<ScriptSetup, [String]?>)
    case flag(WritableKeyPath<ScriptSetup, Bool>)
    case number(WritableKeyPath<ScriptSetup, Int>)
    case optionalNumber(WritableKeyPath<ScriptSetup, Int?>)
  }

  /// What is stored, each by its name. A new one may be absent, as it is in all earlier records, and earlier programs
  /// ignore it.
  private static var members: [(name: String, Member)] {
    [
      ("file", .text(\.file)), ("directory", .text(\.directory)), ("sequence", .text(\.sequence)),
      ("settings", .texts(\.settings)), ("values", .values(\.values)), ("environments", .list(\.environments)),
      ("set", .optionalTexts(\.changedSettings)),
      ("set-values", .values(\.changedValues)),
      ("keeps-going", .flag(\.keepsGoing)),
      ("is-queued", .flag(\.isQueued)), ("suite", .text(\.suite)), ("index", .optionalNumber(\.index)),
      ("language", .number(\.language)),
    ]
  }

  package init(_ parameters: JSON) {
    language = LanguageVersion.first
    for (name, member) in Self.members {
      guard let value = parameters[name] else { continue }
      switch member {
      case .text(let path): self[keyPath: path] = value.string
      case .texts(let path): self[keyPath: path] = value.texts
      case .optionalTexts(let path): self[keyPath: path] = value.texts
      case .values(let path):
        self[keyPath: path] = value.object.map { Dictionary($0.members.map { ($0.key, $0.value) }) { $1 } }
      case .list(let path): self[keyPath: path] = value.array?.compactMap(\.string)
      case .flag(let path): self[keyPath: path] = value.bool ?? false
      case .number(let path): self[keyPath: path] = value.int ?? self[keyPath: path]
      case .optionalNumber(let path): self[keyPath: path] = value.int
      }
    }
  }

  package var parameters: JSON {
    var object: JSONObject = [:]
    for (name, member) in Self.members {
      switch member {
      case .text(let path): object[name] = self[keyPath: path].map(JSON.string)
      case .texts(let path): object[name] = ^self[keyPath: path]
      case .optionalTexts(let path): object[name] = self[keyPath: path].map { ^$0 }
      case .values(let path):
        object[name] = self[keyPath: path].map {
          .object(JSONObject($0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        }
      case .list(let path): object[name] = self[keyPath: path].map { .array($0.map(JSON.string)) }
      case .flag(let path): object[name] = self[keyPath: path] ? true : nil
      case .number(let path): object[name] = ^self[keyPath: path]
      case .optionalNumber(let path): object[name] = self[keyPath: path].map { ^$0 }
      }
    }
    return .object(object)
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

  /// The kind of runs made in the debugger.
  package static let debuggedKind = "debug"

  /// Whether a script can be run again from it.
  package var isScript: Bool { kind == "script" || kind == Self.debuggedKind || kind == Self.memberKind }

  package static func absolute(_ path: String, in directory: String) -> String {
    path.hasPrefix("/") ? path : "\(directory)/\(path)"
  }
}
