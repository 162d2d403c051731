internal import HTTPTypes
internal import Requests

/// A PUT to a presigned URL that brings nothing, and was refused.
enum MissingBody: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    let head = attempt.description.head
    // A copy has no body, and neither has the question how much of an upload has arrived.
    let hasNone = attempt.headers.contains {
      $0.name.canonicalName.hasSuffix("-copy-source") || $0.name == .contentRange
    }
    guard head.method == .put, attempt.presignature != nil, !attempt.hasBody, !attempt.isOperation, !hasNone,
      attempt.response.map({ $0.status.kind != .successful }) ?? true
    else { return [] }
    let file = head.place.flatMap(lint.written).flatMap(attempt.writtenFile) ?? "file(\"…\")"
    return [
      UploadFinding(
        "missing-body", "nothing is sent: the request has no body",
        evidence: ["a PUT stores its body, and the URL was made for one"],
        advice: "send the file as the whole body: body \(file)")
    ]
  }
}
