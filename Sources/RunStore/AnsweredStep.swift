internal import Requests
internal import UploaderCore

/// A step that was answered, as the journal was told of it: a record is made of it when it is written.
struct AnsweredStep {
  let position: StepPosition
  let prepared: PreparedRequest
  let exchange: Exchange
  let unmet: [UnmetExpectation]
  var attempt = 1
  /// Since 1970.
  let finished: Duration

  var isDone: Bool { unmet.isEmpty }

  func record(_ concealment: Concealment) -> RecordedStep {
    var record = RecordedStep(
      prepared, at: position, isDone ? .answered : .unmet, attempt: attempt, started: exchange.started,
      concealment.markers)
    record.finished = finished
    record.answer = RecordedAnswer(exchange, unmet: unmet, concealment)
    return record
  }
}

extension RecordedStep {
  /// The record of a step as far as it is known before it is sent.
  init(
    _ prepared: PreparedRequest, at position: StepPosition, _ state: State, attempt: Int = 1, started: Duration,
    _ markers: SecretMarkers
  ) {
    let head = prepared.description.head
    self.init(
      position: position, label: head.label, number: head.number, round: head.round, attempt: attempt, state: state,
      effect: head.effect, started: started, request: RecordedRequest(prepared, markers), boot: BootID.current)
  }
}

/// How what is secret is kept from the store.
struct Concealment {
  /// Stand for what has to be whole when a run goes on.
  var markers = SecretMarkers([])
  /// Hide cookies, in what is written for people and not for going on.
  var masks: SecretMarkers?

  /// What is written for people.
  func text(_ text: String) -> String {
    let text = markers.concealCut(text)
    return masks?.concealCut(text) ?? text
  }
}
