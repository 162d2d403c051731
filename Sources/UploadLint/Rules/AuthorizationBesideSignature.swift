internal import HTTPTypes
internal import Requests

/// A presigned URL or a policy is itself a signature; an `Authorization` header next to it is one proof too many.
enum AuthorizationBesideSignature: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.isForStorage, let value = attempt.headers[.authorization] else { return [] }
    let scheme = value.prefix { $0 != " " }
    let what = attempt.presignature == nil ? "the form has a policy" : "the URL has a signature"
    return [
      UploadFinding(
        "authorization-beside-signature", "an Authorization header is sent too, and storage accepts only one proof",
        evidence: ["\(what), and there is Authorization: \(scheme) ••••"],
        advice:
          "leave it out: auth none in the step, or no Authorization header; and keep storage out of that profile's origins"
      )
    ]
  }
}
