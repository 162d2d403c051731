internal import JSONValue
internal import Requests

/// Which value of which response went into which request, drawn: a row for each request that gave or took one, and a
/// curve from one to the other. A lock stands for a credential, with the origin that it belongs to.
///
/// Colors are attributes, which no policy forbids, and texts have the color of the page.
struct PageGraph {
  /// A request with what went into it.
  struct Node {
    var name: String
    var anchor: String
    var mark: String
    var isFailed: Bool
    /// `https://a.test`, if a credential went there.
    var lock: String?
    var withheld: [String]
    var flows: [(from: Int, text: String)]
  }

  /// How many rows are drawn of a file.
  static let mostRows = 120

  private static let rowHeight = 26
  private static let left = 90
  private static let width = 900

  /// - Parameters:
  ///   - nodes: all requests of a file, in order; those without a flow or a lock are left out.
  ///   - append: appends a text that is not ours.
  static func append(_ nodes: [Node], to bytes: inout [UInt8], text append: (String, inout [UInt8]) -> Void) {
    let givers = Set(nodes.flatMap { $0.flows.map(\.from) })
    let flowCount = nodes.reduce(0) { $0 + $1.flows.count }
    guard flowCount > 0 else { return }
    var drawn = nodes.indices.filter { givers.contains($0) || !nodes[$0].flows.isEmpty || nodes[$0].lock != nil }
    let left = drawn.count - mostRows
    if left > 0 { drawn = Array(drawn.prefix(mostRows)) }
    let rows = Dictionary(uniqueKeysWithValues: drawn.enumerated().map { ($1, $0) })
    bytes.append(
      "<details class=\"flow\"><summary><span class=\"mark\">⇢</span> <span class=\"name\">Where values went</span> "
        + "<span class=\"quiet\">\(flowCount) \(flowCount == 1 ? "value" : "values")</span></summary>\n"
        + "<div class=\"scroll\"><svg viewBox=\"0 0 \(width) \(drawn.count * rowHeight + 8)\" width=\"\(width)\" height=\""
        + "\(drawn.count * rowHeight + 8)\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"currentColor\">\n"
    )
    for index in drawn {
      guard let row = rows[index] else { continue }
      let node = nodes[index]
      for flow in node.flows {
        if let from = rows[flow.from] { bytes.append(curve(from: from, to: row, isFailed: node.isFailed)) }
      }
      let y = row * rowHeight + 18
      bytes.append("<a href=\"#\(node.anchor)\"><text x=\"\(Self.left)\" y=\"\(y)\"")
      bytes.append(node.isFailed ? " fill=\"#d1453b\" font-weight=\"bold\">" : ">")
      bytes.append("\(node.mark) ")
      append(String(node.name.prefix(28)), &bytes)
      bytes.append("</text></a>")
      var words = node.flows.prefix(3).map(\.text)
      if node.flows.count > 3 { words.append("…") }
      appendText(CutText.cut(words.joined(separator: ", "), to: 60), x: 290, y: y, to: &bytes, append)
      if let lock = node.lock {
        bytes.append(padlock(x: 664, y: y - 11))
        appendText(CutText.cut(lock, to: 34), x: 680, y: y, to: &bytes, append)
      }
      bytes.append("\n")
    }
    bytes.append("</svg></div>\n")
    if left > 0 { bytes.append("<p class=\"quiet\">and \(left) more requests</p>\n") }
    bytes.append("</details>\n")
  }

  /// From the row of the response to that of the request; the farther, the wider.
  private static func curve(from: Int, to row: Int, isFailed: Bool) -> String {
    let (start, end) = (from * rowHeight + 14, row * rowHeight + 14)
    let reach = left - 12 - min(left - 20, 16 + (row - from) * 9)
    let color = isFailed ? "#d1453b" : "#5b8def"
    let x = left - 8
    return
      "<path d=\"M\(x) \(start) C\(reach) \(start) \(reach) \(end) \(x) \(end)\" fill=\"none\" stroke=\"\(color)\" "
      + "stroke-width=\"1.5\"/><path d=\"M\(x) \(end)l-6 -3.5v7z\" fill=\"\(color)\"/>\n"
  }

  private static func appendText(
    _ text: String, x: Int, y: Int, to bytes: inout [UInt8], _ append: (String, inout [UInt8]) -> Void
  ) {
    bytes.append("<text x=\"\(x)\" y=\"\(y)\" opacity=\"0.8\" font-size=\"12\">")
    append(text, &bytes)
    bytes.append("</text>")
  }

  private static func padlock(x: Int, y: Int) -> String {
    "<path d=\"M\(x + 2) \(y + 5)v-2a3 3 0 0 1 6 0v2\" fill=\"none\" stroke=\"#b7791f\" stroke-width=\"1.5\"/>"
      + "<rect x=\"\(x)\" y=\"\(y + 5)\" width=\"10\" height=\"7\" rx=\"1\" fill=\"#b7791f\"/>"
  }
}
