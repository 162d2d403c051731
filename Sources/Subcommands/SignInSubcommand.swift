internal import Diagnostics
internal import Formats
package import Presentation
internal import RequestProgram
internal import Requests
package import Sessions
package import SignIn
internal import Synchronization
internal import UploaderCore

/// `workbench auth login|logout|status|refresh PROFILE`.
package struct SignInSubcommand: Sendable {
  private let world: World
  private let file: String?

  /// - Parameter file: a script that declares the profile; nil: the user's own do.
  package init(world: World, file: String?) {
    self.world = world
    self.file = file
  }

  package func run(_ action: SignInAction, profile: String) async -> ExitCode {
    let secrets = KnownSecrets()
    let printer = Printer(world, secrets: secrets)
    let errors = ErrorPrinter(printer)
    let reporter = DeclarationReporter(errors)
    let runner = Runner(world: world, secrets: secrets, report: reporter.on)
    let interaction = (world.interaction ?? .nobody).saying { printer.error(StyledText($0)) }
    do throws(SignInFailure) {
      let outcome = try await runner.perform(action, profile: profile, file: file, with: interaction)
      printer.result(StyledText("\(outcome.sentence(profile: profile, now: world.clock.now()))\n"))
      return outcome.exitCode(of: action)
    } catch {
      if let report = error.report(profile: profile) { errors.print(report) }
      return error.exitCode
    }
  }
}

extension SignInOutcome {
  /// One sentence, without a token.
  package func sentence(profile: String, now: Duration) -> String {
    switch self {
    case .signedIn(let status), .status(let status): "\(profile): \(status.words(now: now))"
    case .signedOut(isRevoked: true): "\(profile): signed out, and the token is revoked"
    case .signedOut(isRevoked: false): "\(profile): signed out here; the issuer revokes no tokens"
    case .wasSignedOut: "\(profile): nobody was signed in"
    }
  }

  func exitCode(of action: SignInAction) -> ExitCode {
    if case .status(.signedOut) = self { return .signIn }
    return .success
  }
}

extension SignInFailure {
  /// nil: it was reported.
  package func report(profile: String) -> ErrorReport? {
    switch self {
    case .wrong: nil
    case .program(let error): ErrorReport("\(error.diagnostic.message)")
    case .file(let error): ErrorReport("\(error)")
    case .unknownProfile(let name, let known):
      ErrorReport(
        "there is no profile \"\(name)\"",
        notes: [
          known.isEmpty ? "no profile is declared" : "there are: \(known.joined(separator: ", "))",
          "for a profile of a script: workbench auth login \(name) --script FILE",
        ])
    case .noSignIn(let name):
      ErrorReport("nobody signs in to profile \"\(name)\"", notes: ["it has no auth oauth { … }"])
    case .signIn(let error): ErrorReport(error, profile: profile)
    case .upload(let error): ErrorReport.reports(of: error)?.first
    }
  }

  package var exitCode: ExitCode {
    switch self {
    case .wrong, .unknownProfile, .noSignIn, .program: .usage
    case .file: .file
    case .signIn(let error): ExitCode(error)
    case .upload(let error): ExitCode(error)
    }
  }
}

extension SignInInteraction {
  /// Nobody is at a terminal, but somebody asked for it: what they need is said, and the browser is theirs.
  static let nobody = SignInInteraction(say: { _ in }, open: { _ in false })

  /// The same, but what it says goes there.
  package func saying(_ say: @escaping @Sendable (String) -> Void) -> SignInInteraction {
    var interaction = self
    interaction.say = say
    return interaction
  }
}

/// Prints what the check of declarations finds, and nothing else.
final class DeclarationReporter: Sendable {
  private let errors: Mutex<ErrorPrinter>

  init(_ errors: ErrorPrinter) { self.errors = Mutex(errors) }

  @Sendable func on(_ event: RunEvent) {
    switch event {
    case .read(let source): errors.withLock { $0.know(source) }
    case .checked(let diagnostics): errors.withLock { $0.print(diagnostics.filter { $0.severity == .error }) }
    default: break
    }
  }
}
