internal import Requests
internal import UploaderCore

/// Why a record no longer counts.
enum DropReason: Int {
  /// The step is to be done again, because somebody asked for it or because it belonged to an attempt that failed.
  case doneAgain = 1
  /// Somebody went back before it, but nobody said that it may be sent again.
  case takenBack = 2
}

/// Every time something was sent that must not happen twice and may have happened, by its step.
///
/// The latest record of a step is not enough: the step may have been skipped since, or its response taken back.
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

  /// The step may be sent again, whatever was sent before.
  mutating func allow(at position: StepPosition) { attempts[position] = nil }

  /// What still counted of the step is to be done again.
  mutating func allowWhatCounted(at position: StepPosition) {
    attempts[position]?.removeAll { !$0.isTakenBack }
  }
}

extension RecordedStep {
  /// Whether this very record is of something that was sent, must not happen twice, and may have happened.
  fileprivate var wasSentOnce: Bool {
    // A response that was supplied has a reason; no request was sent for it.
    effect == .once && mayHaveHappened && !(state == .answered && failure != nil)
  }
}
