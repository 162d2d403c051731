internal import HTTPTypes
internal import Requests

/// `X-Amz-Date` and `X-Amz-Expires` have passed.
enum PresignedURLExpired: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let signature = attempt.presignature, let expiration = signature.expiration, let lifetime = signature.lifetime
    else { return [] }
    let now = ServerTime(attempt)
    guard now.time >= expiration else { return [] }
    return [
      UploadFinding(
        "presigned-url-expired",
        "the presigned URL expired \(now.time.subtracting(expiration).span) before it was used",
        evidence: ["it was valid for \(lifetime.span), by X-Amz-Date and X-Amz-Expires; \(now.evidence)"],
        advice: "ask for a new URL: go back to the step that returned it")
    ]
  }
}

/// The time according to whoever decides: the server's own `Date` if there is one.
struct ServerTime {
  let time: Duration
  let evidence: String

  init(_ attempt: UploadAttempt) {
    if let date = attempt.response?.headers[.date], let time = DateText.http(date) {
      self.time = time
      evidence = "storage's clock said \(date)"
    } else {
      time = attempt.time
      evidence = "by this machine's clock"
    }
  }
}
