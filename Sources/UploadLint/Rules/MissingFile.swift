internal import HTTPTypes
internal import Requests

/// A form with a policy and everything else, and no file.
enum MissingFile: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let parts = attempt.parts, attempt.field("policy") != nil, attempt.files.isEmpty,
      !parts.contains(where: { $0.name.lowercased() == "file" || $0.fileName != nil })
    else { return [] }
    return [
      UploadFinding(
        "missing-file", "the form has no file", evidence: ["storage stores the part \"file\", and there is none"],
        advice: "put the file last: \(attempt.form(in: lint))")
    ]
  }
}
