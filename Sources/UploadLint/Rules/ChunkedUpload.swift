internal import HTTPTypes
internal import Requests

/// S3 accepts no chunked body without a signature for each chunk.
enum ChunkedUpload: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.isForStorage, let coding = attempt.headers[.transferEncoding], coding.lowercased().contains("chunked")
    else { return [] }
    return [
      UploadFinding(
        "chunked-upload", "the body goes out in chunks, and storage wants its length first",
        evidence: ["Transfer-Encoding: \(coding)"],
        advice: "leave Transfer-Encoding out: the length is announced by itself")
    ]
  }
}
