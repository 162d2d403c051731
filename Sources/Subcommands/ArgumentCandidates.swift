internal import Formats
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import RunStore
package import Sessions
internal import UploaderCore

/// What can stand at a place of a command line, for a Tab in a shell: recorded runs, their steps, sequences of a
/// script, profiles.
///
/// Nobody waits for an error message there: what cannot be read offers nothing. Nothing is written; a store that does
/// not exist is not made.
package struct ArgumentCandidates: Sendable {
  /// A word, and what it stands for.
  package struct Candidate: Hashable, Sendable {
    package var word: String
    package var note: String

    package init(_ word: String, note: String = "") {
      self.word = word
      self.note = note
    }
  }

  private let world: World

  package init(world: World) {
    self.world = world
  }

  /// - Parameter directory: where the store is; nil: the user's own.
  private func store(in directory: String?) -> RunStore? {
    guard let path = directory ?? RunStore.defaultPath(world.environment),
      RunStore.isIn(world.listDirectory(path))
    else { return nil }
    return try? world.store(in: path)
  }

  /// The newest runs, `last` first.
  package func runs(in directory: String?) -> [Candidate] {
    guard let runs = try? store(in: directory)?.runs(limit: 50), let newest = runs.first else { return [] }
    let now = world.clock.now()
    func note(_ run: RecordedRun) -> String {
      "\(run.name), \(run.stateText), \(NumberFormat.age(now - run.created))"
    }
    return [Candidate("last", note: note(newest))] + runs.map { Candidate($0.id, note: note($0)) }
  }

  /// The steps of a run: those with a label by their labels, others by their numbers.
  package func steps(of reference: String, in directory: String?) -> [Candidate] {
    guard let store = store(in: directory), let run = try? store.run(reference), let steps = try? store.steps(of: run)
    else { return [] }
    var candidates: [Candidate] = []
    for step in steps {
      guard let word = step.label ?? step.number.map({ "$\($0)" }) else { continue }
      if !candidates.contains(where: { $0.word == word }) {
        candidates.append(Candidate(word, note: "\(step.request.method) \(step.request.url)"))
      }
    }
    return candidates
  }

  /// The sequences of a script and of those that it uses, with their parameters.
  package func sequences(of file: String) -> [Candidate] {
    guard file != "-", let script = try? ScriptFile(file, in: world) else { return [] }
    let parsed = script.parsed
    let parameters = Dictionary(
      parsed.script.statements.compactMap(Self.sequence).map { ($0.name.text, $0.parameters.map(\.name.text)) }
    ) { first, _ in first }
    let program = ScriptLoader(world).check(parsed, directory: script.directory).value
    return (program?.sequenceNames ?? parameters.keys.sorted()).map {
      Candidate($0, note: (parameters[$0] ?? []).joined(separator: ", "))
    }
  }

  /// What `--set` can set: the `let`s of a script, and the parameters of its sequence.
  package func settings(of file: String, sequence name: String?) -> [Candidate] {
    guard file != "-", let script = try? ScriptFile(file, in: world) else { return [] }
    let statements = script.parsed.script.statements
    let sequence = statements.compactMap(Self.sequence).first { $0.name.text == name }
    let parameters = (sequence?.parameters ?? []).map { Candidate("\($0.name.text)=", note: "parameter") }
    let lets = statements.compactMap { statement -> Candidate? in
      guard case .binding(let node) = statement else { return nil }
      return Candidate("\(node.name.text)=", note: "let")
    }
    return parameters + lets
  }

  /// The user's own profiles.
  package func profiles() -> [Candidate] {
    (ScriptLoader(world).ownDeclarations?.parsed.profileNames ?? []).map { Candidate($0) }
  }

  /// The operations of the queue, by their numbers.
  package func operations(in directory: String?) -> [Candidate] {
    ((try? store(in: directory)?.operations()) ?? []).map { Candidate("\($0.number)", note: $0.name) }
  }

  private static func sequence(_ statement: StatementSyntax) -> SequenceSyntax? {
    guard case .sequence(let node) = statement else { return nil }
    return node
  }
}

extension ParsedScript {
  /// The names of the profiles that the text declares.
  var profileNames: [String] {
    script.statements.compactMap { statement in
      guard case .profile(let node) = statement else { return nil }
      return node.name.text
    }
  }
}
