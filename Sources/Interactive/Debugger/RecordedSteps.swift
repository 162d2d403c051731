internal import Requests
internal import RunStore
internal import UploaderCore

/// What a recorded run did.
struct RecordedSteps {
  /// Gives its answers.
  let journal: ReplayJournal
  private let steps: [StepPosition: RecordedStep]
  private let moments: [StepPosition: Moment]

  init(_ run: RecordedRun, in store: RunStore) throws(StoreError) {
    let steps = try store.steps(of: run)
    moments = try store.moments(of: run)
    journal = ReplayJournal(steps, moments: moments, isOffline: false)
    self.steps = Dictionary(steps.map { ($0.position, $0) }) { $1 }
  }

  subscript(position: StepPosition) -> RecordedStep? { steps[position] }

  /// When the sequence was asked for this step.
  func moment(at position: StepPosition) -> Moment? { moments[position] }

  var answerCount: Int { steps.values.count { $0.answer != nil } }

  /// Those that may have taken effect, must not happen twice, and got no answer.
  var undecided: [RecordedStep] { steps.values.filter(\.isUndecided).sorted { $0.position < $1.position } }
}
