internal import HTTPTypes
package import Requests

/// Where the time of exchanges went, as a bar chart.
package struct TimingChart {
  /// The width of the bars, in columns.
  private static let width = 40

  /// The phases of one exchange, each at its place in time.
  package static func phases(of exchange: Exchange) -> StyledText {
    let timings = exchange.timings
    let ends = [
      ("dns", timings.dns), ("connect", timings.connect), ("tls", timings.tls), ("send", timings.sent),
      ("wait", timings.firstByte), ("receive", timings.total),
    ]
    var text = StyledText()
    var start = Duration.zero
    for (name, end) in ends where end > start {
      text.append(padded(name, 9))
      text.append(bar(from: start, to: end, of: timings.total), .success)
      text.append("  \(NumberFormat.duration(end - start))\n")
      start = end
    }
    text.append(padded("total", 9) + String(repeating: " ", count: width) + "  ")
    text.append("\(NumberFormat.duration(timings.total))\n", .strong)
    return text
  }

  /// One line per exchange, on one time scale.
  ///
  /// - Parameter first: the number of the first.
  package static func overview(_ exchanges: some Collection<Exchange>, first: Int) -> StyledText {
    let longest = exchanges.map(\.timings.total).max() ?? .zero
    var text = StyledText()
    let rows = exchanges.enumerated().map { index, exchange in
      let name = exchange.label ?? "\(exchange.request.method.rawValue) \(path(of: exchange.request.url))"
      return (
        title: "$\(first + index) \(exchange.response.status.code) \(CutText.cut(name, to: 24))", exchange: exchange
      )
    }
    let titles = rows.map(\.title.count).max() ?? 0
    for row in rows {
      let timings = row.exchange.timings
      text.append(padded(row.title, titles + 2))
      text.append(bar(from: .zero, to: timings.firstByte, of: longest).trimmedEnd, .faint)
      text.append(piece(from: timings.firstByte, to: timings.total, of: longest), .success)
      let used = max(1, columns(timings.total, of: longest))
      text.append(String(repeating: " ", count: max(0, width - used)))
      text.append("  \(NumberFormat.duration(timings.total))\n")
    }
    return text
  }

  private static func columns(_ time: Duration, of total: Duration) -> Int {
    total > .zero ? max(0, min(width, Int((time / total * Double(width)).rounded()))) : 0
  }

  /// A bar at its place on a line; one too short to be seen gets one column.
  private static func bar(from start: Duration, to end: Duration, of total: Duration) -> String {
    let first = min(columns(start, of: total), width - 1)
    let length = max(1, columns(end, of: total) - first)
    return String(repeating: " ", count: first) + String(repeating: "█", count: length)
      + String(repeating: " ", count: max(0, width - first - length))
  }

  private static func piece(from start: Duration, to end: Duration, of total: Duration) -> String {
    String(repeating: "█", count: max(0, columns(end, of: total) - max(1, columns(start, of: total))))
  }

  private static func path(of url: String) -> String {
    let address = url.prefix { $0 != "?" && $0 != "#" }
    return address.firstRange(of: "://").map { String(address[$0.upperBound...].drop { $0 != "/" }) } ?? url
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
