internal import Requests
internal import UploaderCore

/// A step that got a response, as the journal was notified of it: a record is made of it when it is written.
struct AnsweredStep {
  let position: StepPosition
  let prepared: PreparedRequest
  let exchange: Exchange
  let unmet: [UnmetExpectation]
  var attempt = 1
  /// Since 1970.
  let finished: Duration

  var isDone: Bool { unmet.isEmpty }
  /// As of its record.
  var isCounted: Bool { isDone && prepared.description.head.round ?? 1 == 1 }

  func record(_ concealment: Concealment) -> RecordedStep {
    let step = Unconcealed<RecordedStep>(self)
    return step.concealed(concealment)
  }
}
