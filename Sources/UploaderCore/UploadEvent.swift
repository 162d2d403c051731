public import Requests

/// What an uploader reports while it works. Steps of one group may run in parallel, and report from several threads.
public enum UploadEvent: Sendable {
  /// A sequence is asked for the step at this position, with this seed, which determines what it returns: a journal
  /// that has written it can rebuild the same step.
  case asked(StepPosition, StepSeed)
  /// These are to be hidden from now on. It comes before anything that contains them is sent or reported.
  case secrets(Set<Secret>)
  /// It is about to send, to this origin, with this credential or without those.
  case sending(PreparedRequest, at: StepPosition)
  /// The transfer progresses.
  case progress(RequestHead, TransferProgress, at: StepPosition)
  /// A group begins, with this many sequences.
  case group(children: Int, at: StepPosition)
  /// An attempt failed, the last of these; it waits and then sends again.
  case retrying(RequestHead, [FailedAttempt])
  /// A redirect response; what is sent next comes with the next `sending`.
  case redirected(RequestHead, RedirectHop)
  /// The exchange is complete.
  case received(Exchange)
  /// The exchange was in the journal; nothing was sent.
  case recalled(Exchange, at: StepPosition)
  /// A step has ended: it succeeded, was skipped, or failed. The end of a group is not reported: it is over when what
  /// follows is asked for.
  case step(StepRecord, at: StepPosition)
}
