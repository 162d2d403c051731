package import Formats
package import Sessions
internal import UploaderCore

/// `workbench replay`: a script over the responses of a recorded run, and a report of it.
package struct ReplaySubcommand: Sendable {
  private let world: World
  private let style: ReportStyle
  private let directory: String?

  /// - Parameter directory: where the store is; nil: the user's own.
  package init(world: World, style: ReportStyle = ReportStyle(), directory: String?) {
    self.world = world
    self.style = style
    self.directory = directory
  }

  /// - Parameters:
  ///   - file: the script to run instead of the recorded run's.
  ///   - settings: they replace those of the run.
  package func run(_ reference: String, file: String?, settings: GivenValues = [:]) async -> ExitCode {
    let secrets = KnownSecrets()
    let reporter = style.reporter(Printer(world, secrets: secrets), now: world.clock.now)
    let runner = Runner(world: world, secrets: secrets, report: reporter.on)
    return await runner.replay(reference, in: directory, file: file, settings: settings).exitCode
  }
}
