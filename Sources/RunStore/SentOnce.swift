internal import Requests
internal import UploaderCore

/// Why a record no longer counts.
enum DropReason: Int {
  /// The step is to be done anew, since somebody said so or because it belonged to a try that failed.
  case doneAnew = 1
  /// Somebody went back before it, and nobody said that it may be sent again.
  case takenBack = 2
}

/// Every time that something was sent which must not happen twice and may have happened, by its step.
///
/// Not only the latest record of a step tells that: it may have been left out since, or its answer taken back.
struct SentOnce {
  private struct Attempt {
    let request: RecordedRequest
    let isTakenBack: Bool
  }

  private var attempts: [StepPosition: [Attempt]] = [:]

  init(_ steps: [RecordedStep], takenBack: [RecordedStep]) {
    add(steps, isTakenBack: false)
    add(takenBack, isTakenBack: true)
  }

  private mutating func add(_ steps: [RecordedStep], isTakenBack: Bool) {
    for step in steps where step.wasSentOnce {
      attempts[step.position, default: []].append(Attempt(request: step.request, isTakenBack: isTakenBack))
    }
  }

  var positions: some Sequence<StepPosition> { attempts.keys }

  /// What was sent for this step.
  func requests(at position: StepPosition) -> [RecordedRequest] { attempts[position, default: []].map(\.request) }

  /// The step may be sent again, whatever was.
  mutating func allow(at position: StepPosition) { attempts[position] = nil }

  /// What still counted of the step is to be done anew.
  mutating func allowWhatCounted(at position: StepPosition) {
    attempts[position]?.removeAll { !$0.isTakenBack }
  }
}

extension RecordedStep {
  /// Whether this very record is of something that was sent, must not happen twice, and may have happened.
  fileprivate var wasSentOnce: Bool {
    // An answer that was given has its reason; no request was sent for it.
    effect == .once && mayHaveHappened && !(state == .answered && failure != nil)
  }
}
