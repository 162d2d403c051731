public import Requests
public import UploaderCore

/// The line that moves while a long transfer is under way: `upload  41%  18.2 MB/s  eta 0:14`.
public struct ProgressRenderer: Sendable {
  private let began: Duration

  /// - Parameter began: when the transfer began, on the clock that `line` is told.
  public init(began: Duration) {
    self.began = began
  }

  /// The line; nil while there is nothing worth a look: in the first half second, and when nothing is left to move.
  public func line(_ head: RequestHead, _ progress: TransferProgress, now: Duration) -> String? {
    let elapsed = Double((now - began) / .milliseconds(1)) / 1000
    guard elapsed >= 0.5 else { return nil }
    let isUpload = progress.toSend.map { progress.sent < $0 } ?? false
    let done = isUpload ? progress.sent : progress.received
    let total = isUpload ? progress.toSend : progress.toReceive
    guard done > 0, total != done else { return nil }

    let rate = Double(done) / elapsed
    var parts = [head.label ?? (isUpload ? "upload" : "download")]
    if let total, total > 0 {
      parts.append("\(done * 100 / total)%")
      parts.append("\(Figures.bytes(Int(rate)))/s")
      parts.append("eta \(Self.clock(Double(total - done) / rate))")
    } else {
      parts += [Figures.bytes(done), "\(Figures.bytes(Int(rate)))/s"]
    }
    return parts.joined(separator: "  ")
  }

  private static func clock(_ seconds: Double) -> String {
    let seconds = Int(seconds.rounded(.up))
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}
