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
  private var diagnosis: UploadDiagnosis { UploadDiagnosis(exchanges: run.exchanges, writtenIn: errors.sources) }

  func lint(_ name: String) {
    if !name.isEmpty {
      let exchanges = run.history.stepRecords.compactMap(\.record.exchange)
      guard let exchange = exchanges.last(where: { machine.isStep(name, $0.description) }) else {
        return complain("no step \"\(name)\" was sent")
      }
      return printer.result(diagnosis.report(on: exchange, isNamed: true))
    }
    switch stop {
    case .before(let description, _):
      do {
        let prepared = try driver.session.prepare(description, of: run.innermostSequence)
        printer.result(UploadDiagnosis.report(diagnosis.findings(of: prepared, at: world.clock.now())))
      } catch {
        errors.print(error)
      }
    case .after, .blocked, .end, .nowhere:
      guard let exchange = lastExchange else { return complain("nothing was sent yet") }
      printer.result(diagnosis.report(on: exchange, isNamed: false))
    }
  }

  /// After a failure.
  func diagnose(_ exchange: Exchange?) {
    var sent: (PreparedRequest, Duration)?
    if exchange == nil, let unanswered = machine.unanswered,
      let prepared = try? driver.session.prepare(unanswered, of: run.innermostSequence)
    {
      sent = (prepared, world.clock.now())
    }
    printer.result(diagnosis.cause(of: exchange, unanswered: sent))
  }
}
