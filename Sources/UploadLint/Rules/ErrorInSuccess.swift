internal import HTTPTypes
internal import Requests

/// A success status over a body with `<Error>`: S3 does that when work fails after the response has begun.
enum ErrorInSuccess: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let status = attempt.response?.status, status.kind == .successful, let error = attempt.storageError else {
      return []
    }
    return [
      UploadFinding(
        "error-in-success", "the response is \(status.code), and its body reports a failure",
        evidence: ["\(error.code): \(error.message)"],
        advice:
          "nothing was stored: send it again, and expect what success looks like, such as: expect headers.etag is string"
      )
    ]
  }
}
