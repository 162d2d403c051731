internal import HTTPTypes
internal import Presentation
internal import RequestProgram
internal import Requests
internal import UploaderCore

/// A run that was recorded.
extension StepDebugger {
  /// Does what a recorded run did, and sends nothing: then it stands behind the step that failed, or before the first
  /// that has no answer.
  mutating func recall(_ recorded: RecordedSteps) async {
    let recaller = Uploader(
      transport: world.transport, journal: recorded.journal, clock: world.clock, makeBoundary: world.makeBoundary,
      observe: { [printer] event in if case .secrets(let found) = event { printer.learn(found) } })
    var failure: UploadError?
    var isOver = false
    while failure == nil, !isOver {
      let step = await StepOutcome(of: run, by: recaller, groups: .oneByOne)
      switch step.result {
      case .failure(let error) where error.isFromJournal:
        isOver = true
        continue
      case .failure(let error): failure = error
      case .success(let record): isOver = record == nil
      }
      run = step.run
    }
    let steps = run.history.stepRecords
    for (position, record) in steps {
      guard let exchange = record.exchange else { continue }
      attempts[position, default: []].append(exchange)
      let isRefused = record.isFailed && exchange.response.status.kind == .clientError
      if exchange.description.head.effect == .once, !isRefused { sentOnce.append(exchange.description) }
    }
    let count = run.exchanges.count
    say("\(count) recorded \(count == 1 ? "answer" : "answers"), nothing was sent")
    switch (failure, steps.last(where: \.record.isFailed)?.position) {
    case (let error?, let position?):
      if case .sequence = error.fact {
        stop = .blocked(error, position)
      } else {
        fail(error, at: position)
      }
    case (nil, _), (_, nil):
      arrive()
      if case .before(let description, let position) = stop, recorded.unknown.contains(position) {
        say("this request was sent, and no answer came: it may have taken effect", .warning)
        if description.head.effect == .once { sentOnce.append(description) }
      }
    }
  }
}
