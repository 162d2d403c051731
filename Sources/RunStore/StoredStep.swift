internal import Essentials
package import Requests

/// The record of a step as it is stored.
package struct StoredStep: Sendable {
  /// Set separately when its first byte leaves.
  package var state: Int
  /// Why it does not count (`DropReason`); 0: it does.
  package var dropped: Int
  /// The boot in which it was begun.
  package var boot: String?
  package var record: [UInt8]
  /// The digest of a body that is stored elsewhere.
  package var body: String?

  package init(state: Int, dropped: Int, boot: String?, record: [UInt8], body: String?) {
    (self.state, self.dropped, self.boot, self.record, self.body) = (state, dropped, boot, record, body)
  }

  /// - Parameter reason: why it does not count; nil: it does.
  package init(_ step: RecordedStep, _ body: Spool.Entry?, _ reason: DropReason? = nil) throws {
    self.init(
      state: step.state.rawValue, dropped: reason?.rawValue ?? 0, boot: step.boot,
      record: [UInt8](try step.record(isSpooled: body != nil)), body: body?.digest)
  }

  /// The mark that its first byte left.
  package mutating func markSent() {
    if dropped == 0, state == RecordedStep.State.intended.rawValue { state = RecordedStep.State.sent.rawValue }
  }

  /// - Parameter spool: has its body, if that is large.
  /// - Throws: `StoreError.noBody` when that is not there.
  package func step(_ spool: Spool?) throws(StoreError) -> RecordedStep {
    var step = try decoded()
    if let body {
      guard let spool else { throw .noBody(digest: body) }
      step.response?.body = try spool.body(body)
    }
    return step
  }

  /// A step whose body was too large to be kept for others.
  package func stepWithoutBody() throws(StoreError) -> RecordedStep {
    var step = try decoded()
    let lost = step.response?.lostBody ?? 1
    step.response?.lostBody = max(1, lost)
    step.response?.body = ResponseBody([])
    return step
  }

  private func decoded() throws(StoreError) -> RecordedStep {
    var step: RecordedStep
    if record.first == RecordWriter.format {
      var reader = try RecordReader(record)
      step = try reader.next(as: RecordedStep.self)
    } else {
      var reader = PositionalReader(record)
      step = try reader.step()
    }
    guard let state = RecordedStep.State(rawValue: state) else { throw .damaged("a step") }
    step.state = state
    step.boot = boot
    return step
  }
}

extension StepBatch {
  package var bytes: [UInt8] { [UInt8](data) }

  /// The records in a row, and the seeds with which those steps were asked for.
  package static func records(in bytes: [UInt8]) throws(StoreError) -> [(step: RecordedStep, moment: StepSeed?)] {
    try steps(in: Data(bytes)).map { ($0.step, $0.moment) }
  }
}
