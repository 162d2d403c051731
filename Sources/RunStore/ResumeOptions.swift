public import Requests
internal import UploaderCore

/// Decisions of the user who resumes a run.
public struct ResumeOptions: Hashable, Sendable {
  /// What to do about a step that the journal leaves undecided.
  public enum Decision: Hashable, Sendable {
    /// It is sent again.
    case sendAgain
    /// It is done, with the response it got.
    case accept
    /// It is done, and this was the response.
    case answered(Response)
  }

  /// By the label or the path of a step.
  public var decisions: [String: Decision]
  /// The label or the path of the step from which on everything is done again.
  public var from: String?
  /// Whether a request may differ from the recorded one: from there on everything is done again.
  public var acceptsChanges: Bool

  /// Whether what was done after a step that failed counts. Otherwise it was cleanup, and belongs to that attempt.
  public var keepsWhatFollowsFailures = false

  public init(decisions: [String: Decision] = [:], from: String? = nil, acceptsChanges: Bool = false) {
    self.decisions = decisions
    self.from = from
    self.acceptsChanges = acceptsChanges
  }

  /// What to do about this step; nil: nobody decided.
  func decision(on step: JournalledStep) -> Decision? {
    let names = [step.position.description, step.head.label, step.head.number.map { "$\($0)" }]
    return names.lazy.compactMap { $0.flatMap { decisions[$0] } }.first
  }
}
