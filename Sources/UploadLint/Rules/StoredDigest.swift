internal import HTTPTypes
internal import Requests

/// With its ETag, storage reports which bytes it has: the MD5 of an object that was stored in one piece.
enum StoredDigest: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.isForStorage, let response = attempt.response, response.status.kind == .successful,
      let tag = response.headers[.eTag]?.filter({ $0 != "\"" }).lowercased(), tag.count == 32,
      tag.allSatisfy(\.isHexDigit), attempt.files.count == 1, let file = attempt.files.first,
      lint.identify(file.path) == file.identity, let digest = try? MD5Digest.hex(of: file), digest != tag
    else { return [] }
    return [
      UploadFinding(
        "stored-digest", "storage has different bytes than \"\(file.name)\"",
        evidence: ["its ETag is \(tag), the file's MD5 \(digest)"],
        advice: "send it again; with a Content-MD5 header storage would have refused it")
    ]
  }
}
