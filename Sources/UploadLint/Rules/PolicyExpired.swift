internal import HTTPTypes
internal import Requests

/// The form's policy is no longer valid.
enum PolicyExpired: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let policy = attempt.policy, let expiration = policy.expiration else { return [] }
    let now = ServerTime(attempt)
    guard now.time >= expiration else { return [] }
    let when = attempt.response == nil ? "ago" : "before this request was sent"
    return [
      UploadFinding(
        "policy-expired", "the policy expired \(now.time.subtracting(expiration).span) \(when)",
        evidence: ["its expiration is \(policy.expirationText); \(now.evidence)"],
        advice: "ask for a new policy: go back to \(attempt.allocator(in: lint))")
    ]
  }
}
