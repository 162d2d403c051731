internal import HTTPTypes
internal import Requests

/// S3 accepts no chunked body without a signature for each chunk.
enum ChunkedUpload: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.isForStorage, let coding = attempt.headers[.transferEncoding], coding.lowercased().contains("chunked")
    else { return [] }
    return [
      UploadFinding(
        "chunked-upload", "the body is sent in chunks, and storage requires its length first",
        evidence: ["Transfer-Encoding: \(coding)"],
        advice: "leave Transfer-Encoding out: the length is sent automatically")
    ]
  }
}
