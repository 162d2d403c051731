import Diagnostics
import HTTPTypes
import JSONValue
import RequestSyntax
import Requests

extension Evaluator {
  /// What a path begins at, for messages.
  struct PathRoot {
    var node: Exchange?
    var step: String
    /// Where the path begins in the text.
    var start: Int
  }

  func evaluate(_ reference: ReferenceSyntax) throws(ProgramError) -> Value {
    let name = reference.root.text
    let start = reference.range.lowerBound
    if name == "env" { return try environmentVariable(reference) }
    switch scope.lookUp(name) {
    case .value(let value):
      return try select(reference.segments, from: value, root: PathRoot(node: nil, step: "$\(name)", start: start))
    case .exchange(let exchange, let step, let rounds):
      if case .name("rounds")? = reference.segments.first?.kind {
        let values = rounds.map { Value(.exchange($0)) }
        return try select(
          Array(reference.segments.dropFirst()), from: Value(.list(values)),
          root: PathRoot(node: nil, step: step, start: start))
      }
      return try select(
        reference.segments, from: Value(.exchange(exchange)), root: PathRoot(node: exchange, step: step, start: start))
    case .notRun:
      throw failure(.notRun(name), reference.root.range)
    case .unknown:
      throw failure(.unknownName(name, known: scope.knownNames), reference.root.range)
    }
  }

  func evaluate(_ node: PathSyntax) throws(ProgramError) -> Value {
    if case .member(let name) = node.base, let exchange {
      return try select(
        [SegmentSyntax(name)] + node.segments, from: Value(.exchange(exchange)),
        root: PathRoot(node: exchange, step: "the step", start: node.range.lowerBound))
    }
    return try select(
      node.segments, from: try evaluate(node.base),
      root: PathRoot(node: nil, step: "the value", start: node.range.lowerBound))
  }

  private func environmentVariable(_ reference: ReferenceSyntax) throws(ProgramError) -> Value {
    guard case .name(let name)? = reference.segments.first?.kind, reference.segments.count == 1 else {
      throw failure(.wrongKind(wanted: "$env.NAME", actual: "another path"), reference.range)
    }
    guard let text = environment.variables[name] else {
      throw failure(
        .missing(subject: "the environment", member: name, known: [], step: nil, found: nil),
        reference.segments[0].range)
    }
    var value = Value(.string(text), provenance: .environment(name))
    if let origins = scope.environmentSecrets[name] {
      value.secrets = [try secret(text, name: name, for: origins, reference.range)]
    }
    return value
  }

  func secret(
    _ text: String, name: String, for origins: [OriginPattern], _ range: SourceRange
  ) throws(ProgramError) -> Secret {
    if text.utf8.count < 4 { throw failure(.secretTooShort(name), range) }
    return Secret(text, name: name, for: origins)
  }

  /// Follows a path (RFC 9535). A path of names and indices yields that value, any other an array.
  func select(_ segments: [SegmentSyntax], from value: Value, root: PathRoot) throws(ProgramError) -> Value {
    var nodes = [value]
    var isMany = false
    for segment in segments {
      switch segment.kind {
      case .name(let name):
        nodes = try follow(.name(name), nodes, isMany, segment.range, root)
      case .bracket(let selectors, isDescendant: false):
        if selectors.count == 1, let step = try singular(selectors[0]) {
          nodes = try follow(step, nodes, isMany, selectors[0].range, root)
        } else {
          isMany = true
          nodes = try many(selectors, nodes)
        }
      case .wildcard:
        isMany = true
        nodes = nodes.flatMap(\.children)
      case .descendantWildcard:
        isMany = true
        nodes = nodes.flatMap(\.descendants).flatMap(\.children)
      case .descendantName(let name):
        isMany = true
        nodes = nodes.flatMap(\.descendants).compactMap { $0.jsonMember(name) }
      case .bracket(let selectors, isDescendant: true):
        isMany = true
        nodes = try many(selectors, nodes.flatMap(\.descendants))
      }
    }
    return isMany ? Value.array(nodes) : nodes[0]
  }

  /// A selector that finds one thing at most.
  private enum Singular {
    case name(String)
    case index(Int)
  }

  private func singular(_ selector: SelectorSyntax) throws(ProgramError) -> Singular? {
    switch selector.kind {
    case .name(let name): return .name(name)
    case .index(let index): return .index(index)
    case .reference(let reference):
      let value = try evaluate(reference)
      if let index = value.json?.int { return .index(index) }
      if case .json(.string(let name)) = value.content { return .name(name) }
      throw failure(.wrongKind(wanted: "an index or a key", actual: value.kind), selector.range)
    case .wildcard, .slice, .filter: return nil
    }
  }

  private func follow(
    _ step: Singular, _ nodes: [Value], _ isMany: Bool, _ range: SourceRange, _ root: PathRoot
  ) throws(ProgramError) -> [Value] {
    var found: [Value] = []
    for node in nodes {
      let next: Value? =
        switch step {
        case .name(let name): try member(name, of: node, range)
        case .index(let index): node.element(index)
        }
      if let next {
        found.append(next)
      } else if !isMany {
        throw missing(step, in: node, range, root)
      }
    }
    return found
  }

  private func many(_ selectors: [SelectorSyntax], _ nodes: [Value]) throws(ProgramError) -> [Value] {
    var found: [Value] = []
    for node in nodes {
      for selector in selectors {
        switch selector.kind {
        case .wildcard: found += node.children
        case .slice(let start, let end, let step): found += node.slice(start, end, step ?? 1)
        case .filter: throw failure(.notSupported("a filter"), selector.range)
        case .name, .index, .reference:
          switch try singular(selector) {
          case .name(let name)?: found += node.jsonMember(name).map { [$0] } ?? []
          case .index(let index)?: found += node.element(index).map { [$0] } ?? []
          case nil: break
          }
        }
      }
    }
    return found
  }

  /// The member of that name, whatever kind of value it is looked for in; nil if there is none.
  private func member(_ name: String, of value: Value, _ range: SourceRange) throws(ProgramError) -> Value? {
    switch value.content {
    case .json: return value.jsonMember(name)
    case .exchange(let exchange): return try member(name, of: exchange, range)
    case .file(let file): return try fileMember(name, of: file, range).map { $0.carrying(value) }
    case .chunk(let file, let number, let offset):
      switch name {
      case "number": return Value(.number(JSONNumber(number)))
      case "offset": return Value(.number(JSONNumber(offset)))
      default: return try fileMember(name, of: file, range)
      }
    case .headers(let fields): return fields.value(named: name).map { value.with(.json($0), name) }
    case .request(let request):
      switch name {
      case "method": return value.with(.json(.string(request.method.rawValue)), name)
      case "url": return value.with(.json(.string(request.url)), name)
      case "headers": return value.with(.headers(request.headers), name)
      case "size": return value.with(.json(.number(JSONNumber(request.bodySize))), name)
      default: return nil
      }
    case .timings(let timings):
      return TimingMember(rawValue: name).map { value.with(.duration(timings[$0]), name) }
    case .cookies(let cookies): return cookies[name].map { value.with(.json(.string($0)), name) }
    case .names(let names): return names[name]
    case .bytes, .digest, .duration, .time, .list: return nil
    }
  }

  private func missing(
    _ step: Singular, in node: Value, _ range: SourceRange, _ root: PathRoot
  ) -> ProgramError {
    let subject = source[SourceRange(root.start, range.lowerBound)].trimmingOpenBracket()
    let member: String
    let named: SourceRange
    switch step {
    case .name(let name):
      member = name
      let hasDot = range.lowerBound < source.bytes.count && source.bytes[range.lowerBound] == UInt8(ascii: ".")
      named = hasDot ? SourceRange(range.lowerBound + 1, range.upperBound) : range
    case .index(let index):
      member = "[\(index)]"
      named = range
    }
    let found = root.node.map { exchange in
      let body = (try? self.body(of: exchange, range))??.shown(limit: 120) ?? "no body"
      return "answered \(exchange.response.status.code) with \(body)"
    }
    return failure(
      .missing(
        subject: subject.isEmpty ? root.step : subject, member: member, known: node.memberNames, step: root.step,
        found: found), named)
  }
}

extension String {
  fileprivate func trimmingOpenBracket() -> String {
    var text = Substring(self)
    while let last = text.last, last == "[" || last == "." { text.removeLast() }
    return String(text)
  }
}

extension SegmentSyntax {
  /// A member that stands bare, as the first segment of a path into the exchange.
  init(_ name: NameSyntax) {
    self.init(kind: .name(name.text), range: name.range)
  }
}

extension Value {
  func with(_ content: Content, _ name: String) -> Value {
    var value = self
    value.content = content
    if case .response(let step, let path, let url) = provenance {
      value.provenance = .response(step: step, path: path.isEmpty ? name : "\(path).\(name)", url: url)
    }
    return value
  }

  func jsonMember(_ name: String) -> Value? {
    guard case .json(.object(let object)) = content else { return nil }
    return object[name].map { with(.json($0), name) }
  }

  /// Negative indices count from the end.
  func element(_ index: Int) -> Value? {
    switch content {
    case .json(.array(let elements)):
      let position = index < 0 ? elements.count + index : index
      return elements.indices.contains(position) ? with(.json(elements[position]), "[\(index)]") : nil
    case .list(let values):
      let position = index < 0 ? values.count + index : index
      return values.indices.contains(position) ? values[position] : nil
    default: return nil
    }
  }

  /// RFC 9535 §2.3.2.
  var children: [Value] {
    switch content {
    case .json(.array(let elements)): elements.map { with(.json($0), "*") }
    case .json(.object(let object)): object.members.map { with(.json($0.value), $0.key) }
    case .list(let values): values
    default: []
    }
  }

  /// The value and all below it, parents first (RFC 9535 §2.5.2).
  var descendants: [Value] {
    [self] + children.flatMap(\.descendants)
  }

  /// RFC 9535 §2.3.4.
  func slice(_ start: Int?, _ end: Int?, _ step: Int) -> [Value] {
    guard let elements, step != 0 else { return [] }
    let count = elements.count
    func normalized(_ index: Int) -> Int { index < 0 ? count + index : index }
    if step > 0 {
      let lower = min(max(normalized(start ?? 0), 0), count)
      let upper = min(max(normalized(end ?? count), 0), count)
      return stride(from: lower, to: max(lower, upper), by: step).map { elements[$0] }
    }
    let upper = min(max(normalized(start ?? count - 1), -1), count - 1)
    let lower = end.map { min(max(normalized($0), -1), count - 1) } ?? -1
    return stride(from: upper, to: min(upper, lower), by: step).map { elements[$0] }
  }

  /// The names that could have been meant.
  var memberNames: [String] {
    switch content {
    case .json(.object(let object)): object.keys
    case .exchange: Keywords.members
    case .file: FileMember.allCases.map(\.rawValue)
    case .chunk: FileMember.allCases.map(\.rawValue) + ["number", "offset"]
    case .headers(let fields): fields.jsonMembers.map(\.key)
    case .request: ["headers", "method", "size", "url"]
    case .timings: TimingMember.allCases.map(\.rawValue)
    case .cookies(let cookies): cookies.keys.sorted()
    case .names(let names): names.keys.sorted()
    case .json, .bytes, .digest, .duration, .time, .list: []
    }
  }
}
