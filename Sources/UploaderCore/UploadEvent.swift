public import Requests

/// What an uploader tells while it works.
public enum UploadEvent: Sendable {
  /// It is about to send.
  case sending(PreparedRequest)
  /// The transfer moves on.
  case progress(RequestHead, TransferProgress)
  /// The exchange is complete.
  case received(Exchange)
}
