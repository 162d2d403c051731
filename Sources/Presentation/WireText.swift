internal import HTTPTypes
package import Requests

/// A request as it was sent: request line, headers, body; files by name.
package enum WireText {
  /// How much of the body is shown, in bytes.
  private static let limit = 64 << 10

  package static func text(of exchange: Exchange) -> StyledText {
    let sent = exchange.request
    let path = sent.url.firstRange(of: "://").map { sent.url[$0.upperBound...].drop { $0 != "/" } } ?? sent.url[...]
    let version = exchange.response.version
    var text = StyledText("\(sent.method.rawValue) \(path.isEmpty ? "/" : path) \(version)\n", .strong)
    for field in sent.headers { text.append("\(field.name.rawName): \(field.value)\n", .faint) }
    text.append("\n")
    text.append(body(of: exchange))
    if !text.endsLine { text.append("\n") }
    text.append("\n")
    return text
  }

  /// The body that was sent: text as it is, up to the limit; anything else as its size, and files by name.
  static func body(of exchange: Exchange) -> StyledText {
    var text = StyledText()
    let boundary = boundary(in: exchange.request.headers[.contentType] ?? "")
    for segment in exchange.description.bodySegments(boundary: boundary) ?? [] {
      switch segment {
      case .bytes(let bytes):
        let isWhole = bytes.count <= limit
        guard !bytes.contains(0), !isWhole || String(validating: bytes, as: UTF8.self) != nil else {
          text.append("(binary: \(NumberFormat.bytes(bytes.count)))", .faint)
          continue
        }
        let shown = isWhole ? String(decoding: bytes, as: UTF8.self) : CutText.beginning(bytes.prefix(limit))
        text.append(shown.replacing("\r\n", with: "\n"))
        if !isWhole { text.append("\n\(CutText.mark) \(NumberFormat.bytes(bytes.count)) in all", .faint) }
      case .file(let file): text.append("(\(RequestExplanation.text(of: file)))", .faint)
      }
    }
    return text
  }

  private static func boundary(in contentType: String) -> String {
    contentType.firstRange(of: "boundary=").map { String(contentType[$0.upperBound...]) } ?? "-"
  }
}
