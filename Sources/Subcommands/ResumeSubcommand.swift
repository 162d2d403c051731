package import Formats
internal import HTTPTypes
internal import Presentation
internal import Requests
package import RunStore
package import Sessions
internal import UploaderCore

/// `workbench resume`: a recorded run continues where it stopped, and the user at the terminal decides what nobody can
/// know.
package struct ResumeSubcommand: Sendable {
  private let world: World
  private let style: ReportStyle
  private let directory: String?
  private let ask: (@Sendable (_ question: String) -> String?)?

  /// - Parameters:
  ///   - directory: where the store is; nil: the user's own.
  ///   - ask: asks the user at the terminal; nil: there is none.
  package init(
    world: World, style: ReportStyle = ReportStyle(), directory: String?, ask: (@Sendable (String) -> String?)? = nil
  ) {
    self.world = world
    self.style = style
    self.directory = directory
    self.ask = ask
  }

  /// - Parameter settings: they replace those of the run.
  package func run(
    _ reference: String, options: ResumeOptions = ResumeOptions(), settings: GivenValues = [:]
  ) async -> ExitCode {
    let secrets = KnownSecrets()
    let printer = Printer(world, secrets: secrets)
    let reporter = style.reporter(printer, now: world.clock.now)
    let runner = Runner(world: world, secrets: secrets, report: reporter.on)
    return await runner.resume(reference, in: directory, options: options, settings: settings) { step in
      choose(step, ErrorPrinter(printer))
    }.exitCode
  }

  /// Asks what is to be done; where nobody can be asked, lists the choices.
  private func choose(_ step: UndecidedStep, _ errors: ErrorPrinter) -> UndecidedChoice {
    guard let ask else {
      let command =
        "workbench resume \(step.run)" + (directory.map { " --store \(ShellQuoting.quoted($0))" } ?? "")
        + world.outsideOptions
      let name = ShellQuoting.quoted(step.name)
      errors.note(
        """
        the choice is yours:
          \(command) --again \(name)    sends it again
          \(command) \(step.reason.doneOption(name))    takes it as done
          \(command) --give-up    leaves it as it is
        """)
      return .none
    }
    // What needs a secret of its response would stop for good.
    let canBeDone = if case .secret = step.reason { false } else { true }
    let done = canBeDone ? ", d takes it as done" : ""
    errors.note("a sends \(step.name) again\(done), g gives the run up; anything else leaves it as it is")
    while let reply = ask(canBeDone ? "again, done or give up? [a/d/g] " : "again or give up? [a/g] ") {
      switch reply.trimmed.lowercased() {
      case "a", "again": return .decision(.sendAgain)
      case "d" where canBeDone, "done" where canBeDone:
        guard step.reason.lacksResponse else { return .decision(.accept) }
        guard let status = ask("the status of its response: ").flatMap({ Int($0.trimmed) }),
          (200...599).contains(status)
        else {
          errors.note("a status is a number from 200 to 599")
          continue
        }
        return .decision(.answered(Response(status: .init(code: status))))
      case "g", "give up": return .abandon
      default:
        errors.note("it is left as it is")
        return .none
      }
    }
    return .none
  }

  /// Abandons a run: nothing more of it is done.
  package func abandon(_ reference: String) -> ExitCode {
    let runs = StoredRuns(world: world, directory: directory)
    return runs.withStore { store in
      let run = try store.run(reference)
      try store.abandon(run)
      runs.errors.note("run \(run.id) is abandoned")
      return .success
    }
  }
}

extension UndecidedReason {
  /// Whether nothing is known of the step's response.
  fileprivate var lacksResponse: Bool {
    switch self {
    case .unexpected, .bodyLost: false
    case .interrupted, .sentBefore, .sentElsewhere, .secret, .givenSecret: true
    }
  }

  /// The option that takes the step as done.
  fileprivate func doneOption(_ name: String) -> String {
    switch self {
    case .unexpected: "--done \(name)"
    case .bodyLost: "--done \(name)[=STATUS,BODY-FILE]"
    case .interrupted, .sentBefore, .sentElsewhere, .secret, .givenSecret: "--done \(name)=STATUS[,BODY-FILE]"
    }
  }
}
