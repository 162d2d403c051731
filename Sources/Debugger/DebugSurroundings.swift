package import RequestProgram
package import Requests
package import UploaderCore

/// What a `DebugMachine` looks at outside itself. None of it sends or shows anything.
package struct DebugSurroundings: Sendable {
  /// What sending the description as a step of the sequence would mean now.
  package let prepare: @Sendable (RequestDescription, ProgramRequestSequence) throws(UploadError) -> PreparedRequest
  /// The same without the cookies that are kept by now, as a journal is told of it.
  package let prepareRecord:
    @Sendable (RequestDescription, ProgramRequestSequence) throws(UploadError) -> PreparedRequest
  /// The time, and randomness.
  package let moment: @Sendable () -> StepSeed
  /// The script is gone through from its beginning: what somebody replied to its questions is known.
  package let rewind: @Sendable () -> Void

  package init(
    prepare: @escaping @Sendable (RequestDescription, ProgramRequestSequence) throws(UploadError) -> PreparedRequest,
    prepareRecord:
      @escaping @Sendable (RequestDescription, ProgramRequestSequence) throws(UploadError) ->
      PreparedRequest,
    moment: @escaping @Sendable () -> StepSeed, rewind: @escaping @Sendable () -> Void = {}
  ) {
    self.prepare = prepare
    self.prepareRecord = prepareRecord
    self.moment = moment
    self.rewind = rewind
  }
}
