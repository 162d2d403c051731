internal import Requests
internal import UploaderCore

extension ErrorReport {
  /// Why a journal did not let a step go on.
  init(_ failure: JournalError, in step: RequestHead?) {
    let name = Self.name(step)
    var notes = ["nothing was sent"]
    let message: String
    switch failure {
    case .store(let reason):
      message = "\(name)the journal of this run cannot be kept: \(reason)"
    case .changed(_, let differences):
      message = "\(name)the request is not the one that was recorded"
      notes = differences.map(Self.line) + ["--accept-changes continues from here with the new one"]
    case .undecided(_, .interrupted):
      message = "\(name)it was sent, and its response is not known: it may have taken effect"
    case .undecided(_, .unexpected):
      message =
        "\(name)its response was a success, though not as expected: if it were sent again, it would happen twice"
    case .undecided(_, .bodyLost):
      message = "\(name)it is done, but the disk was full when its response came, and the body was not kept"
    case .undecided(_, .sentBefore):
      message = "\(name)it was sent before and may have taken effect, and the response it had then no longer counts"
    case .undecided(_, .sentElsewhere(let place)):
      message =
        "\(name)it was sent before at another place in the script (step \(place)), and may have taken effect"
    case .undecided(_, .secret(let secret)):
      message =
        "\(name)its response contained the secret \"\(secret)\", which is not kept: only sending it again brings one"
    case .undecided(_, .givenSecret(let secret)):
      message =
        "\(name)its response was given in the debugger with the secret \"\(secret)\", which is not kept"
      notes.append("workbench debug --run continues there, where it can be given again")
    case .expired(_, _, let since):
      message = "\(name)its target expired \(NumberFormat.duration(since)) ago"
    case .notRecorded(let nearest, let differences):
      message = "\(name)nothing like this request was recorded"
      notes =
        nearest.map { ["the nearest is \($0)"] + differences.map(Self.line) } ?? ["the recording has no requests left"]
    }
    self.init(message, place: step?.place, notes: notes)
  }

  private static func line(_ difference: RequestDifference) -> String {
    "\(difference.subject): \(difference.recorded) was recorded, now it is \(difference.now)"
  }
}
