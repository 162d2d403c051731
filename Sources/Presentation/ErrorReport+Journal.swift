internal import Requests
internal import UploaderCore

extension ErrorReport {
  /// Why a journal did not let a step go on.
  init(_ failure: JournalError, in step: RequestHead?) {
    let name = Self.name(step)
    var notes = ["nothing was sent"]
    var message = "\(name)\(failure)"
    switch failure {
    case .store: break
    case .changed(_, let differences):
      notes = differences.map(Self.line) + ["--accept-changes continues from here with the new one"]
    case .undecided(_, .givenSecret):
      notes = ["it was not sent again", "workbench debug --run continues there, where it can be given again"]
    case .undecided(_, .secret):
      notes = [
        "it was not sent again", "if that does no harm, say so in the step, and resume does it: effect idempotent",
      ]
    case .undecided: notes = ["it was not sent again"]
    case .expired(_, _, let since): message += " \(NumberFormat.duration(since)) ago"
    case .notRecorded(let nearest, let differences):
      notes =
        nearest.map { ["the nearest is \($0)"] + differences.map(Self.line) } ?? ["the recording has no requests left"]
    }
    self.init(message, place: step?.place, notes: notes)
  }

  private static func line(_ difference: RequestDifference) -> String {
    "\(difference.subject): \(difference.recorded) was recorded, now it is \(difference.now)"
  }
}
