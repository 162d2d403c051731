internal import Presentation
internal import Requests

/// How many steps there were, and what became of them: the last line of a run.
struct StepTally {
  private let beginning: Duration
  private var steps = 0
  private var recorded = 0
  private var skipped = 0
  private var failed = 0

  /// - Parameter beginning: when the run began.
  init(since beginning: Duration) {
    self.beginning = beginning
  }

  /// - Parameter isRecorded: whether its response is from an earlier run.
  mutating func count(_ record: StepRecord, isRecorded: Bool) {
    switch record {
    case .exchange: steps += 1
    case .failed:
      steps += 1
      failed += 1
    case .skipped: skipped += 1
    case .round, .group: return
    }
    if isRecorded { recorded += 1 }
  }

  /// `12 steps, 1 failed, in 3.4 s`; nil: there was none.
  func sentence(at end: Duration) -> String? {
    guard steps + skipped > 0 else { return nil }
    var parts = ["\(NumberFormat.grouped(steps)) step\(steps == 1 ? "" : "s")"]
    if recorded > 0 { parts.append("\(NumberFormat.grouped(recorded)) recorded before") }
    if skipped > 0 { parts.append("\(NumberFormat.grouped(skipped)) skipped") }
    if failed > 0 { parts.append("\(NumberFormat.grouped(failed)) failed") }
    let text = parts.joined(separator: ", ")
    return "\(text)\(parts.count > 1 ? "," : "") in \(NumberFormat.duration(end - beginning))"
  }
}
