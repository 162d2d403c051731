internal import Requests
internal import UploaderCore

/// Why a record no longer counts.
enum DropReason: Int {
  /// Somebody went back before it, but nobody said that it may be sent again.
  case takenBack = 2
  /// The step is to be done again, because somebody asked for it or because it belonged to an attempt that failed.
  case doneAgain = 3

  /// What earlier programs wrote, whichever of the two it was: they did not tell them apart.
  static let untold = 1
}

/// Every time something was sent that must not happen twice and may have happened, by its step.
///
/// The latest record of a step is not enough: the step may have been skipped since, or its response taken back, or it
/// may be at another position, because the script has changed.
struct SentOnce {
  private struct Attempt {
    let request: RecordedRequest
    let isTakenBack: Bool
    /// Whether the run has come to this step with this request, so that no other step stands for it.
    var isMet = false
  }

  private var attempts: [StepPosition: [Attempt]] = [:]
  /// Loops whose rounds run side by side.
  private var wideLoops: Set<StepPosition> = []

  init(_ steps: [RecordedStep], takenBack: [RecordedStep]) {
    add(steps, isTakenBack: false)
    add(takenBack, isTakenBack: true)
  }

  private mutating func add(_ steps: [RecordedStep], isTakenBack: Bool) {
    for step in steps where step.wasSentOnce {
      attempts[step.position, default: []].append(Attempt(request: step.request, isTakenBack: isTakenBack))
    }
  }

  var isEmpty: Bool { attempts.isEmpty }

  var positions: some Sequence<StepPosition> { attempts.keys }

  /// What was sent for this step.
  func requests(at position: StepPosition) -> [RecordedRequest] { attempts[position, default: []].map(\.request) }

  /// The run has come to this step.
  mutating func meet(_ request: RecordedRequest, at position: StepPosition) {
    guard var known = attempts[position] else { return }
    for index in known.indices where known[index].request.asksForTheSame(as: request) { known[index].isMet = true }
    attempts[position] = known
  }

  mutating func enter(loop position: StepPosition) { wideLoops.insert(position) }

  /// Where the same was sent for a step that the run has not come to: this one may be that step, moved.
  func place(ofSame request: RecordedRequest, elsewhereThan position: StepPosition) -> StepPosition? {
    attempts.filter { place, attempts in
      place != position && !isBeside(place, position)
        && attempts.contains { !$0.isMet && $0.request.asksForTheSame(as: request) }
    }.keys.min()
  }

  /// Whether both are in a loop, in rounds that run side by side: each comes in its own time.
  private func isBeside(_ one: StepPosition, _ other: StepPosition) -> Bool {
    guard let depth = zip(one.indices, other.indices).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return false
    }
    return wideLoops.contains(StepPosition(Array(one.indices[..<depth])))
  }

  /// The step may be sent again, whatever was sent before.
  mutating func allow(at position: StepPosition) { attempts[position] = nil }

  /// What still counted of the step is to be done again.
  mutating func allowWhatCounted(at position: StepPosition) {
    attempts[position]?.removeAll { !$0.isTakenBack }
  }
}

extension RecordedStep {
  /// Whether this very record is of something that was sent, must not happen twice, and may have happened.
  var wasSentOnce: Bool {
    // A response that was supplied has a reason; no request was sent for it.
    effect == .once && mayHaveHappened && !(state == .answered && failure != nil)
  }
}
