public import Requests

/// What an uploader tells while it works. Steps of one group may go on at once, and tell from several threads.
public enum UploadEvent: Sendable {
  /// A sequence is asked for the step at this position, at this moment, which decides what it answers: a journal that
  /// has written it can make the same step again.
  case asked(StepPosition, StepSeed)
  /// These are to be hidden from now on. It comes before anything that has them in it is sent or told.
  case secrets(Set<Secret>)
  /// It is about to send, to this origin, with this credential or without those.
  case sending(PreparedRequest, at: StepPosition)
  /// The transfer moves on.
  case progress(RequestHead, TransferProgress, at: StepPosition)
  /// A group begins, of so many sequences.
  case group(children: Int, at: StepPosition)
  /// An attempt failed, the last of these; it waits and then sends again.
  case retrying(RequestHead, [FailedAttempt])
  /// An answer led on; what is sent next comes with the next `sending`.
  case redirected(RequestHead, RedirectHop)
  /// The exchange is complete.
  case received(Exchange)
  /// The exchange was in the journal; nothing was sent.
  case recalled(Exchange, at: StepPosition)
  /// A step has come to its end: as it was expected to, left out, or failed. That of a group needs no telling: it is
  /// over when what follows is asked.
  case step(StepRecord, at: StepPosition)
}
