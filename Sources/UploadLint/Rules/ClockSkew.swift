internal import HTTPTypes
internal import Requests

/// The server's clock and the local one differ by more than the transfer takes.
enum ClockSkew: UploadRule {
  /// Responses give whole seconds, and take some time.
  private static let tolerance: Duration = .seconds(60)

  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    if let error = attempt.storageError, error.code == "RequestTimeTooSkewed" { return [refused(error, attempt)] }
    guard let date = attempt.response?.headers[.date], let theirs = DateText.http(date), let ours = attempt.answered
    else { return [] }
    let skew = theirs.subtracting(ours)
    guard skew > tolerance || skew < .zero - tolerance - (ours - attempt.time) else { return [] }
    // To the minute: the seconds are those of the transfer.
    let shown = Duration.seconds(60).multiplied(by: Int((skew.inSeconds / 60).rounded()))
    return [
      UploadFinding(
        "clock-skew", "its clock is \(shown.span) \(skew > .zero ? "ahead of" : "behind") this machine's",
        evidence: ["Date: \(date)"],
        advice: "set this machine's clock if it is the wrong one; else ask for a longer lifetime")
    ]
  }

  /// What storage itself says about it.
  private static func refused(_ error: StorageError, _ attempt: UploadAttempt) -> UploadFinding {
    let theirs = error["ServerTime"] ?? attempt.response?.headers[.date]
    let ours = error["RequestTime"]
    let allowed = error["MaxAllowedSkewMilliseconds"].flatMap { Int($0) }.map { Duration.milliseconds($0).span }
    return UploadFinding(
      "clock-skew",
      "the request is signed for another time than storage's" + (allowed.map { ", by more than \($0)" } ?? ""),
      evidence: [ours.map { "signed: \($0)" }, theirs.map { "storage's clock: \($0)" }].compactMap(\.self),
      advice: "set the clock of the machine that signed it; or it was signed long ago: sign it again")
  }
}
