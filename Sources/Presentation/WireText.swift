internal import HTTPTypes
package import Requests

/// Requests as they were sent, and what came back: request line, headers, body; files by name.
package enum WireText {
  /// How much of the body is shown, in bytes.
  private static let limit = 64 << 10

  /// Each request with the head of its response, redirects first: everything but the bodies of the responses.
  package static func texts(of exchange: Exchange) -> [StyledText] {
    exchange.hops.flatMap { [request($0, of: exchange), head(of: $0.response)] }
  }

  private static func request(_ hop: RedirectHop, of exchange: Exchange) -> StyledText {
    let sent = hop.request
    let path = sent.url.firstRange(of: "://").map { sent.url[$0.upperBound...].drop { $0 != "/" } } ?? sent.url[...]
    let method = sent.method.rawValue
    var text = StyledText("\(method) \(path.isEmpty ? "/" : path) \(hop.response.version)\n", .strong)
    for field in sent.headers { text.append("\(field.name.rawName): \(field.value)\n", .faint) }
    text.append("\n")
    text.append(body(sent.body(of: exchange.description)))
    if !text.endsLine { text.append("\n") }
    text.append("\n")
    return text
  }

  private static func head(of response: Response) -> StyledText {
    var text = StyledText("\(response.version) \(response.status)\n", .strong)
    text.append(ExchangeRenderer().headers(response))
    text.append("\n")
    return text
  }

  /// The body that was sent last.
  static func body(of exchange: Exchange) -> StyledText { body(exchange.request.body(of: exchange.description)) }

  /// Text as it is, up to the limit; anything else as its size, and files by name.
  private static func body(_ segments: [BodySegment]?) -> StyledText {
    var text = StyledText()
    for segment in segments ?? [] {
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
}
