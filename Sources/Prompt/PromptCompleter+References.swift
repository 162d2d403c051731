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

  func completions(of reference: TypedReference, in typed: Substring) -> Completions {
    switch reference.tail {
    case .root: return matching(reference, in: typed, roots)
    case .complete:
      guard case .value(let document, let path)? = resolve(reference) else { return none(typed) }
      return Completions(
        replacing: typed.endIndex..<typed.endIndex, candidates: children(of: document, path, reference))
    case .member, .bracket:
      if reference.root == "env", reference.segments.isEmpty {
        return matching(reference, in: typed, environment.sorted().map { Candidate(".\($0)") })
      }
      switch resolve(reference) {
      case .listed(let candidates)?: return matching(reference, in: typed, candidates)
      case .value(let document, let path)?:
        return Completions(
          replacing: reference.start..<typed.endIndex, candidates: children(of: document, path, reference))
      case nil: return none(typed)
      }
    }
  }

  private func matching(
    _ reference: TypedReference, in typed: Substring, _ candidates: [Candidate]
  ) -> Completions {
    let word = typed[reference.start...]
    let wanted = word.lowercased()
    return Completions(
      replacing: reference.start..<typed.endIndex,
      // Header names are case-insensitive.
      candidates: candidates.filter { $0.text.lowercased().hasPrefix(wanted) })
  }

  var roots: [Candidate] {
    var roots: [Candidate] = []
    var labels: [String: String] = [:]
    for (index, exchange) in exchanges.enumerated() {
      let url = exchange.request.url.prefix { $0 != "?" }
      let summary = redact("\(exchange.response.status.code) \(exchange.request.method.rawValue) \(url)")
      roots.append(Candidate("\(index + 1)", preview: summary, terminator: "."))
      if let label = exchange.label { labels[label] = summary }
    }
    for (label, summary) in labels.sorted(by: { $0.key < $1.key }) {
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
  private func resolve(_ reference: TypedReference) -> Place? {
    let index: Int? =
      switch reference.root {
      case "_": exchanges.indices.last
      default: Int(reference.root).map { $0 &- 1 } ?? exchanges.lastIndex { $0.label == reference.root }
      }
    guard let index, exchanges.indices.contains(index) else { return nil }
    let exchange = exchanges[index]
    guard case .name(let member)? = reference.segments.first else {
      return reference.segments.isEmpty ? .listed(members(of: exchange)) : nil
    }
    let path = reference.segments.dropFirst()
    switch member {
    case "body":
      return bodies.document(of: exchange, at: index).map { .value($0, JSONPath(path.map(\.pathSegment))) }
    case "headers" where path.isEmpty: return .listed(headers(exchange.response.headers))
    case "cookies" where path.isEmpty: return .listed(cookies(exchange.response.headers))
    case "time" where path.isEmpty: return .listed(times(exchange.timings))
    case "request":
      if path.isEmpty { return .listed(members(of: exchange.request)) }
      return Array(path) == [.name("headers")] ? .listed(headers(exchange.request.headers)) : nil
    default: return nil
    }
  }

  private func members(of exchange: Exchange) -> [Candidate] {
    let response = exchange.response
    let type = response.headers[.contentType] ?? "no content type"
    let preview = ValuePreview(redact: redact)
    return [
      Candidate(".body", preview: redact("\(NumberFormat.bytes(response.body.count)), \(type)")),
      Candidate(".bytes", preview: "the body as it came"),
      Candidate(".certificate", preview: "the server's"),
      Candidate(".cookies", preview: "those it set"),
      Candidate(".headers", preview: "\(response.headers.count) fields", terminator: "."),
      Candidate(".location", preview: preview.text(response.headers[.location] ?? "none")),
      Candidate(".request", preview: "as it was sent", terminator: "."),
      Candidate(".size", preview: "\(response.body.count)"),
      Candidate(".status", preview: "\(response.status.code)"),
      Candidate(".text", preview: "the body as text"),
      Candidate(".time", preview: NumberFormat.duration(exchange.timings.total)),
      Candidate(".url", preview: preview.text(exchange.request.url)),
    ]
  }

  private func members(of request: SentRequest) -> [Candidate] {
    [
      Candidate(".headers", preview: "\(request.headers.count) fields", terminator: "."),
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

  private func cookies(_ fields: HTTPFields) -> [Candidate] {
    fields[values: .setCookie].compactMap { cookie in
      let name = cookie.prefix { $0 != "=" && $0 != ";" }
      return name.isEmpty ? nil : Candidate(SyntaxPrinter.print([.member(String(name))]))
    }
  }

  private func times(_ timings: Timings) -> [Candidate] {
    [
      ("total", timings.total), ("dns", timings.dns), ("connect", timings.connect), ("tls", timings.tls),
      ("sent", timings.sent), ("first-byte", timings.firstByte),
    ].map { Candidate(".\($0.0)", preview: NumberFormat.duration($0.1)) }
  }

  /// The children of a JSON value whose names begin with what was typed.
  private func children(of document: JSONDocument, _ path: JSONPath, _ reference: TypedReference) -> [Candidate] {
    let preview = ValuePreview(redact: redact)
    let isBracket = reference.tail == .bracket
    let children = document.children(of: path, elementLimit: Self.indices) { step in
      switch step {
      case .key(let key): key.hasPrefix(reference.partial) && redact(key) == key
      case .index(let index):
        (isBracket || reference.partial.isEmpty) && "\(index)".hasPrefix(reference.partial)
      }
    }
    return (children ?? []).enumerated().map { offset, child in
      let text =
        switch child.step {
        case .key(let key): SyntaxPrinter.print([isBracket ? .bracketed(key) : .member(key)])
        case .index(let index): "[\(index)]"
        }
      return Candidate(
        text, preview: offset < Self.previewed ? preview.text(of: child.outline) : "",
        terminator: child.outline.nextMark)
    }
  }
}

extension TypedReference.Segment {
  fileprivate var pathSegment: JSONPath.Segment {
    switch self {
    case .name(let name): .child([.name(name)])
    case .index(let index): .child([.index(index)])
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
