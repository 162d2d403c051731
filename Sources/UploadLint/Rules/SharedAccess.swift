internal import HTTPTypes
internal import Requests

/// What Azure wants beside a shared access signature, and what that permits.
///
/// Source: "Put Blob" and "Create a service SAS", Azure Storage.
enum SharedAccess: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let signature = attempt.presignature, signature.scheme == .sharedAccess,
      attempt.description.head.method == .put
    else { return [] }
    var findings: [UploadFinding] = []
    if let permissions = signature.permissions, !permissions.contains(where: { "wca".contains($0) }) {
      findings.append(
        UploadFinding(
          "shared-access", "the signature does not permit writing", evidence: ["sp=\(permissions), without c or w"],
          advice: "have it signed with sp=cw: go back to \(attempt.allocator(in: lint))"))
    }
    let type = HTTPField.Name("x-ms-blob-type").flatMap { attempt.headers[$0] }
    let isPart = attempt.url.lowercased().contains("comp=")
    if type == nil, !isPart {
      findings.append(
        UploadFinding(
          "shared-access", "the header x-ms-blob-type is missing", evidence: ["Azure stores nothing without it"],
          advice: "header x-ms-blob-type: BlockBlob"))
    }
    return findings
  }
}
