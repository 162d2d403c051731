internal import RequestProgram
internal import UploaderCore

extension World {
  /// What of the world a program may look at.
  var programEnvironment: ProgramEnvironment {
    ProgramEnvironment(variables: environment, now: clock.now, ask: ask)
  }
}
