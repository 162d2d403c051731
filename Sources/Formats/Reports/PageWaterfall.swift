internal import JSONValue
internal import Presentation

/// When a step was under way in its file, and with what: a bar with a piece for each phase, and before it one for each
/// time that it was sent before: in earlier rounds, before a redirect, before it was sent again.
struct PageWaterfall {
  /// The milliseconds from the beginning to the end of the file.
  let span: Double

  init(_ steps: [ReportLine]) {
    span = max(1, steps.map { Self.end(of: $0) }.max() ?? 1)
  }

  /// When the request was sent that the times are of: after a redirect, that is the last one.
  private static func begin(of step: ReportLine) -> Double? {
    step["sendings"]?.array?.last?.double ?? step["at"]?.double
  }

  private static func end(of step: ReportLine) -> Double { (begin(of: step) ?? 0) + step.milliseconds }

  /// Colors are attributes, which no policy forbids.
  func append(_ step: ReportLine, to bytes: inout [UInt8]) {
    guard let begin = Self.begin(of: step) else { return }
    bytes.append(
      "<svg viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" width=\"100%\" height=\"10\" role=\"img\"><title>")
    let timings = step["timings"]
    var title = "from \(Self.time(begin))"
    var bars: [UInt8] = []
    let earlier = (step["sendings"]?.array ?? []).compactMap(\.double)
    for (start, end) in zip(earlier, earlier.dropFirst()) {
      appendBar(from: start, to: end, color: "#c9b458", Self.thin, to: &bars)
      // One may follow another at once: each begins with a mark.
      appendBar(from: start, to: start + span / 350, color: "#93802a", to: &bars)
    }
    if earlier.count > 1 { title += ", sent \(earlier.count) times" }
    var from = 0.0
    for phase in Self.phases {
      guard let end = timings?[phase.name]?.double, end > from else { continue }
      title += phase.word
      title += Self.time(end - from)
      appendBar(from: begin + from, to: begin + end, color: phase.color, to: &bars)
      from = end
    }
    if from == 0 { appendBar(from: begin, to: Self.end(of: step), color: "#5b8def", to: &bars) }
    bytes.append(title)
    bytes.append("</title>")
    bytes += bars
    bytes.append("</svg>")
  }

  static let phases: [(name: String, word: String, color: String)] = [
    ("dns", ", DNS ", "#8e6bbf"), ("connect", ", connecting ", "#d9822b"), ("tls", ", TLS ", "#c2528b"),
    ("sent", ", sending ", "#4c9f70"), ("first-byte", ", waiting ", "#9aa5b1"), ("total", ", receiving ", "#5b8def"),
  ]

  private static let thick = " y=\"1\" height=\"8\""
  private static let thin = " y=\"3\" height=\"4\""

  private func appendBar(
    from: Double, to end: Double, color: String, _ height: String = thick, to bytes: inout [UInt8]
  ) {
    let (left, right) = (Int(max(0, from) / span * 1_000), Int((end / span * 1_000).rounded(.up)))
    bytes.append("<rect x=\"")
    bytes.append(decimal: left)
    bytes.append("\" width=\"")
    bytes.append(decimal: Swift.max(1, right - left))
    bytes.append("\"")
    bytes.append(height)
    bytes.append(" fill=\"")
    bytes.append(color)
    bytes.append("\"/>")
  }

  static func time(_ milliseconds: Double) -> String {
    NumberFormat.duration(.microseconds(Int(max(0, min(milliseconds, 1e12)) * 1_000)))
  }
}
