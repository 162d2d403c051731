package import RequestProgram
internal import RequestSyntax
package import Requests
package import SignIn
package import UploaderCore

/// What somebody does about the tokens of a profile.
package enum SignInAction: String, CaseIterable, Sendable {
  case login, logout, status, refresh
}

/// What became of it.
package enum SignInOutcome: Hashable, Sendable {
  case signedIn(SignInStatus)
  case signedOut(isRevoked: Bool)
  case wasSignedOut
  case status(SignInStatus)
}

/// Why it could not be done.
package enum SignInFailure: Error, Sendable {
  /// The declarations are wrong; the errors were reported.
  case wrong
  case program(ProgramError)
  case file(FileError)
  case unknownProfile(String, known: [String])
  /// Nobody signs in to this profile.
  case noSignIn(profile: String)
  case signIn(SignInError)
  case upload(UploadError)
}

extension Runner {
  /// The declarations of the user's own profiles, of the environments and of a script, as at a new prompt.
  ///
  /// - Parameter file: the script whose declarations are taken, too.
  package func declarations(of file: String? = nil) throws(SignInFailure) -> ProgramRequestSequence {
    let loader = ScriptLoader(world)
    var sequence = ProgramRequestSequence(promptIn: world.programEnvironment, readFile: world.readUsedFile)
    var parts = [loader.ownDeclarations].compactMap(\.self).map { ($0.parsed, $0.directory, true) }
    if let file {
      do {
        let script = try ScriptFile(file, in: world)
        var parsed = Parser.parse(script.source)
        parsed.script.statements.removeAll { !$0.isDeclaration }
        parts.append((loader.withoutReplaced(parsed), script.directory, false))
      } catch {
        throw .file(error)
      }
    }
    parts += world.environments.map { (Parser.parse($0.source), $0.directory, false) }
    for (parsed, directory, mayRunCommands) in parts {
      let checked = loader.appending(parsed, to: sequence, directory: directory, mayRunCommands: mayRunCommands)
      checked.report(report)
      guard let grown = checked.value else { throw .wrong }
      sequence = grown
    }
    return sequence
  }

  /// Signs in, out, and so on.
  ///
  /// - Parameter interaction: who signs in.
  package func perform(
    _ action: SignInAction, profile name: String, file: String?, with interaction: SignInInteraction
  ) async throws(SignInFailure) -> SignInOutcome {
    let sequence = try declarations(of: file)
    let session = Session(world: world, secrets: secrets, journal: nil, report: report)
    return try await session.perform(action, profile: name, of: sequence, with: interaction)
  }
}

extension Session {
  /// Signs in, out, and so on, until ^C.
  package func perform(
    _ action: SignInAction, profile name: String, of sequence: ProgramRequestSequence,
    with interaction: SignInInteraction
  ) async throws(SignInFailure) -> SignInOutcome {
    let profiles = sequence.profiles ?? SessionProfiles()
    guard let profile = profiles[name] else { throw .unknownProfile(name, known: profiles.all.map(\.name)) }
    guard case .oauth(let settings)? = profile.credential else { throw .noSignIn(profile: name) }
    learn(sequence.secrets)
    let requests = sideRequests(of: sequence)
    let result: Result<SignInOutcome, SignInError> = await world.interrupts.withCancellation { [world] in
      do throws(SignInError) {
        return .success(try await Self.perform(action, settings, profile, interaction, requests, world))
      } catch {
        return .failure(error)
      }
    }
    do {
      return try result.get()
    } catch {
      throw .signIn(error)
    }
  }

  private static func perform(
    _ action: SignInAction, _ settings: OAuthSettings, _ profile: SessionProfile, _ interaction: SignInInteraction,
    _ requests: SideRequests, _ world: World
  ) async throws(SignInError) -> SignInOutcome {
    let service = world.signIn
    switch action {
    case .login:
      try await service.login(settings, of: profile, with: interaction, through: requests)
      return .signedIn(try service.status(settings, of: profile, now: world.clock.now()))
    case .refresh:
      try await service.refresh(settings, of: profile, through: requests)
      return .signedIn(try service.status(settings, of: profile, now: world.clock.now()))
    case .logout:
      let (wasSignedIn, isRevoked) = try await service.logout(settings, of: profile, through: requests)
      return wasSignedIn ? .signedOut(isRevoked: isRevoked) : .wasSignedOut
    case .status: return .status(try service.status(settings, of: profile, now: world.clock.now()))
    }
  }

  /// Whether somebody is signed in for this credential of a profile, and until when; nil: nobody signs in for it.
  package func signInStatus(of credential: Credential?, in profile: SessionProfile?) -> SignInStatus? {
    guard case .oauth(let settings)? = credential, let profile else { return nil }
    return try? world.signIn.status(settings, of: profile, now: world.clock.now())
  }
}
