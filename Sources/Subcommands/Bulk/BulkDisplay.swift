internal import Formats
internal import Presentation
internal import RunStore
internal import Sessions
internal import Synchronization

/// What people see of a run over rows: what failed, how far it is, and the figures at its end.
final class BulkDisplay: Sendable {
  private struct State {
    var counts: [RowOutcome.State: Int] = [:]
    /// Those of earlier runs among them.
    var earlier = 0
    var failures = 0
    var times = RowTimes()
    var began: Duration
    /// Whether there are rows, or could be.
    var hasBegun = false
    var size: Int?
    var read = 0
    var errors: ErrorPrinter
  }

  private static let shownFailures = 20

  private let printer: Printer
  private let amount: ReportAmount
  private let failedFile: String?
  private let now: @Sendable () -> Duration
  private let line: ProgressLine
  private let state: Mutex<State>

  init(_ printer: Printer, _ amount: ReportAmount, failedFile: String?, now: @escaping @Sendable () -> Duration) {
    self.printer = printer
    self.amount = amount
    self.failedFile = failedFile
    self.now = now
    let output = printer.errorOutput
    line = ProgressLine(output: amount == .quiet && !output.isTerminal ? .nowhere : output, now: now)
    state = Mutex(State(began: now(), errors: ErrorPrinter(printer)))
  }

  func on(_ event: BulkEvent) {
    switch event {
    case .run(let event): on(event)
    case .began(_, _, _, _, let size):
      state.withLock { state in
        state.began = now()
        state.hasBegun = true
        state.size = size
      }
    case .read(let read): state.withLock { $0.read = read }
    case .step: break
    case .row(let row, let outcome, let code): note(row, outcome, isEarlier: code == nil)
    }
  }

  private func on(_ event: RunEvent) {
    switch event {
    case .read, .checked, .refused, .recording:
      line.clear()
      state.withLock { $0.errors.on(event) }
    // Of a row it is not reported here: this is why no more of them begin.
    case .failed(let error):
      line.clear()
      state.withLock { $0.errors.print(error) }
    case .learned(let secrets): printer.warn(ofShortOnesIn: secrets)
    case .recorded, .upload, .stream, .stopped, .ended, .queue, .wrote: break
    }
  }

  private func note(_ row: BulkRow, _ outcome: RowOutcome, isEarlier: Bool) {
    let isShown = state.withLock { state in
      state.counts[outcome.state, default: 0] += 1
      if isEarlier { state.earlier += 1 }
      if !isEarlier, outcome.state != .skipped { state.times.note(outcome.time) }
      switch outcome.state {
      case .done, .skipped: return false
      case .begun, .failed, .partial, .unknown: break
      }
      guard !isEarlier else { return false }
      state.failures += 1
      return amount == .verbose || state.failures <= Self.shownFailures
    }
    if isShown {
      line.clear()
      var text = StyledText("row \(row.number)", .strong)
      text.append(" (line \(row.line))", .faint)
      text.append(outcome.state == .failed ? "  failed" : "  \(outcome.state.sentence)", .failure)
      text.append("  \(outcome.failure ?? "")\n")
      printer.error(text)
    }
    line.show { now in progress(now) }
  }

  private func progress(_ now: Duration) -> String? {
    state.withLock { state in
      let done = state.counts.values.reduce(0, +)
      var words = ["\(NumberFormat.grouped(done)) rows"]
      let failed = done - state.counts[.done, default: 0] - state.counts[.skipped, default: 0]
      if failed > 0 { words.append("\(NumberFormat.grouped(failed)) not done") }
      let seconds = max(0, (now - state.began) / .seconds(1))
      if seconds >= 1 {
        let rate = Double(done - state.earlier) / seconds
        words.append("\(NumberFormat.grouped(Int(rate)))/s")
        if let size = state.size, size > 0, state.read > 0 {
          let part = Double(state.read) / Double(size)
          words.append("\(Int(part * 100))%")
          words.append("\(RunProgress.clock(seconds / part * (1 - part))) left")
        }
      }
      return words.joined(separator: "  ")
    }
  }

  /// The figures, and what can be done about what is left.
  func end(_ end: BulkEnd, resume: String?, output: World.Output) {
    line.clear()
    state.withLock { state in
      let total = state.counts.values.reduce(0, +)
      guard total > 0 || end.isIncomplete else {
        if state.hasBegun, amount != .quiet { output.write("no rows\n") }
        return
      }
      if state.failures > Self.shownFailures, amount != .verbose {
        state.errors.note("… and \(NumberFormat.grouped(state.failures - Self.shownFailures)) more rows like these")
      }
      if amount != .quiet {
        output.write(summary(state, end).rendered(isColored: output.isColored))
      }
      let left = state.counts[.failed, default: 0] + (end.isIncomplete ? 1 : 0)
      if end.isIncomplete, let resume { state.errors.note("continue with: \(resume)") }
      if !end.isIncomplete, left > 0, let resume {
        state.errors.note("run the failed rows again with: \(resume) --retry-failed")
      }
      let open = state.counts[.unknown, default: 0] + state.counts[.partial, default: 0]
      if open > 0 {
        state.errors.note(
          "\(NumberFormat.grouped(open)) \(open == 1 ? "row is" : "rows are") not run again: "
            + "what must not happen twice may have happened")
      }
    }
  }

  private func summary(_ state: State, _ end: BulkEnd) -> StyledText {
    let total = state.counts.values.reduce(0, +)
    var text = StyledText()
    text.append("\(NumberFormat.grouped(total)) \(total == 1 ? "row" : "rows"): ")
    var parts: [(String, StyledText.Style)] = []
    for kind in [RowOutcome.State.done, .skipped, .failed, .partial, .unknown] {
      guard let count = state.counts[kind], count > 0 else { continue }
      let style: StyledText.Style =
        switch kind {
        case .done: .success
        case .skipped: .plain
        case .failed, .partial, .unknown, .begun: .failure
        }
      parts.append(("\(NumberFormat.grouped(count)) \(kind.sentence)", style))
    }
    if state.earlier > 0 { parts.append(("\(NumberFormat.grouped(state.earlier)) of them before", .faint)) }
    if parts.isEmpty { parts.append(("none begun", .plain)) }
    for (index, part) in parts.enumerated() {
      if index > 0 { text.append(", ") }
      text.append(part.0, part.1)
    }
    let time = now() - state.began
    let seconds = time / .seconds(1)
    if seconds > 0, total > state.earlier {
      text.append("; \(NumberFormat.grouped(Int((Double(total - state.earlier) / seconds).rounded())))/s")
    }
    text.append("; \(NumberFormat.duration(time))\n")
    if !state.times.isEmpty {
      let shown = [50.0, 90, 99].map { "p\(Int($0)) \(NumberFormat.duration(state.times.percentile($0)))" }
      text.append("a row: \(shown.joined(separator: ", "))\n", .faint)
    }
    return text
  }
}

extension RowOutcome.State {
  /// For people.
  var sentence: String {
    switch self {
    case .begun, .unknown: "unknown"
    case .done: "done"
    case .failed: "failed"
    case .partial: "done in part"
    case .skipped: "skipped"
    }
  }
}
