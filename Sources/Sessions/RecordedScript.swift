package import Diagnostics
internal import Imports
package import JSONValue
package import RequestProgram
internal import RequestSyntax
internal import Requests
package import RunStore
internal import UploaderCore

/// The script of a recorded run, as far as it can be recovered.
package struct RecordedScript {
  package let script: ScriptFile
  /// The text of its file, if it was changed in the debugger.
  package let original: SourceText?
  package let sequence: String?
  /// The environments that it was begun with, or those given now.
  package let environments: [ScriptFile]
  /// The settings given when it was begun, and now.
  package let given: [String: String]
  /// Those of them that are not texts.
  package let givenValues: [String: JSON]
  package var settings: [String: String]
  /// Those that were set in the debugger to values that are not texts; `settings` has them as texts.
  private let values: [String: JSON]
  /// Whether a step that fails does not end its block.
  package let keepsGoing: Bool
  /// The version of the language that it was written in.
  package let language: Int
  /// Where relative paths given on the command line begin.
  package let workingDirectory: String
  /// The texts of used files that were changed in the debugger, by their full paths.
  package let changedFiles: [String: String]
  /// Settings that were secrets, so that their values were not stored.
  package let missingSettings: [String]

  /// Represents a setting that is not stored because it is a secret; so does any text with a marker in it.
  package static let missingSetting = "\u{1}"

  /// - Parameters:
  ///   - file: the script to use instead.
  ///   - settings: those given now; they take precedence.
  package init(
    _ setup: RunSetup, file: String? = nil, settings now: GivenValues = [:], in world: World
  ) throws {
    let made = setup.script
    guard made.language <= LanguageVersion.current else { throw LaterLanguage(version: made.language) }
    // A script that is given instead is written now.
    language = file == nil ? made.language : LanguageVersion.current
    sequence = made.sequence
    keepsGoing = made.keepsGoing
    workingDirectory = made.directory ?? world.workingDirectory
    environments =
      try world.environments.isEmpty
      ? (made.environments ?? []).map { path in try ScriptFile(path, in: world) } : world.environments
    // The script's own text is followed by those that were changed in the debugger.
    var changed = Dictionary(setup.texts.dropFirst().map { ($0.name, $0.text) }) { $1 }
    let ownText = setup.texts.first.flatMap { changed.removeValue(forKey: $0.name) }
    changedFiles = changed
    original = ownText == nil ? nil : setup.texts.first.map { SourceText(name: $0.name, text: $0.text) }
    if let file {
      script = try ScriptFile(file, in: world)
    } else if let ownText, let name = setup.texts.first?.name {
      script = ScriptFile(
        source: SourceText(name: name, text: ownText),
        directory: made.file.map(ScriptFile.directory) ?? workingDirectory)
    } else if !made.isQueued, let path = made.file, let bytes = try? world.readFile(path) {
      // Diagnostics use its original name.
      script = ScriptFile(
        source: SourceText(name: setup.texts.first?.name ?? path, bytes: bytes),
        directory: ScriptFile.directory(of: path))
    } else {
      guard var text = setup.texts.first else { throw StoreError.damaged("a run without a script") }
      if text.text.utf8.contains(1) { text.text = try Self.whole(text, from: made.file, in: world) }
      let directory = made.file.map(ScriptFile.directory) ?? workingDirectory
      script = ScriptFile(source: SourceText(name: text.name, text: text.text), directory: directory)
    }
    let options = ScriptOptions(sequence: made.sequence, settings: now)
      .taking(varsOf: script, in: world.beginningPaths(in: workingDirectory).using(environments))
    let given = options.settings
    var settings: [String: String] = [:]
    var missing: [String] = []
    for (name, value) in made.settings {
      if value.utf8.contains(1) { missing.append(name) } else { settings[name] = value }
    }
    self.given = settings.merging(given) { $1 }
    givenValues = (made.values ?? [:]).filter {
      given[$0.key] == nil && settings[$0.key] != nil && !$0.value.holdsMarker
    }
    .merging(options.readValues) { $1 }
    for (name, value) in made.changedSettings ?? [:] {
      missing.removeAll { $0 == name }
      settings[name] = value
      if value.utf8.contains(1) || made.changedValues?[name]?.holdsMarker == true {
        missing.append(name)
        settings[name] = nil
      }
    }
    self.settings = settings.merging(given) { $1 }
    values = (made.changedValues ?? [:]).filter {
      given[$0.key] == nil && settings[$0.key] != nil && !$0.value.holdsMarker
    }
    missingSettings = missing.filter { given[$0] == nil }.sorted()
  }

  /// A text that was recorded without what is secret in it: that of its file, if that is the same.
  private static func whole(_ text: RunText, from path: String?, in world: World) throws -> String {
    guard let path, let bytes = try? world.readFile(path) else { throw TextWithoutSecrets(name: text.name) }
    let source = SourceText(name: text.name, bytes: bytes)
    let secrets = Set(Parser.read(source).secrets.map { Secret(hidden: $1, name: $0) })
    let whole = source[source.range]
    guard SecretMarkers(secrets).conceal(whole) == text.text else { throw TextWithoutSecrets(name: text.name) }
    return whole
  }

  /// That it was written in an earlier version of the language; nil: it was not.
  package var notice: RecordingNotice? {
    language < LanguageVersion.current ? .earlierLanguage(version: language) : nil
  }

  /// What of it is run, and how.
  package var options: ScriptOptions {
    ScriptOptions(
      sequence: sequence, settings: GivenValues(settings), values: typedSettings, keepsGoing: keepsGoing)
  }

  /// The settings, each as it was set: a text, or a value.
  package var typedSettings: [String: Setting] {
    settings.mapValues(Setting.text)
      .merging(givenValues.filter { settings[$0.key] == $0.value.settingText }.mapValues(Setting.read)) { $1 }
      .merging(values.mapValues { .value(Value($0)) }) { $1 }
  }
}

extension JSON {
  /// Whether a secret was in it, which is not kept.
  fileprivate var holdsMarker: Bool {
    switch self {
    case .object(let object): object.members.contains { $0.key.utf8.contains(1) || $0.value.holdsMarker }
    case .array(let elements): elements.contains(where: \.holdsMarker)
    case .string(let text): text.utf8.contains(1)
    case .number, .bool, .null: false
    }
  }
}

/// What is secret in another tool's file is not recorded with its text.
package struct TextWithoutSecrets: Error, CustomStringConvertible {
  package let name: String

  package var description: String {
    "the secrets in \(name) were not recorded, and the file is gone or has changed"
  }
}

/// It was recorded by a program that knew a later version of the language.
package struct LaterLanguage: Error, CustomStringConvertible {
  package let version: Int

  package var description: String {
    "it was recorded in version \(version) of the language, but this program knows version \(LanguageVersion.current)"
  }
}
