internal import HTTPTypes
internal import JSONValue
internal import LineEditing
internal import Presentation
internal import Requests

/// What stands behind `$`.
extension PromptCompleter {
  /// Beyond this many candidates nobody looks at the previews.
  private static let previewed = 200
  /// Beyond this many items an index is typed.
  private static let indices = 1_000

  func completions(of reference: TypedReference, in typed: Substring) -> Completions {
    switch reference.tail {
    case .root: return matching(reference, in: typed, roots)
    case .complete:
      guard case .value(let json)? = resolve(reference), case .some = json.children else { return none(typed) }
      return Completions(replacing: typed.endIndex..<typed.endIndex, candidates: members(of: json, reference))
    case .member, .bracket:
      if reference.root == "env", reference.segments.isEmpty {
        return matching(reference, in: typed, environment.sorted().map { Candidate(".\($0)") })
      }
      switch resolve(reference) {
      case .listed(let candidates)?: return matching(reference, in: typed, candidates)
      case .value(let json)?:
        return Completions(
          replacing: reference.start..<typed.endIndex, candidates: members(of: json, reference))
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
      // Header names are the same in any case.
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
    if !exchanges.isEmpty { roots.append(Candidate("_", preview: "the last answer", terminator: ".")) }
    roots.append(Candidate("env", preview: "the environment", terminator: "."))
    return roots
  }

  // MARK: What there is

  private enum Place {
    case value(JSON)
    case listed([Candidate])
  }

  /// What the complete segments lead to.
  private func resolve(_ reference: TypedReference) -> Place? {
    let index: Int? =
      switch reference.root {
      case "_": exchanges.indices.last
      default: Int(reference.root).map { $0 - 1 } ?? exchanges.lastIndex { $0.label == reference.root }
      }
    guard let index, exchanges.indices.contains(index) else { return nil }
    let exchange = exchanges[index]
    guard case .name(let member)? = reference.segments.first else {
      return reference.segments.isEmpty ? .listed(members(of: exchange)) : nil
    }
    let path = reference.segments.dropFirst()
    switch member {
    case "body":
      guard var value = bodies.json(of: exchange, at: index) else { return nil }
      for segment in path {
        guard let child = value.child(segment) else { return nil }
        value = child
      }
      return .value(value)
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
      Candidate(".body", preview: redact("\(Figures.bytes(response.body.count)), \(type)")),
      Candidate(".bytes", preview: "the body as it came"),
      Candidate(".certificate", preview: "the server's"),
      Candidate(".cookies", preview: "those it set"),
      Candidate(".headers", preview: "\(response.headers.count) fields", terminator: "."),
      Candidate(".location", preview: preview.text(response.headers[.location] ?? "none")),
      Candidate(".request", preview: "as it was sent", terminator: "."),
      Candidate(".size", preview: "\(response.body.count)"),
      Candidate(".status", preview: "\(response.status.code)"),
      Candidate(".text", preview: "the body as text"),
      Candidate(".time", preview: Figures.duration(exchange.timings.total)),
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
      Candidate(ReferencePath.member(field.name.canonicalName), preview: preview.text(fields[field.name] ?? ""))
    }
  }

  private func cookies(_ fields: HTTPFields) -> [Candidate] {
    fields[values: .setCookie].compactMap { cookie in
      let name = cookie.prefix { $0 != "=" && $0 != ";" }
      return name.isEmpty ? nil : Candidate(ReferencePath.member(String(name)))
    }
  }

  private func times(_ timings: Timings) -> [Candidate] {
    [
      ("total", timings.total), ("dns", timings.dns), ("connect", timings.connect), ("tls", timings.tls),
      ("first-byte", timings.firstByte),
    ].map { Candidate(".\($0.0)", preview: Figures.duration($0.1)) }
  }

  /// The children of a JSON value whose names begin as what was typed.
  private func members(of json: JSON, _ reference: TypedReference) -> [Candidate] {
    let preview = ValuePreview(redact: redact)
    switch json {
    case .object(let object):
      let matches = object.members.filter { $0.key.hasPrefix(reference.partial) && redact($0.key) == $0.key }
      return matches.enumerated().map { offset, member in
        let text = reference.tail == .bracket ? ReferencePath.bracketed(member.key) : ReferencePath.member(member.key)
        return Candidate(
          text, preview: offset < Self.previewed ? preview.text(of: member.value) : "",
          terminator: member.value.nextMark)
      }
    case .array(let items):
      guard reference.tail != .member || reference.partial.isEmpty else { return [] }
      return items.prefix(Self.indices).enumerated().compactMap { index, item in
        guard "\(index)".hasPrefix(reference.partial) else { return nil }
        let text = index < Self.previewed ? preview.text(of: item) : ""
        return Candidate("[\(index)]", preview: text, terminator: item.nextMark)
      }
    case .string, .number, .bool, .null: return []
    }
  }
}

extension JSON {
  fileprivate func child(_ segment: TypedReference.Segment) -> JSON? {
    switch segment {
    case .name(let name): self[name]
    case .index(let index): array.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    }
  }

  /// nil for what has no children.
  fileprivate var children: Int? {
    switch self {
    case .object(let object): object.members.count
    case .array(let items): items.count
    case .string, .number, .bool, .null: nil
    }
  }

  /// What leads on from here.
  fileprivate var nextMark: String {
    switch self {
    case .object(let object): object.members.isEmpty ? "" : "."
    case .array(let items): items.isEmpty ? "" : "["
    case .string, .number, .bool, .null: ""
    }
  }
}
