internal import HTTPTypes
internal import JSONValue
internal import LineEditing
internal import Presentation
internal import RequestSyntax
internal import Requests

/// What comes after `$`.
extension PromptCompleter {
  /// Beyond this many candidates nobody looks at the previews.
  private static let previewed = 200
  /// Beyond this many items, an index has to be typed.
  private static let indices = 1_000

  /// The members of the value that a reference leads to, if they begin with the word: a dot or a bracket and a name.
  func members(of root: String, _ segments: [SegmentSyntax], _ word: Substring) -> [Candidate] {
    let listed: [Candidate]
    switch resolve(root, segments) {
    case .value(let document, let path)?: return children(of: document, path, word)
    case .listed(let candidates)?: listed = candidates
    case nil: return []
    }
    // Header names are case-insensitive.
    return listed.filter { $0.text.lowercased().hasPrefix(word.lowercased()) }
  }

  var roots: [Candidate] {
    var roots: [Candidate] = []
    var labels: [String: String] = [:]
    for (index, exchange) in exchanges.enumerated() {
      let summary = summary(of: exchange)
      roots.append(Candidate("\(index + 1)", preview: summary, terminator: "."))
      if let label = exchange.label { labels[label] = summary }
    }
    for (label, summary) in labels.sorted(by: { $0.key < $1.key }) {
      if let numbers = responses[label] {
        roots.append(Candidate(label, preview: "an array of \(numbers.count) responses", terminator: "["))
        continue
      }
      roots.append(Candidate(label, preview: summary, terminator: "."))
    }
    for name in names where labels[name] == nil { roots.append(Candidate(name, preview: "a name of yours")) }
    if !exchanges.isEmpty { roots.append(Candidate("_", preview: "the last response", terminator: ".")) }
    roots.append(Candidate("env", preview: "the environment", terminator: "."))
    return roots
  }

  // MARK: What there is

  private enum Place {
    case value(JSONDocument, JSONPath)
    case listed([Candidate])
  }

  /// What the complete segments lead to.
  private func resolve(_ root: String, _ segments: [SegmentSyntax]) -> Place? {
    if root == "env", segments.isEmpty { return .listed(environment.sorted().map { Candidate(".\($0)") }) }
    if let numbers = responses[root] {
      guard let first = segments.first else { return .listed(items(numbers)) }
      guard case .index(let index)? = first.selected, numbers.indices.contains(index) else { return nil }
      return resolve("\(numbers[index])", Array(segments.dropFirst()))
    }
    let index: Int? =
      switch root {
      case "_": exchanges.indices.last
      default: Int(root).map { $0 &- 1 } ?? (responses[root] == nil ? exchanges.lastIndex { $0.label == root } : nil)
      }
    let steps = segments.compactMap(\.selected)
    guard let index, exchanges.indices.contains(index), steps.count == segments.count else { return nil }
    let exchange = exchanges[index]
    let isLabel = exchange.label == root
    switch steps.first {
    case nil: return .listed(members(of: exchange) + (isLabel ? rounds(endingAt: index) : []))
    case .name("rounds")? where isLabel:
      let numbers = roundNumbers(endingAt: index)
      guard segments.count > 1 else { return .listed(items(numbers)) }
      guard case .index(let item) = steps[1] else { return nil }
      let place = item < 0 ? numbers.count + item : item
      guard numbers.indices.contains(place) else { return nil }
      return resolve("\(numbers[place])", Array(segments.dropFirst(2)))
    case .name("body")?:
      let path = JSONPath(steps.dropFirst().map { .child([$0]) })
      return bodies.document(of: exchange, at: index).map { .value($0, path) }
    default: break
    }
    switch steps {
    case [.name("headers")], [.name("header-lines")]: return .listed(headers(exchange.response.headers))
    case [.name("set-cookie")], [.name("cookies")]: return .listed(cookies(of: exchange))
    case [.name("links")]:
      return .listed(
        exchange.links.map { Candidate(SyntaxPrinter.print([.member($0.relation)]), preview: redact($0.url)) })
    case [.name("time")]: return .listed(times(exchange.timings))
    case [.name("request")]: return .listed(members(of: exchange.request))
    case [.name("request"), .name("headers")]: return .listed(headers(exchange.request.headers))
    default: return nil
    }
  }

  /// Where the rounds are listed of a step that was repeated.
  private func rounds(endingAt index: Int) -> [Candidate] {
    guard exchanges[index].description.head.round != nil else { return [] }
    let count = Self.count(roundNumbers(endingAt: index).count, "response")
    return [Candidate(".rounds", preview: count, terminator: "[")]
  }

  /// The numbers of the responses of a repeated step, the first round first.
  private func roundNumbers(endingAt last: Int) -> [Int] {
    let label = exchanges[last].label
    var first = last
    while let round = exchanges[first].description.head.round, round > 1, first > 0,
      exchanges[first - 1].label == label, exchanges[first - 1].description.head.round == round - 1
    { first -= 1 }
    return Array((first + 1)...(last + 1))
  }

  /// Responses by their place in an array.
  private func items(_ numbers: [Int]) -> [Candidate] {
    numbers.prefix(Self.indices).enumerated().compactMap { place, number in
      guard exchanges.indices.contains(number - 1) else { return nil }
      return Candidate("[\(place)]", preview: summary(of: exchanges[number - 1]), terminator: ".")
    }
  }

  private func summary(of exchange: Exchange) -> String {
    let url = exchange.request.url.prefix { $0 != "?" }
    return redact("\(exchange.response.status.code) \(exchange.request.method.rawValue) \(url)")
  }

  private func members(of exchange: Exchange) -> [Candidate] {
    let response = exchange.response
    let type = response.contentType ?? "no content type"
    let preview = ValuePreview(redact: redact)
    let all: [Candidate?] = [
      Candidate(".address", preview: exchange.connection.address ?? "none"),
      Candidate(
        ".body", preview: redact("\(NumberFormat.bytes(response.body.count)), \(type)"),
        terminator: Self.nextMark(of: response)),
      Candidate(".bytes", preview: "the body as it came"),
      exchange.connection.certificate.map { _ in Candidate(".certificate", preview: "the server's") },
      Candidate(".cookies", preview: "those it set"),
      Candidate(".header-lines", preview: "each field as an array", terminator: "."),
      Candidate(".headers", preview: Self.count(response.headers.count, "field"), terminator: "."),
      Candidate(".links", preview: Self.count(exchange.links.count, "relation"), terminator: "."),
      response.headers[.location].map { Candidate(".location", preview: preview.text($0)) },
      Candidate(".protocol", preview: response.version),
      Candidate(".redirects", preview: Self.count(exchange.redirects.count, "response")),
      Candidate(".request", preview: "as it was sent", terminator: "."),
      Candidate(".set-cookie", preview: "those it set, with their attributes", terminator: "."),
      Candidate(".size", preview: "\(response.body.count)"),
      Candidate(".status", preview: "\(response.status.code)"),
      Candidate(".text", preview: "the body as text"),
      Candidate(".time", preview: NumberFormat.duration(exchange.timings.total)),
      Candidate(".url", preview: preview.text(exchange.request.url)),
    ]
    return all.compactMap(\.self)
  }

  /// What leads on into a body of values, or one that begins like JSON.
  private static func nextMark(of response: Response) -> String {
    if response.hasValues { return "[" }
    guard response.isJSON, let first = (try? response.body.bytes(limit: 1))?.first else {
      return ""
    }
    return first == UInt8(ascii: "{") ? "." : first == UInt8(ascii: "[") ? "[" : ""
  }

  private static func count(_ count: Int, _ noun: String) -> String {
    count == 0 ? "none" : "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  private func members(of request: SentRequest) -> [Candidate] {
    [
      Candidate(".body", preview: NumberFormat.bytes(request.bodySize)),
      Candidate(".headers", preview: Self.count(request.headers.count, "field"), terminator: "."),
      Candidate(".method", preview: request.method.rawValue),
      Candidate(".size", preview: "\(request.bodySize)"),
      Candidate(".url", preview: ValuePreview(redact: redact).text(request.url)),
    ]
  }

  private func headers(_ fields: HTTPFields) -> [Candidate] {
    var seen: Set<HTTPField.Name> = []
    let preview = ValuePreview(redact: redact)
    return fields.filter { seen.insert($0.name).inserted }.map { field in
      Candidate(
        SyntaxPrinter.print([.member(field.name.canonicalName)]), preview: preview.text(fields[field.name] ?? ""))
    }
  }

  private func cookies(of exchange: Exchange) -> [Candidate] {
    exchange.cookieNames.map { Candidate(SyntaxPrinter.print([.member($0)])) }
  }

  private func times(_ timings: Timings) -> [Candidate] {
    [
      ("total", timings.total), ("dns", timings.dns), ("connect", timings.connect), ("tls", timings.tls),
      ("sent", timings.sent), ("first-byte", timings.firstByte),
    ].map { Candidate(".\($0.0)", preview: NumberFormat.duration($0.1)) }
  }

  /// The children of a JSON value whose names begin with what was typed.
  private func children(of document: JSONDocument, _ path: JSONPath, _ word: Substring) -> [Candidate] {
    let preview = ValuePreview(redact: redact)
    let isBracket = word.first == "["
    let partial = word.dropFirst().filter { $0 != "\"" && $0 != "'" }
    let children = document.children(of: path, elementLimit: Self.indices) { step in
      switch step {
      case .key(let key): key.hasPrefix(partial) && redact(key) == key
      case .index(let index): (isBracket || partial.isEmpty) && "\(index)".hasPrefix(partial)
      }
    }
    return (children ?? []).enumerated().map { offset, child in
      let text =
        switch child.step {
        case .key(let key): SyntaxPrinter.print([isBracket ? .bracketed(key) : .member(key)])
        case .index(let index): "[\(index)]"
        }
      // Elsewhere its name, which is beside it there, has what was signed hidden.
      let isSigned = if case .key(let key) = child.step { SensitiveName.isSignature(key) } else { false }
      let value = isSigned ? "••••" : preview.text(of: child.outline)
      return Candidate(
        text, preview: offset < Self.previewed ? value : "", terminator: child.outline.nextMark)
    }
  }
}

extension JSONOutline {
  /// What leads on from here.
  fileprivate var nextMark: String {
    switch self {
    case .object(_, let count): count == 0 ? "" : "."
    case .array(let count): count == 0 ? "" : "["
    case .scalar: ""
    }
  }
}

extension Exchange {
  /// Where each relation of its `Link` fields leads.
  fileprivate var links: [(relation: String, url: String)] {
    guard let name = HTTPField.Name("Link") else { return [] }
    return LinkHeader.links(in: self.response.headers[values: name], of: self.request.url)
  }
}
