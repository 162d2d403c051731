package import Requests
package import UploaderCore

extension RecordedStep {
  /// A step as it would be recorded, for a report of a run that is not.
  ///
  /// - Parameters:
  ///   - prepared: what was sent.
  ///   - secrets: those known by now; none of them is in it.
  package init(
    reported exchange: Exchange, of prepared: PreparedRequest, at position: StepPosition, hiding secrets: Set<Secret>
  ) {
    let step = AnsweredStep(
      position: position, prepared: prepared, exchange: exchange, unmet: [],
      finished: exchange.started + exchange.timings.total)
    self = step.record(Concealment(markers: SecretMarkers(secrets)))
  }
}
