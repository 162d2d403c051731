internal import HTTPTypes
internal import Requests

/// Storage refused the size: `EntityTooLarge`, `EntityTooSmall`.
enum SizeRefused: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let error = attempt.storageError, error.code == "EntityTooLarge" || error.code == "EntityTooSmall",
      !PolicyConditions.refusesSize(of: attempt)
    else { return [] }
    let isLarge = error.code == "EntityTooLarge"
    let limit = error[isLarge ? "MaxSizeAllowed" : "MinSizeAllowed"] ?? error[isLarge ? "MaxSize" : "MinSize"]
    let sent = error["ProposedSize"]
    let what = isLarge ? "more" : "fewer"
    return [
      UploadFinding(
        "size-refused",
        "the file has \(what) bytes than are allowed"
          + (limit.map { ": \(isLarge ? "at most" : "at least") \(Int($0)?.grouped ?? $0)" } ?? ""),
        evidence: [sent.map { "\(Int($0)?.grouped ?? $0) were sent" }, "\(error.code): \(error.message)"].compactMap(
          \.self),
        advice: isLarge
          ? "send a smaller file, or have more allowed; a large file goes in pieces, as a multipart upload"
          : "send a larger file, or have less allowed; of a multipart upload only the last piece may be small"
      )
    ]
  }
}
