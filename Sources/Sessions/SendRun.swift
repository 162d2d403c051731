internal import Diagnostics
internal import RequestProgram
package import RequestSyntax
internal import Requests
internal import UploaderCore

/// One request, or a few, that are not in a script: `workbench send 'POST https://… name=x'`.
package struct SendRun: Sendable {
  private let world: World
  private let profile: String?
  private let keepsWholeBodies: Bool
  private let secrets: KnownSecrets
  private let report: @Sendable (RunEvent) -> Void

  /// - Parameters:
  ///   - profile: where bare paths go; nil: to the last one that has a base.
  ///   - keepsWholeBodies: whether bodies are passed on through a pipe, so that only limits set by the request itself
  ///     apply.
  ///   - secrets: those of the code that shows something of this run.
  ///   - report: notified of what happens.
  package init(
    world: World, profile: String?, keepsWholeBodies: Bool, secrets: KnownSecrets,
    report: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.world = world
    self.profile = profile
    self.keepsWholeBodies = keepsWholeBodies
    self.secrets = secrets
    self.report = report
  }

  /// - Parameter parsed: statements, as at the prompt.
  /// - Returns: its history is empty if there is no request in it.
  package func run(_ parsed: ParsedScript) async -> RunEnd {
    let loader = ScriptLoader(world)
    var sequence = ProgramRequestSequence(promptIn: world.programEnvironment, readFile: world.readUsedFile)
    let texts = [loader.ownDeclarations, (parsed, "")].compactMap(\.self)
    for (parsed, directory) in texts {
      let checked = loader.appending(parsed, to: sequence, directory: directory, mayRunCommands: true)
      checked.report(report)
      guard let grown = checked.value else { return RunRefusal.wrong.end(report) }
      sequence = grown
    }
    if let profile {
      guard sequence.profiles?[profile] != nil else {
        let known = sequence.profiles?.all.map(\.name) ?? []
        let error = UploadError(.profile(.unknown(profile, known: known)))
        report(.failed(error))
        let end = RunEnd(.usage, error: error)
        report(.ended(end))
        return end
      }
      sequence.currentProfile = profile
    }
    let session = Session(world: world, secrets: secrets, journal: nil, report: report)
    return await run(SequenceRun(sequence), in: keepsWholeBodies ? session.keepingWholeBodies : session)
  }

  private func run(_ start: SequenceRun<ProgramRequestSequence>, in session: Session) async -> RunEnd {
    var run = start
    var failure: (code: ExitCode, error: UploadError)?
    while true {
      session.learn(run.sequence.secrets)
      let before = run
      let step = await session.step(before, groups: .atOnce)
      run = step.run
      switch step.result {
      case .success(nil):
        let end = RunEnd(failure?.code ?? .success, error: failure?.error, history: run.history)
        report(.ended(end))
        return end
      case .success: continue
      case .failure(let error):
        failure = failure ?? (ExitCode(error, beforeFirstStep: run.exchanges.isEmpty), error)
      }
    }
  }
}
