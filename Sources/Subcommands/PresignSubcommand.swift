internal import Formats
package import Presentation
internal import Requests
package import Sessions
internal import UploaderCore

/// `workbench presign PROFILE GET /key --expires 15m`.
package struct PresignSubcommand: Sendable {
  private let world: World
  private let file: String?

  /// - Parameter file: a script that declares the profile; nil: the user's own do.
  package init(world: World, file: String?) {
    self.world = world
    self.file = file
  }

  /// Prints the URL, and nothing else: whoever has it may send the request.
  package func run(_ order: PresignOrder) async -> ExitCode {
    let secrets = KnownSecrets()
    let errors = ErrorPrinter(Printer(world, secrets: secrets))
    let runner = Runner(world: world, secrets: secrets, report: DeclarationReporter(errors).on)
    do throws(SignInFailure) {
      let sequence = try runner.declarations(of: file)
      let session = Session(world: world, secrets: secrets, journal: nil, report: { _ in })
      session.learn(sequence.secrets)
      switch await session.presign(order, of: sequence) {
      case .success(let url):
        world.output.write("\(url)\n")
        return .success
      case .failure(let failure):
        errors.print(failure.report)
        return failure.exitCode
      }
    } catch {
      if let report = error.report(profile: order.profile ?? "") { errors.print(report) }
      return error.exitCode
    }
  }
}

extension PresignFailure {
  package var report: ErrorReport {
    switch self {
    case .order(let error):
      let (message, advice) = error.words
      return ErrorReport(message, notes: advice.map { [$0] } ?? [])
    case .keys(let error, let profile): return ErrorReport(error, profile: profile)
    }
  }

  var exitCode: ExitCode {
    switch self {
    case .order: .usage
    case .keys(let error, _): ExitCode(error)
    }
  }
}

/// `15m`, `900s`, `1h`, `7d`.
package enum WrittenDuration {
  package static func parse(_ text: some StringProtocol) -> Duration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits), count <= 1_000_000 else { return nil }
    switch text[digits.endIndex...] {
    case "s": return .seconds(count)
    case "m": return .seconds(count * 60)
    case "h": return .seconds(count * 3_600)
    case "d": return .seconds(count * 86_400)
    default: return nil
    }
  }
}
