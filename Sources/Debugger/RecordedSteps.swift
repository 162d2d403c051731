package import Requests
package import RunStore
internal import UploaderCore

/// What a recorded run did.
package struct RecordedSteps {
  /// Provides its responses.
  package let journal: ReplayJournal
  private let steps: [StepPosition: RecordedStep]
  private let moments: [StepPosition: StepSeed]
  /// The last response to each step, including one that was taken back.
  package let lastResponses: [StepPosition: RecordedStep]
  /// Every time something was sent that should happen once and may have taken effect, including what was taken back.
  package let sentOnce: SentOnce

  package init(_ run: RecordedRun, in store: RunStore) throws(StoreError) {
    let steps = try store.steps(of: run)
    moments = try store.moments(of: run)
    journal = ReplayJournal(steps, moments: moments, isOffline: false)
    self.steps = Dictionary(steps.map { ($0.position, $0) }) { $1 }
    let tries = try store.attempts(of: run)
    lastResponses = Dictionary(tries.filter { $0.response != nil }.map { ($0.position, $0) }) { $1 }
    sentOnce = SentOnce(tries.filter { $0.effect == .once && $0.mayHaveTakenEffect })
  }

  package subscript(position: StepPosition) -> RecordedStep? { steps[position] }

  /// The seed with which the sequence was asked for this step.
  package func moment(at position: StepPosition) -> StepSeed? { moments[position] }

  /// The steps whose responses were not taken back.
  package var standing: Set<StepPosition> { Set(steps.filter { $0.value.response != nil }.keys) }

  /// The steps that were left out.
  package var leftOut: [StepPosition: RecordedStep] { steps.filter { $0.value.state == .skipped } }

  package var responseCount: Int { steps.values.count { $0.response != nil } }

  /// Those that may have taken effect, must not happen twice, and got no response.
  package var undecided: [RecordedStep] { steps.values.filter(\.isUndecided).sorted { $0.position < $1.position } }
}

extension RecordedStep {
  /// Whether, as far as is known, it was sent and not refused.
  fileprivate var mayHaveTakenEffect: Bool {
    switch state {
    case .answered: !isGiven
    case .unmet: response.map { !(400..<500).contains($0.status) } ?? false
    case .intended, .sent, .unknown: isUndecided
    case .failed, .skipped: false
    }
  }
}
