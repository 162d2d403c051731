// What can be wrong with an upload to storage, reported with the evidence: rules over a request, its description and
// its response. This module sends nothing and knows no script text.

/// A problem with an upload, how it is known, and what to do.
public struct UploadFinding: Hashable, Sendable {
  /// The rule's name: `policy-expired`.
  public let rule: String
  /// What is wrong, in one sentence without a full stop.
  public let message: String
  /// How that is known, one line each.
  public let evidence: [String]
  /// What to do.
  public let advice: String

  public init(_ rule: String, _ message: String, evidence: [String] = [], advice: String) {
    self.rule = rule
    self.message = message
    self.evidence = evidence
    self.advice = advice
  }
}
