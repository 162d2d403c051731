public import Requests
internal import UploaderCore

/// What whoever takes up a run has decided.
public struct ResumeOptions: Hashable, Sendable {
  /// What is to be done about a step that the journal leaves open.
  public enum Decision: Hashable, Sendable {
    /// It is sent again.
    case sendAgain
    /// It is done, as it was answered.
    case accept
    /// It is done, and this is what the answer was.
    case answered(Response)
  }

  /// By the label or the path of a step.
  public var decisions: [String: Decision]
  /// The label or the path of the step from which on everything is done anew.
  public var from: String?
  /// Whether a request may differ from the recorded one: from there on everything is done anew.
  public var acceptsChanges: Bool

  /// Whether what was done after a step that failed counts. Else it was cleaning up, and belongs to that try.
  public var keepsWhatFollowsFailures = false

  public init(decisions: [String: Decision] = [:], from: String? = nil, acceptsChanges: Bool = false) {
    self.decisions = decisions
    self.from = from
    self.acceptsChanges = acceptsChanges
  }

  /// What is to be done about this step; nil: nobody said.
  func decision(on step: JournalledStep) -> Decision? {
    decisions[step.position.description] ?? step.head.label.flatMap { decisions[$0] }
  }
}
