import Diagnostics
import HTTPTypes
import JSONValue
import RequestSyntax
import Requests

extension Evaluator {
  /// Where a path starts, for messages.
  struct PathRoot {
    var node: Exchange?
    var step: String
    /// Where the path starts in the text.
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
    case .notRun(let last):
      throw failure(.notRun(name, last: last), reference.root.range)
    case .beginning(let hides):
      throw failure(.beforeFirstRound(name, hides: hides), reference.root.range)
    case .unset:
      throw failure(.notRun(name, isName: true), reference.root.range)
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
      let range = reference.segments[0].range
      throw failure(.missingVariable(name, in: environment, written: source[range]), range)
    }
    let read = scope.known.marking(.read(.json(.string(text)), from: .environment(name)))
    guard let origins = scope.environmentSecrets[name] else { return read }
    let own = try secret(text, name: name, for: origins, reference.range)
    return Value(.string(text), secrets: read.taint.secrets.union([own]), provenance: .environment(name))
  }

  func secret(
    _ text: String, name: String, for origins: [OriginPattern], _ range: SourceRange
  ) throws(ProgramError) -> Secret {
    if text.isEmpty { throw failure(.emptySecret(name), range) }
    if text.utf8.count < Secret.fewestBytes { throw failure(.secretTooShort(name), range) }
    return Secret(text, name: name, for: origins)
  }

  /// Follows a path (RFC 9535). A path of names and indices yields that value, any other an array.
  func select(_ segments: [SegmentSyntax], from value: Value, root: PathRoot) throws(ProgramError) -> Value {
    var nodes = [value]
    var isMany = false
    var document: JSON?
    for segment in segments {
      // The document that `$` in a filter stands for is where JSON begins on the way.
      if document == nil, !isMany, case .json(let json) = nodes[0].content { document = json }
      if let (step, range) = try singular(segment) {
        nodes = try follow(step, nodes, isMany, range, root)
      } else {
        isMany = true
        let path = try jsonSegment(segment)
        let watch = watch()
        var found: [Value] = []
        for node in nodes {
          found += node.selected(by: path, in: document, bindings: binding, watch: watch)
          if watch.isOver { throw failure(whyOver, segment.range) }
          try check(found.count, times: ValueMeter.element, segment.range)
        }
        nodes = found
      }
    }
    let found = isMany ? Value.array(nodes.map(scope.known.marking)) : nodes[0]
    return isMany ? found : scope.known.marking(found)
  }

  /// Ends a path that nobody is waiting for anymore.
  private func watch() -> JSONPathWatch {
    guard let patience = environment.patience else { return JSONPathWatch { !Task.isCancelled } }
    let end = ContinuousClock.now + patience
    return JSONPathWatch { !Task.isCancelled && ContinuousClock.now < end }
  }

  private var whyOver: ProgramError.Fact {
    Task.isCancelled ? .interrupted : .tookTooLong(environment.patience ?? .zero)
  }

  /// A selector that finds at most one thing.
  private enum Singular {
    case name(Quotable)
    case index(Int)
  }

  /// A name, and the value that it came from if the script did not write it.
  private struct Quotable {
    var text: String
    var value: Value?

    var quoted: Quoted { value.map { Quoted($0, text) } ?? Quoted(written: text) }
  }

  private func singular(_ segment: SegmentSyntax) throws(ProgramError) -> (Singular, SourceRange)? {
    switch segment.kind {
    case .name(let name): return (.name(Quotable(text: name)), segment.range)
    case .bracket(let selectors, isDescendant: false) where selectors.count == 1:
      return try singular(selectors[0]).map { ($0, selectors[0].range) }
    case .wildcard, .descendantName, .descendantWildcard, .bracket: return nil
    }
  }

  private func singular(_ selector: SelectorSyntax) throws(ProgramError) -> Singular? {
    switch selector.kind {
    case .name(let name): return .name(Quotable(text: name))
    case .index(let index): return .index(index)
    case .reference(let reference):
      let value = try evaluate(reference)
      if let index = value.json?.int { return .index(index) }
      if case .json(.string(let name)) = value.content { return .name(Quotable(text: name, value: value)) }
      throw failure(.wrongKind(wanted: "an index or a key", actual: value.kind), selector.range)
    case .wildcard, .slice, .filter: return nil
    }
  }

  private func jsonSegment(_ segment: SegmentSyntax) throws(ProgramError) -> JSONPath.Segment {
    switch segment.kind {
    case .name(let name): return .child([.name(name)])
    case .wildcard: return .child([.wildcard])
    case .descendantName(let name): return .descendant([.name(name)])
    case .descendantWildcard: return .descendant([.wildcard])
    case .bracket(let selectors, let isDescendant):
      var converted: [JSONPath.Selector] = []
      for selector in selectors { converted.append(try jsonSelector(selector)) }
      return isDescendant ? .descendant(converted) : .child(converted)
    }
  }

  private func jsonSelector(_ selector: SelectorSyntax) throws(ProgramError) -> JSONPath.Selector {
    switch selector.kind {
    case .slice(let start, let end, let step):
      return .slice(JSONPath.Slice(start: start, end: end, step: step ?? 1))
    case .filter(let text):
      do throws(JSONPathSyntaxError) {
        return .filter(try JSONPath.Filter(text, dialect: .reference))
      } catch {
        let detail = error.description + text.filterAdvice
        throw failure(.invalidEncoding("a valid filter", Quoted(written: detail)), selector.range)
      }
    case .wildcard, .name, .index, .reference:
      switch try singular(selector) {
      case .name(let name)?: return .name(name.text)
      case .index(let index)?: return .index(index)
      case nil: return .wildcard
      }
    }
  }

  /// The value of a `$name` in a filter; nil if there is none.
  private func binding(_ variable: JSONPath.Variable) -> JSON? {
    let range = SourceRange(at: 0)
    let segments = variable.segments.map { segment in
      switch segment {
      case .child(let selectors), .descendant(let selectors):
        switch selectors.first {
        case .name(let name)?: SegmentSyntax(kind: .name(name), range: range)
        case .index(let index)?:
          SegmentSyntax(
            kind: .bracket([SelectorSyntax(kind: .index(index), range: range)], isDescendant: false), range: range)
        case .wildcard?, .slice?, .filter?, nil: SegmentSyntax(kind: .wildcard, range: range)
        }
      }
    }
    let root = NameSyntax(text: variable.name, range: range)
    return try? evaluate(ReferenceSyntax(root: root, segments: segments, range: range)).json
  }

  private func follow(
    _ step: Singular, _ nodes: [Value], _ isMany: Bool, _ range: SourceRange, _ root: PathRoot
  ) throws(ProgramError) -> [Value] {
    var found: [Value] = []
    for node in nodes {
      let next: Value? =
        switch step {
        case .name(let name): try member(name.text, of: node, range)
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

  /// The member of that name, in any kind of value; nil if there is none.
  private func member(_ name: String, of value: Value, _ range: SourceRange) throws(ProgramError) -> Value? {
    switch value.content {
    case .json: return value.jsonMember(name)
    case .exchange(let exchange): return try member(name, of: exchange, range)
    case .file(let file): return try fileMember(name, of: file, range).map { $0.carrying(value) }
    case .chunk(let file, let number, let offset):
      switch name {
      case "number": return Value(.number(JSONNumber(number))).carrying(value)
      case "offset": return Value(.number(JSONNumber(offset))).carrying(value)
      default: return try fileMember(name, of: file, range).map { $0.carrying(value) }
      }
    case .headers(let fields):
      let field = fields.value(named: name).map { value.with(.json($0), name) }
      return ["cookie", "set-cookie"].contains(name.lowercased()) ? field : field?.withoutCookies
    case .headerLines(let fields):
      let field = HTTPField.Name(name).flatMap { name in
        fields.contains(name) ? value.with(.json(fields.lines(of: name)), name.canonicalName) : nil
      }
      return ["cookie", "set-cookie"].contains(name.lowercased()) ? field : field?.withoutCookies
    case .request(let request, let body):
      switch name {
      case "body": return body.map { value.with($0, name) }.map(\.withoutCookies)
      case "method": return value.with(.json(.string(request.method.rawValue)), name).withoutCookies
      case "url": return value.with(.json(.string(request.url)), name).withoutCookies
      case "headers": return value.with(.headers(request.headers), name)
      case "size": return value.with(.json(.number(JSONNumber(request.bodySize))), name).withoutCookies
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
    let member: Quoted
    let named: SourceRange
    switch step {
    case .name(let name):
      member = name.quoted
      let hasDot = range.lowerBound < source.bytes.count && source.bytes[range.lowerBound] == UInt8(ascii: ".")
      named = hasDot ? SourceRange(range.lowerBound + 1, range.upperBound) : range
    case .index(let index):
      member = Quoted(written: "[\(index)]")
      named = range
    }
    let found = root.node.map { exchange in
      if let reason = Self.reason(why: member.description, isMissingIn: subject, exchange) { return reason }
      if Self.isBesideBody(subject) {
        let none = subject.hasSuffix("cookie") || subject.hasSuffix("cookies") ? exchange.cookieLines.isEmpty : false
        return "returned \(exchange.response.status.code)\(none ? " and set no cookie" : "")"
      }
      let none = exchange.request.method == .head ? "no body, as for every HEAD" : "no body"
      let body = (try? self.body(of: exchange, range))?.map(scope.known.marking)?.shown(limit: 120) ?? none
      return "returned \(exchange.response.status.code) with \(body)"
    }
    return failure(
      .missing(
        subject: subject.isEmpty ? root.step : subject, member: member,
        // Of a response without a body, what else it has is no help.
        known: node.isOpen && !isBody(member, missingIn: root.node) ? node.memberNames : [],
        step: root.step, found: found,
        hint: hint(for: step, in: node, subject.isEmpty ? root.step : subject)
          ?? root.node.flatMap { Self.hint(onMarkup: subject, of: $0) }), named)
  }

  /// Whether a path leads to something else of a response, so that its body is no help.
  private static func isBesideBody(_ path: String) -> Bool {
    let members = ["headers", "header-lines", "set-cookie", "cookies", "links", "redirects", "time", "request"]
    return members.contains { path.hasSuffix(".\($0)") || path.contains(".\($0).") || path.contains(".\($0)[") }
  }

  /// How to read a page.
  private static func hint(onMarkup subject: String, of exchange: Exchange) -> String? {
    let type = MediaType.essence(of: exchange.response.contentType ?? "")
    guard subject.hasSuffix(".body"), type.hasSuffix("html") || type.hasSuffix("xml") else { return nil }
    return "a page is read with xpath: \(subject.dropLast(5)).text | xpath(\"string(//title)\")"
  }

  /// What an array or another value has in place of that.
  private func hint(for step: Singular, in node: Value, _ subject: String) -> String? {
    switch (step, node.elementCount) {
    case (.name(let name), let count?):
      let isWord = NameSyntax.isName(name.text) && name.value == nil
      return count == 0 ? "it is an empty array" : "it is an array: \(subject)[0]\(isWord ? ".\(name.text)" : "")"
    case (.index, 0?): return "it is empty"
    case (.index, let count?): return "it has \(count) element\(count == 1 ? "" : "s"), from [0] to [\(count - 1)]"
    case (_, nil): return nil
    }
  }
}

extension Evaluator {
  private func isBody(_ member: Quoted, missingIn exchange: Exchange?) -> Bool {
    member.description == "body" && exchange?.response.body.isEmpty ?? false
  }

  /// Why a member of an exchange is missing that others have; nil: what came says it.
  private static func reason(why member: String, isMissingIn subject: String, _ exchange: Exchange) -> String? {
    switch member {
    case "events" where exchange.response.streamKind == .events: ".body is the list of its events; .text is the text"
    case _ where subject.hasSuffix(".links") && !exchange.response.headers.contains(.link): "has no Link header"
    case "body" where subject.hasSuffix("request"): exchange.unknownBody ?? "sent no body"
    case "address", "certificate":
      "has none: it was recorded without its connection, or it came "
        + (member == "address" ? "over a socket" : "without TLS")
    default: nil
    }
  }
}

extension String {
  /// What to say of a filter that cannot be read, and in which nothing is an element.
  var filterAdvice: String { contains("@") ? "" : "; @ is the element: [?@.price > 30]" }

  fileprivate func trimmingOpenBracket() -> String {
    var text = Substring(self)
    while let last = text.last, last == "[" || last == "." { text.removeLast() }
    return String(text)
  }
}

extension SegmentSyntax {
  /// A member without `$`, as the first segment of a path into the exchange.
  init(_ name: NameSyntax) {
    self.init(kind: .name(name.text), range: name.range)
  }
}

extension Value {
  /// The value with another content, which is a part of its own.
  func with(_ content: Content) -> Value {
    var value = self
    value.content = content
    return value
  }

  /// The same value, in which the text of a cookie is a text like any other.
  fileprivate var withoutCookies: Value {
    var value = self
    value.cookies = []
    return value
  }

  func with(_ content: Content, _ name: String) -> Value {
    var value = with(content)
    if case .response(let step, let path, let url) = provenance {
      let dot = path.isEmpty || name.hasPrefix("[") ? "" : "."
      value.provenance = .response(step: step, path: "\(path)\(dot)\(name)", url: url)
    }
    return value
  }

  func jsonMember(_ name: String) -> Value? {
    guard case .json(.object(let object)) = content else { return nil }
    return object[name].map { with(.json($0), name) }
  }

  /// Of an array; nil for anything else.
  fileprivate var elementCount: Int? {
    switch content {
    case .json(.array(let elements)): elements.count
    case .list(let values): values.count
    default: nil
    }
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

  /// What a segment finds in JSON, or in an array of other values.
  func selected(
    by segment: JSONPath.Segment, in document: JSON? = nil, bindings: @escaping JSONPath.Bindings, watch: JSONPathWatch
  ) -> [Value] {
    switch content {
    case .json(let json):
      let found = JSONPath([segment]).values(in: json, document: document, bindings: bindings, watch: watch)
      return found.map { with(.json($0), "*") }
    case .list(let values):
      guard case .child(let selectors) = segment else { return [] }
      return selectors.flatMap { selector -> [Value] in
        switch selector {
        case .wildcard: values
        case .index(let index): element(index).map { [$0] } ?? []
        case .slice(let slice): slice.indices(count: values.count).map { values[$0] }
        case .name, .filter: []
        }
      }
    default: return []
    }
  }

  /// The names that could have been meant.
  var memberNames: [String] {
    switch content {
    case .json(.object(let object)): object.keys
    case .exchange: Keywords.members
    case .file: FileMember.allCases.map(\.rawValue)
    case .chunk: FileMember.allCases.map(\.rawValue) + ["number", "offset"]
    case .headers(let fields), .headerLines(let fields): fields.jsonMembers.map(\.key)
    case .request: ["body", "headers", "method", "size", "url"]
    case .timings: TimingMember.allCases.map(\.rawValue)
    case .cookies(let cookies): cookies.keys.sorted()
    case .names(let names): names.keys.sorted()
    case .json, .bytes, .digest, .duration, .time, .list: []
    }
  }
}
