internal import RequestProgram
internal import Requests
internal import UploaderCore

extension World {
  /// What of the world a program may look at.
  var programEnvironment: ProgramEnvironment {
    var program = ProgramEnvironment(variables: environment, ask: ask, runCommand: runCommand)
    if let pathOrigin {
      let open = program.openFile
      program.openFile = { path throws(FileError) in try open(path.hasPrefix("/") ? path : "\(pathOrigin)/\(path)") }
    }
    return program
  }

  /// Reads a file that a script uses. Standard input is none.
  var readUsedFile: @Sendable (_ path: String) throws(FileError) -> [UInt8] {
    { [readFile] path throws(FileError) in try readFile(path == "-" ? "./-" : path) }
  }

  /// Now, with chance of its own.
  var moment: Moment { Moment(time: clock.now()) }
}
