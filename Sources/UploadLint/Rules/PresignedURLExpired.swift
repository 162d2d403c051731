internal import HTTPTypes
internal import Requests

/// The time that the URL itself states has passed.
enum PresignedURLExpired: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let signature = attempt.presignature, let expiration = signature.expiration else { return [] }
    let now = ServerTime(attempt)
    guard now.time >= expiration else { return [] }
    return [
      UploadFinding(
        "presigned-url-expired",
        "the presigned URL expired \(now.time.subtracting(expiration).span) before it was used",
        evidence: [
          "it was valid\(signature.lifetime.map { " for \($0.span)" } ?? ""), by \(signature.statement); \(now.evidence)"
        ],
        advice: "ask for a new URL: go back to \(attempt.allocator(in: lint))")
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
