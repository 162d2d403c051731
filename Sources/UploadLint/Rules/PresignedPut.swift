internal import HTTPTypes
internal import Requests

/// A presigned URL without a form: storage takes the bare file, with PUT, and would store a form as it is.
enum PresignedPut: UploadRule {
  /// What is done to an object, or a part of one, with POST.
  private static let operations: Set<String> = ["uploads", "uploadid", "delete", "restore", "select", "comp"]

  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let signature = attempt.presignature, attempt.field("policy") == nil, attempt.hasBody, !attempt.isOperation,
      !signature.signedHeaders.contains("x-goog-resumable")
    else { return [] }
    let head = attempt.description.head
    let written = head.place.flatMap(lint.written)
    let file =
      written.flatMap(attempt.writtenFile) ?? attempt.files.first.map { "file(\"\($0.name)\")" } ?? "file(\"…\")"
    let isForm = attempt.parts != nil
    // A success says that another method was signed.
    let isRefused = attempt.response.map { $0.status.kind != .successful } ?? true
    let isPost = head.method == .post && isRefused
    guard isForm || isPost else { return [] }
    var evidence: [String] = []
    if isForm { evidence.append("the parts of a form would be stored together, boundaries and all") }
    if isPost { evidence.append("an object is stored with PUT; the fields of a POST have a policy, and there is none") }
    return [
      UploadFinding(
        "presigned-put",
        "a presigned URL takes the bare file with PUT, and this is "
          + (isForm ? "a form" : "a POST") + (isForm && isPost ? " and a POST" : ""),
        evidence: evidence, advice: "PUT the file as the whole body: body \(file)")
    ]
  }

  fileprivate static func isOperation(_ name: some StringProtocol) -> Bool { operations.contains(name.lowercased()) }
}

extension UploadAttempt {
  /// Whether the query says that something else is done than to store an object.
  var isOperation: Bool {
    URLQuery.items(of: url).contains { PresignedPut.isOperation($0.name) }
  }
}
