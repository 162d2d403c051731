package import Requests
internal import UploaderCore

/// Why a record no longer counts.
package enum DropReason: Int, Sendable {
  /// Somebody went back before it, but nobody said that it may be sent again.
  case takenBack = 2
  /// The step is to be done again, because somebody asked for it or because it belonged to an attempt that failed.
  case doneAgain = 3

  /// What earlier programs wrote, whichever of the two it was: they did not tell them apart.
  static let untold = 1

  /// - Parameter stored: what a record has.
  package static func takesBack(_ stored: Int) -> Bool { stored == takenBack.rawValue || stored == untold }
}

/// Every time something was sent that must not happen twice and may have happened, by its step: the one rule by which
/// a step is known again, whoever sends.
///
/// The latest record of a step is not enough: the step may have been skipped since, or its response taken back, or it
/// may be at another position, because the script has changed.
package struct SentOnce: Sendable {
  private struct Attempt {
    let step: RecordedStep
    let isTakenBack: Bool
    /// Whether the run has come to this step with this request, so that no other step stands for it.
    var isMet = false
  }

  private var attempts: [StepPosition: [Attempt]] = [:]
  /// Loops whose rounds run side by side.
  private var wideLoops: Set<StepPosition> = []

  /// - Parameter steps: what was sent.
  package init(_ steps: [RecordedStep] = []) {
    add(steps, isTakenBack: false)
  }

  /// - Parameters:
  ///   - steps: those that count.
  ///   - takenBack: those that do not, but may have happened nevertheless.
  init(_ steps: [RecordedStep], takenBack: [RecordedStep]) {
    add(steps.filter(\.wasSentOnce), isTakenBack: false)
    add(takenBack.filter(\.wasSentOnce), isTakenBack: true)
  }

  private mutating func add(_ steps: [RecordedStep], isTakenBack: Bool) {
    for step in steps {
      attempts[step.position, default: []].append(Attempt(step: step, isTakenBack: isTakenBack))
    }
  }

  package var isEmpty: Bool { attempts.isEmpty }

  package var positions: some Sequence<StepPosition> { attempts.keys }

  /// Whether anything was sent at this position.
  package func hasSteps(at position: StepPosition) -> Bool { attempts[position] != nil }

  /// What was sent for this step. One of another name that asked for something else is another step: there were other rounds
  /// before it then.
  ///
  /// - Parameter request: what it asks for now; nil: it is not known.
  package func steps(
    at position: StepPosition, called label: String?, asking request: RecordedRequest?
  ) -> [RecordedStep] {
    attempts[position, default: []].map(\.step).filter { step in
      step.label == label || request.map { step.request.asksForTheSame(as: $0) } ?? true
    }
  }

  /// The run has come to this step.
  package mutating func meet(_ request: RecordedRequest, at position: StepPosition) {
    guard var known = attempts[position] else { return }
    for index in known.indices where known[index].step.request.asksForTheSame(as: request) { known[index].isMet = true }
    attempts[position] = known
  }

  mutating func enter(loop position: StepPosition) { wideLoops.insert(position) }

  /// What was sent with the same request for steps that the run has not come to, in their order: this one may be such a
  /// step, moved.
  package func steps(asking request: RecordedRequest, elsewhereThan position: StepPosition) -> [RecordedStep] {
    attempts.filter { place, _ in place != position && !isBeside(place, position) }
      .sorted { $0.key < $1.key }
      .flatMap { _, attempts in attempts.filter { !$0.isMet && $0.step.request.asksForTheSame(as: request) } }
      .map(\.step)
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
    effect == .once && mayHaveHappened && !isGiven
  }
}
