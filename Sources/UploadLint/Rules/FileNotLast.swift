internal import HTTPTypes
internal import Requests

/// S3 ignores whatever comes after the file, and then reports it as missing.
enum FileNotLast: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.isForStorage || attempt.field("key") != nil, let parts = attempt.parts,
      // Of several, none can be last but one: that they are several is what is wrong.
      parts.count(where: { $0.name.lowercased() == "file" }) == 1,
      let file = parts.firstIndex(where: { $0.name.lowercased() == "file" }), file < parts.count - 1
    else { return [] }
    let late = parts[(file + 1)...].map { "\"\($0.name)\"" }
    return [
      UploadFinding(
        "file-not-last", "the file is not the last part of the form",
        evidence: ["after it: \(late.prefix(8).joined(separator: ", "))\(late.count > 8 ? ", …" : "")"],
        advice: "put the file last: \(attempt.form(in: lint))")
    ]
  }
}
