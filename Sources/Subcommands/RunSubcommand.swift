package import Formats
package import Sessions
internal import UploaderCore

/// `workbench run`: a script, and a report of it.
package struct RunSubcommand: Sendable {
  private let world: World
  private let style: ReportStyle
  private let options: ScriptOptions
  private let recording: Recording

  /// - Parameter recording: where what it does is kept, so that it can continue where it stopped.
  package init(
    world: World, style: ReportStyle = ReportStyle(), options: ScriptOptions = ScriptOptions(),
    recording: Recording = .off
  ) {
    self.world = world
    self.style = style
    self.options = options
    self.recording = recording
  }

  /// Runs the file; `-` is standard input, whose relative paths begin in the working directory.
  package func run(file: String) async -> ExitCode {
    let secrets = KnownSecrets()
    let reporter = style.reporter(Printer(world, secrets: secrets), now: world.clock.now)
    let runner = Runner(world: world, secrets: secrets, report: reporter.on)
    return await runner.run(file: file, options, recording: recording).exitCode
  }
}
