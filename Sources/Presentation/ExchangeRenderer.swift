internal import Crypto
internal import HTTPTypes
internal import JSONValue
public import Requests
public import UploaderCore

/// An exchange as people read it: status line, what was withheld, headers, body.
public struct ExchangeRenderer: Sendable {
  /// How much of a body is shown.
  public struct Limit: Hashable, Sendable {
    /// Bytes.
    public var bytes: Int
    public var lines: Int

    public init(bytes: Int = 256 * 1024, lines: Int = 200) {
      self.bytes = bytes
      self.lines = lines
    }
  }

  public var limit: Limit
  /// Whether it says which command shows all of a body that was cut.
  public var namesCommand = false
  /// Whether the parts of a form are listed with its request.
  public var listsParts = true
  /// Whether it says which credentials were withheld.
  public var namesWithheld = true

  /// In bytes: some screens of one text leave no room for the rest.
  private static let longestLine = 4000

  /// How many more lines than the limit are shown rather than left out.
  private static let fewLines = 5

  public init(limit: Limit = Limit()) {
    self.limit = limit
  }

  /// Where a request went: `GET https://…`
  public func target(of request: SentRequest) -> StyledText {
    StyledText("\(request.method.rawValue) \(request.url)\n", .faint)
  }

  /// `$1 allocate  201 Created  api.example.com  84 ms  612 B  json`, and a line for each attempt that failed,
  /// each redirect and each withheld credential.
  ///
  /// - Parameters:
  ///   - number: nil for a step that is known only by its label: `put[3]  200 OK  …`.
  ///   - isLast: whether no other round follows: it says how many there were.
  public func summary(of exchange: Exchange, number: Int?, isLast: Bool = true) -> StyledText {
    let response = exchange.response
    var text = StyledText(Self.name(of: exchange, number: number), .strong)
    text.append("  ")
    text.append(Self.status(response.status), Self.style(of: response.status))
    text.append("  \(exchange.request.origin.authority)")
    if let round = exchange.description.head.round, round > 1 {
      text.append(isLast ? "  round \(round) of \(round)" : "  round \(round)")
    }
    text.append(
      "  \(NumberFormat.duration(exchange.timings.total))  \(NumberFormat.bytes(response.body.count))", .faint)
    if let kind = Self.kind(of: response) { text.append("  \(kind)", .faint) }
    text.append("\n")
    for note in notes(on: exchange) { text.append("    \(note)\n", .warning) }
    return text
  }

  /// The same for a response that comes bit by bit, when its head is there.
  public func beginning(of streamed: StreamedResponse) -> StyledText {
    let response = streamed.response
    var text = StyledText(Self.name(of: streamed.head, number: streamed.head.number), .strong)
    text.append("  ")
    text.append(Self.status(response.status), Self.style(of: response.status))
    text.append("  \(streamed.request.origin.authority)")
    let type = response.contentType.map { "\(MediaType.essence(of: $0)), " } ?? ""
    text.append("  \(type)as it comes\n", .faint)
    return text
  }

  /// `HTTP/1.1 200 OK`: how a response begins for a program that reads it.
  public func statusLine(of response: Response) -> StyledText {
    StyledText("\(response.version) \(Self.status(response.status))\n")
  }

  /// `    leads to /login`: where a redirect leads that was not followed; nothing for others.
  public func destination(of exchange: Exchange) -> StyledText {
    guard [301, 302, 303, 307, 308].contains(exchange.response.status.code),
      let location = exchange.response.headers[.location]
    else { return StyledText() }
    return StyledText("    leads to \(location)\n", .faint)
  }

  /// `    items.json: 534 bytes`: where a body was saved.
  public func saved(_ response: Response, in path: String) -> StyledText {
    let end = response.cut == nil ? "" : ", what came before it was stopped"
    return StyledText("    \(path): \(NumberFormat.grouped(response.body.count)) bytes\(end)\n", .faint)
  }

  /// A line for a step that was done in an earlier run.
  ///
  /// - Parameter showsToken: whether it says who was signed in then.
  public func recorded(_ exchange: Exchange, number: Int?, showsToken: Bool = false) -> StyledText {
    let status = exchange.response.status
    var text = StyledText(Self.name(of: exchange, number: number), .faint)
    text.append("  \(status.code) \(status.reasonPhrase)  recorded, not sent again\n", .faint)
    if showsToken, let token = exchange.token { text.append("(\(token.sentence))\n", .faint) }
    return text
  }

  /// A line for a step whose response somebody gave.
  public func given(_ exchange: Exchange, number: Int?) -> StyledText {
    var text = StyledText(Self.name(of: exchange, number: number), .strong)
    text.append("  ")
    text.append(Self.status(exchange.response.status), Self.style(of: exchange.response.status))
    text.append("  given, not sent\n", .faint)
    return text
  }

  /// `$1 allocate`, `$2`, `$3 [1]` in a loop, `put[3]`, or the method of a step that has neither label nor number.
  private static func name(of exchange: Exchange, number: Int?) -> String {
    name(of: exchange.description.head, number: number)
  }

  private static func name(of head: RequestHead, number: Int?) -> String {
    let items = head.items.map { "[\($0)]" }.joined()
    let label = head.label.map { $0 + items }
    guard let number else { return label ?? head.method.rawValue + items }
    // Apart: `$3[1]` would be an element of the response.
    let name = label ?? items
    return "$\(number)" + (name.isEmpty ? "" : " \(name)")
  }

  /// Whether there is more to say than what the first line of a response does.
  public func hasNotes(on exchange: Exchange) -> Bool { !notes(on: exchange).isEmpty }

  /// What happened on the way to the response, and what did not.
  private func notes(on exchange: Exchange) -> [String] {
    var notes: [String] = []
    if !exchange.failedAttempts.isEmpty {
      let reasons = exchange.failedAttempts.map(\.reason).joined(separator: ", ")
      notes.append("sent \(exchange.failedAttempts.count + 1) times, before this: \(reasons)")
    }
    for hop in exchange.redirects {
      notes.append("redirected by \(hop.response.status.code) from \(hop.request.url)")
    }
    if exchange.dropsCookies {
      notes.append("the cookies set on the way were not sent on: a profile with cookies on keeps them")
    }
    if exchange.connection.certificate?.isVerified == false {
      notes.append("warning: the certificate was not checked, as the profile says")
    }
    notes += exchange.response.warnings.map { "warning: \($0)" }
    switch exchange.response.cut {
    case .interrupted?: notes.append("incomplete: stopped before its end")
    case .broken(let reason)?: notes.append("incomplete: \(reason)")
    case nil: break
    }
    if let refusal = exchange.refusedRedirect { notes.append("redirect not followed: \(refusal.reason)") }
    if let first = exchange.redirects.first, first.request.origin != exchange.request.origin,
      exchange.request.headers.contains(.authorization)
    {
      notes.append(
        "the redirect was followed with the credential of profile \"\(exchange.profile)\", whose origin it leads to")
    }
    for credential in exchange.withheld where namesWithheld {
      let origins = exchange.redirects.map(\.request.origin) + [exchange.request.origin]
      let others = origins.filter { origin in !credential.origins.contains { $0.matches(origin) } }
      // On the way, if the last one got it.
      notes.append(credential.sentence(from: others.contains(exchange.request.origin) ? nil : others.first))
    }
    return notes
  }

  /// The request as it was actually sent: request line, headers and body; of a multipart one, which is long and mostly
  /// boundaries, the size.
  ///
  /// - Parameters:
  ///   - hasHead: false: without the request line and the headers.
  ///   - hasBody: false: without the body.
  public func request(
    of exchange: Exchange, hasHead: Bool = true, hasBody: Bool = true
  ) -> StyledText {
    var text = hasHead ? Self.head(exchange.request) : StyledText()
    if !hasBody { return text }
    let isMultipart = exchange.request.headers[.contentType]?.lowercased().hasPrefix("multipart/") ?? false
    let isShown = exchange.request.bodySize > 0 && !isMultipart
    let body = isShown ? WireText.body(of: exchange) : StyledText()
    if !body.isEmpty {
      if hasHead { text.append("\n") }
      text.append(body)
      if !text.endsLine { text.append("\n") }
    }
    if hasHead || body.isEmpty { text.append(Self.size(exchange.request)) }
    if listsParts, exchange.request.bodySize > 0, case .multipart(let form) = exchange.description {
      text.append(Self.list(form.parts))
    }
    if let token = exchange.token { text.append("(\(token.sentence))\n", .faint) }
    return text
  }

  /// The redirects on the way to the response: each request, and the status line and the headers that it got.
  public func redirects(of exchange: Exchange) -> StyledText {
    exchange.redirects.reduce(into: StyledText()) { text, hop in
      text.append(request(hop.request))
      text.append("\n")
      text.append(statusLine(of: hop.response))
      text.append(headers(hop.response))
      text.append("\n")
    }
  }

  /// The same without the body: its size.
  public func request(_ request: SentRequest) -> StyledText { Self.head(request) + Self.size(request) }

  private static func head(_ request: SentRequest) -> StyledText {
    StyledText("\(request.method.rawValue) \(request.url)\n", .strong) + headers(request.headers)
  }

  /// The names of the parts, in order; with them the size of a text, and of a file its name, its size and its type.
  private static func list(_ parts: [MultipartPart]) -> StyledText {
    var text = StyledText()
    let shown = parts.prefix(listed)
    let width = min(32, shown.map { $0.name.count }.max() ?? 0)
    for part in shown {
      let name = part.name.replacing("\n", with: " ")
      var details: [String] = []
      if let file = part.fileName { details.append(file) }
      switch part.content {
      case .bytes(let bytes): details.append(NumberFormat.bytes(bytes.count))
      case .file(let file): details.append(NumberFormat.bytes(file.count))
      }
      if let type = part.contentType { details.append(type) }
      text.append("  \(name)" + String(repeating: " ", count: max(0, width - name.count) + 2), .faint)
      text.append("\(details.joined(separator: ", "))\n", .faint)
    }
    if parts.count > listed { text.append("  \(CutText.mark) \(parts.count - listed) more\n", .faint) }
    return text
  }

  /// How many parts of a form are listed.
  private static let listed = 50

  private static func size(_ request: SentRequest) -> StyledText {
    request.bodySize > 0 ? StyledText("(\(NumberFormat.bytes(request.bodySize)) sent)\n", .faint) : StyledText()
  }

  /// Over TLS, the protocol, the address and the certificate; nothing without.
  public func connection(of exchange: Exchange) -> StyledText {
    let connection = exchange.connection
    guard let certificate = connection.certificate else { return StyledText() }
    var text = "\(exchange.response.version)"
    if let address = connection.address { text += " with \(address)" }
    if connection.isReused { text += ", on the connection from before" }
    text += "\ncertificate \(certificate.subject), signed by \(certificate.issuer)"
    if let expires = certificate.expires { text += ", until \(expires)" }
    return StyledText(text + "\n", .faint)
  }

  /// The headers of the response, in the server's order.
  public func headers(of exchange: Exchange) -> StyledText {
    headers(exchange.response)
  }

  /// The same.
  public func headers(_ response: Response) -> StyledText {
    Self.headers(response.headers)
  }

  /// The body of the response: JSON pretty, text as it is, both up to the limit; anything else as type and size.
  public func body(of exchange: Exchange, number: Int?) throws -> StyledText {
    let response = exchange.response
    guard !response.body.isEmpty else { return StyledText() }
    let head = try response.body.bytes(limit: limit.bytes)
    guard Self.isText(head, of: response) else {
      let type = response.contentType ?? "no content type"
      let size = "\(NumberFormat.grouped(response.body.count)) bytes"
      return StyledText("(binary: \(type), \(size), sha256 \(try Self.digest(of: response.body)))\n", .faint)
    }
    let isWhole = head.count == response.body.count
    let text: StyledText
    if response.isJSON {
      let pretty = isWhole ? JSONRenderer.pretty(head) : JSONRenderer.pretty(beginning: head)
      guard let pretty else {
        let name = number.map { "$\($0)" } ?? exchange.label
        var raw = cut(StyledText(decoding: head), isWhole: isWhole, of: response.body.count, name: name)
        let fault = JSONFault(head)
        raw.append("    its type says JSON, but it is not: \(fault.sentence)\n", .warning)
        if let name, let advice = fault.advice(text: "\(name.hasPrefix("$") ? "" : "$")\(name).text") {
          raw.append("    \(advice)\n", .warning)
        }
        return raw
      }
      text = pretty
    } else {
      text = isWhole ? StyledText(decoding: head) : StyledText(CutText.beginning(head))
    }
    return cut(text, isWhole: isWhole, of: response.body.count, name: number.map { "$\($0)" } ?? exchange.label)
  }

  private static func digest(of body: ResponseBody) throws -> String {
    var hash = SHA256()
    try body.forEachChunk { hash.update(data: $0) }
    return hash.finalize().hex
  }

  private func cut(_ text: StyledText, isWhole: Bool, of count: Int, name: String?) -> StyledText {
    let owner = name.map { " of \($0)" } ?? ""
    let command = namesCommand ? name.map { "; :body \($0.hasPrefix("$") ? "" : "$")\($0) shows it" } ?? "" : ""
    let (text, cutCount) = limit.lines == .max ? (text, 0) : text.cuttingLines(after: Self.longestLine)
    var (kept, rest) = text.split(afterLines: limit.lines)
    // To say that a few lines are left out takes one, and somebody has to ask for them.
    if rest <= Self.fewLines, isWhole { (kept, rest) = (text, 0) }
    if !kept.isEmpty, !kept.endsLine { kept.append("\n") }
    if !isWhole {
      kept.append("\(CutText.mark) and more\(owner): \(NumberFormat.bytes(count)) in all\(command)\n", .faint)
    } else if rest > 0 {
      kept.append(
        "\(CutText.mark) \(NumberFormat.grouped(rest)) \(rest == 1 ? "line" : "lines") more\(owner), \(NumberFormat.bytes(count)) in all\(command)\n",
        .faint)
    } else if cutCount > 0 {
      let cut = cutCount == 1 ? "a line\(owner) is cut" : "\(NumberFormat.grouped(cutCount)) lines\(owner) are cut"
      kept.append("\(CutText.mark) \(cut), \(NumberFormat.bytes(count)) in all\(command)\n", .faint)
    }
    return kept
  }

  /// `201 Created`; without the phrase if there is none.
  static func status(_ status: HTTPResponse.Status) -> String {
    status.reasonPhrase.isEmpty ? "\(status.code)" : "\(status.code) \(status.reasonPhrase)"
  }

  private static func headers(_ fields: HTTPFields) -> StyledText {
    var text = StyledText()
    for field in fields { text.append("\(field.name.rawName): \(field.value)\n", .faint) }
    return text
  }

  private static func style(of status: HTTPResponse.Status) -> StyledText.Style {
    switch status.kind {
    case .informational, .successful: .success
    case .redirection: .redirection
    case .clientError, .serverError, .invalid: .failure
    }
  }

  /// A short word for the content type: `json`, `html`, `png`.
  private static func kind(of response: Response) -> String? {
    guard !response.body.isEmpty, let type = response.contentType else { return nil }
    if response.isJSON { return "json" }
    return MediaType.essence(of: type).split(separator: "/").last.map(String.init)
  }

  /// Whether people can read the bytes: they are declared to be text, or they look like it.
  private static func isText(_ head: [UInt8], of response: Response) -> Bool {
    if head.contains(0) { return false }
    if let type = response.contentType, MediaType.isText(type) { return true }
    // A character may be cut in two at the end of what was read.
    return String(validating: head, as: UTF8.self) != nil
      || (head.count > 4 && (1...3).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil })
  }
}

extension StyledText {
  fileprivate init(decoding bytes: [UInt8]) {
    self.init(String(decoding: bytes, as: UTF8.self))
  }
}
