internal import Diagnostics
internal import RequestProgram
package import RequestSyntax
package import Requests
internal import UploaderCore

/// One request, or a few, that are not in a script: `workbench send 'POST https://… name=x'`.
extension Runner {
  /// - Parameters:
  ///   - parsed: statements, as at the prompt.
  ///   - profile: where bare paths go; nil: to the last one that has a base.
  ///   - keepsWholeBodies: whether bodies are passed on through a pipe, so that only limits set by the request itself
  ///     apply.
  ///   - given: the values for names that the request refers to.
  ///   - pipe: takes the body as it comes, if it is the body of the only request; nil: nothing does.
  ///   - passesStreamsOnly: whether it takes only what comes bit by bit.
  /// - Returns: its history is empty if there is no request in it.
  package func send(
    _ parsed: ParsedScript, given: GivenValues = [:], profile: String?, keepsWholeBodies: Bool, pipe: BodyPipe? = nil,
    passesStreamsOnly: Bool = false
  ) async -> RunEnd {
    let loader = ScriptLoader(world)
    var sequence = ProgramRequestSequence(promptIn: world.programEnvironment, readFile: world.readUsedFile)
    if let own = loader.ownDeclarations {
      let checked = loader.appending(own.parsed, to: sequence, directory: own.directory, mayRunCommands: true)
        .ofOwnProfiles
      checked.report(report)
      sequence = checked.value ?? sequence
    }
    func grow(by parsed: ParsedScript, directory: String = "", mayRunCommands: Bool = true) -> Bool {
      let checked = loader.appending(parsed, to: sequence, directory: directory, mayRunCommands: mayRunCommands)
      checked.report(report)
      sequence = checked.value ?? sequence
      return checked.value != nil
    }
    for file in world.environments
    where !grow(by: Parser.parse(file.source), directory: file.directory, mayRunCommands: false) {
      return RunRefusal.wrong.end(report)
    }
    do throws(ProgramError) {
      let values = given.isEmpty ? nil : try ScriptLoader.declarations(of: given, in: sequence)
      guard values.map({ grow(by: $0) }) ?? true, grow(by: parsed) else { return RunRefusal.wrong.end(report) }
    } catch {
      return RunRefusal.program(error).end(report)
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
    var session = Session(world: world, secrets: secrets, journal: nil, report: report)
    if let pipe, parsed.script.passesItsBodyOn {
      session = session.passing(streamsOnly: passesStreamsOnly) { pipe.write($0) }
      pipe.whenUnread { [world] in world.interrupts.interrupt() }
    }
    session = session.retrying(parsed.script.retryWhenTyped)
    return await send(SequenceRun(sequence), in: keepsWholeBodies ? session.keepingWholeBodies : session)
  }

  private func send(_ start: SequenceRun<ProgramRequestSequence>, in session: Session) async -> RunEnd {
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

extension ScriptSyntax {
  /// How often its requests are sent when somebody has typed them. Whoever waits sees a failure immediately; what goes
  /// on by itself is retried as in a script.
  package var retryWhenTyped: RetryRule {
    let isImmediate = statements.allSatisfy { statement in
      switch statement {
      case .step(let step): !step.clauses.contains { if case .repetition = $0.kind { true } else { false } }
      case .binding, .secret, .profile, .sequence, .use, .tags: true
      case .run, .loop, .parallel, .finally: false
      }
    }
    return isImmediate ? .none : .standard
  }

  /// Whether it sends one request, whose body nothing else reads.
  package var passesItsBodyOn: Bool {
    var steps: [StepSyntax] = []
    for statement in statements {
      switch statement {
      case .step(let step): steps.append(step)
      case .binding, .profile, .sequence, .use, .tags: continue
      // They may read what came.
      case .secret, .run, .loop, .parallel, .finally: return false
      }
    }
    guard steps.count == 1, let step = steps.first, case .step? = statements.last else { return false }
    return step.clauses.allSatisfy { clause in
      switch clause.kind {
      case .expect, .repetition, .save: false
      case .json, .form, .multipart, .text, .body, .graphql, .header, .query, .auth, .expectStatus, .when, .stream,
        .retry, .timeout, .limit, .redirects, .effect, .profile, .wait:
        true
      }
    }
  }
}
