public import Requests

/// What an uploader tells while it works.
public enum UploadEvent: Sendable {
  /// It is about to send, to this origin, with this credential or without those.
  case sending(PreparedRequest)
  /// The transfer moves on.
  case progress(RequestHead, TransferProgress)
  /// An attempt failed, the last of these; it waits and then sends again.
  case retrying(RequestHead, [FailedAttempt])
  /// An answer led on; what is sent next comes with the next `sending`.
  case redirected(RequestHead, RedirectHop)
  /// The exchange is complete.
  case received(Exchange)
  /// A step is over and was what it was expected to be.
  case step(StepRecord)
}
