internal import Debugger
internal import Formats
internal import Presentation
// Without it a sequence's profiles would be those of any sequence: none.
internal import RequestProgram
internal import Requests
internal import Sessions
internal import UploadLint
internal import UploaderCore

/// What is wrong with an upload.
extension StepDebugger {
  private var diagnosis: UploadDiagnosis { UploadDiagnosis(exchanges: run.exchanges) }

  func lint(_ name: String) {
    if !name.isEmpty {
      let answers = run.history.stepRecords.compactMap(\.record.exchange)
      guard let answer = answers.last(where: { machine.isStep(name, $0.description) }) else {
        return complain("no step \"\(name)\" was sent")
      }
      return printer.result(UploadDiagnosis.answer(diagnosis.findings(of: answer)))
    }
    switch stop {
    case .before(let description, _):
      do {
        let prepared = try driver.session.prepare(description, of: run.innermostSequence)
        printer.result(UploadDiagnosis.answer(diagnosis.findings(of: prepared, at: world.clock.now())))
      } catch {
        errors.print(error)
      }
    case .after, .blocked, .end, .nowhere:
      guard let answer = lastAnswer else { return complain("nothing was sent yet") }
      printer.result(UploadDiagnosis.answer(diagnosis.findings(of: answer)))
    }
  }

  /// After a failure.
  func diagnose(_ answer: Exchange?) {
    var sent: (PreparedRequest, Duration)?
    if answer == nil, let unanswered = machine.unanswered,
      let prepared = try? driver.session.prepare(unanswered, of: run.innermostSequence)
    {
      sent = (prepared, world.clock.now())
    }
    printer.result(diagnosis.cause(of: answer, unanswered: sent))
  }
}
