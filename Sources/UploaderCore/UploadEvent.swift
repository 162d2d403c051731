public import Requests

/// What an uploader tells while it works.
public enum UploadEvent: Sendable {
  /// It is about to send.
  case sending(PreparedRequest)
  /// The transfer moves on.
  case progress(RequestHead, TransferProgress)
  /// An attempt failed, the last of these; it waits and then sends again.
  case retrying(RequestHead, [FailedAttempt])
  /// The exchange is complete.
  case received(Exchange)
  /// The exchange was in the journal; nothing was sent.
  case recalled(Exchange)
}
