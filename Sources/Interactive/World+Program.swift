internal import RequestProgram
internal import Requests
internal import UploaderCore

extension World {
  /// What of the world a program may look at.
  var programEnvironment: ProgramEnvironment {
    ProgramEnvironment(variables: environment)
  }

  /// Now, with chance of its own.
  var moment: Moment { Moment(time: clock.now()) }
}
