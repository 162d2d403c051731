internal import Diagnostics
internal import Formats
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Sessions
internal import UploaderCore

/// The debugger at the prompt, and the rules for uploads.
extension REPL {
  mutating func lint(_ argument: String?, on printer: Printer) {
    guard let (_, exchange) = exchange(named: argument.map { $0[...] }) else { return }
    let diagnosis = UploadDiagnosis(exchanges: run.exchanges, writtenIn: errors.sources)
    printer.result(diagnosis.report(on: exchange, isNamed: argument.map { $0 != "$_" } ?? false))
  }

  /// A file is a separate program; a sequence of this session sees its names and profiles. Responses received in the
  /// debugger stay there.
  mutating func debug(_ argument: String?) async {
    guard let argument else {
      return fail(ErrorReport("a file or a sequence is missing", notes: [Command.debug.example]))
    }
    if argument.hasSuffix(")"), let parenthesis = argument.firstIndex(of: "("),
      run.sequence.program.sequenceNames.contains(String(argument[..<parenthesis]))
    {
      return await debug(call: argument)
    }
    let run = DebugRun(world: world, editor: editor, secrets: secrets, recording: .standard)
    let code = await run.run(file: argument)
    isFailed = isFailed || code != .success
  }

  private mutating func debug(call: String) async {
    let parsed = Parser.parse(SourceText(name: "<call>", text: call), as: .call)
    guard let sequence = appending(parsed)?.sequence else { return }
    let script = Result { () throws(SessionScript.Obstacle) in
      try SessionScript(
        parsed, in: run.sequence, exchanges: run.exchanges, log: log, secrets: secrets, world: world)
    }
    let debugger = DebugRun(world: world, editor: editor, secrets: secrets, recording: .standard)
    let code = await debugger.run(sequence, as: script, named: String(call.prefix { $0 != "(" }), errors)
    isFailed = isFailed || code != .success
  }
}
