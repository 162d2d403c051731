import Diagnostics
import JSONValue
import RequestSyntax

extension HurlTranslator {
  /// Whose members a query reads.
  enum Root {
    /// The step that an expectation is about.
    case members
    /// A step by its label.
    case step(String)

    func member(_ name: String, _ segments: [SegmentSyntax] = []) -> ExpressionSyntax {
      switch self {
      case .members:
        let member = ExpressionSyntax.member(NameSyntax(name))
        return segments.isEmpty ? member : member.path(segments)
      case .step(let label): return .reference(label, [.member(name)] + segments)
      }
    }
  }

  /// What a query and its filters find.
  ///
  /// - Parameter asList: whether a header that is there several times is wanted as an array.
  mutating func subject(
    _ query: HurlQuery, _ filters: [HurlFilter], _ root: Root, asList: Bool
  ) throws(ImportRefusal) -> ExpressionSyntax {
    var filters = filters[...]
    var value: ExpressionSyntax
    let first = filters.first?.name.text ?? ""
    if query.name.text == "header", ["count", "nth", "first", "last"].contains(first) {
      value = root.member("header-lines", [.bracketed(try name(in: query))])
    } else if query.name.text == "header", asList {
      value = root.member("header-lines", [.bracketed(try name(in: query))]).through("unwrap")
    } else if query.name.text == "redirects", first == "nth", case .number(let index)? = filters.first?.arguments.first,
      filters.dropFirst().first?.name.text == "location"
    {
      value = root.member("redirects", [.element(Int(index) ?? 0), .member("location")])
      filters = filters.dropFirst(2)
    } else {
      value = try self.value(of: query, root)
    }
    value = value.placed(at: query.range)
    for filter in filters { value = try apply(filter, to: value).placed(at: filter.range) }
    return value
  }

  private mutating func name(in query: HurlQuery) throws(ImportRefusal) -> String {
    guard case .text(let text)? = query.argument, let name = try constantText(text) else {
      throw ImportRefusal("this name cannot be computed", at: query.range)
    }
    return name
  }

  private mutating func value(of query: HurlQuery, _ root: Root) throws(ImportRefusal) -> ExpressionSyntax {
    switch query.name.text {
    case "status": return root.member("status")
    case "url": return root.member("url")
    case "version": return root.member("protocol").through("replace", .text("HTTP/"), .text(""))
    case "header": return root.member("headers", [.bracketed(try name(in: query))])
    case "cookie": return try cookie(query, root)
    case "body": return root.member("text")
    case "bytes": return root.member("bytes")
    case "rawbytes":
      note(
        .warning, "rawbytes are the bytes of a response that has no Content-Encoding", hint: "write bytes",
        at: query.range)
      return root.member("bytes")
    case "sha256", "md5": return root.member("bytes").through(query.name.text)
    case "duration": return root.member("time", [.member("total")])
    case "ip": return root.member("address").through("regex", .string(StringSyntax(raw: #"^\[?(.*?)\]?:\d+$"#)))
    case "redirects": return root.member("redirects")
    case "certificate": return try certificate(query, root)
    case "variable":
      switch variables.meaning(of: try name(in: query)) {
      case .constant(let json): return ExpressionSyntax(json)
      case .name(let name): return .reference(name)
      case .part(let part): return part.asOperand
      }
    case "regex": return root.member("text").through("regex", try pattern(query.argument, query.range))
    case "xpath":
      guard case .text(let text)? = query.argument else { break }
      return root.member("text").through("xpath", try operand(text))
    case "jsonpath":
      guard case .text(let text)? = query.argument else { break }
      let body = isExact ? root.member("text").through("parse-json") : root.member("body")
      return try select(text, from: body)
    default: break
    }
    throw ImportRefusal("the query \(query.name.text) is not known", at: query.range)
  }

  /// `name` or `name[Attribute]`
  private mutating func cookie(_ query: HurlQuery, _ root: Root) throws(ImportRefusal) -> ExpressionSyntax {
    let name = try name(in: query)
    guard name.hasSuffix("]"), let bracket = name.lastIndex(of: "[") else {
      return root.member("cookies", [.bracketed(name)])
    }
    let attribute = name[name.index(after: bracket)...].dropLast().lowercased()
    let members = [
      "value": "value", "expires": "expires", "max-age": "max-age", "domain": "domain", "path": "path",
      "secure": "secure", "httponly": "http-only", "samesite": "same-site",
    ]
    guard let member = members[attribute] else {
      throw ImportRefusal("a cookie has no attribute \(attribute)", at: query.range)
    }
    return root.member("set-cookie", [.bracketed(String(name[..<bracket])), .member(member)])
  }

  private mutating func certificate(_ query: HurlQuery, _ root: Root) throws(ImportRefusal) -> ExpressionSyntax {
    switch try name(in: query) {
    case "Subject": return root.member("certificate", [.member("subject")])
    case "Issuer": return root.member("certificate", [.member("issuer")])
    case "Start-Date": return root.member("certificate", [.member("validFrom")]).through("to-time")
    case "Expire-Date": return root.member("certificate", [.member("expires")]).through("to-time")
    case "Serial-Number": return root.member("certificate", [.member("serial")])
    case let name: throw ImportRefusal("a certificate has no \(name) here", at: query.range)
    }
  }

  private mutating func pattern(
    _ argument: HurlArgument?, _ range: SourceRange
  ) throws(ImportRefusal) -> ExpressionSyntax {
    switch argument {
    case .regex(let pattern)?: return .string(StringSyntax(raw: pattern))
    case .text(let text)?:
      if let known = try constantText(text) { return .string(StringSyntax(raw: known)) }
      return .string(try string(text))
    case .placeholder(let placeholder)?:
      if case .expression(let value) = try meaning(placeholder) { return value }
    case .number?, nil: break
    }
    throw ImportRefusal("this is not a regular expression", at: range)
  }

  // MARK: JSONPath

  /// Of a path that may find several things, the only one or all.
  private mutating func select(
    _ path: HurlText, from value: ExpressionSyntax
  ) throws(ImportRefusal) -> ExpressionSyntax {
    let segments = try segments(path)
    let found = value.selecting(segments)
    return segments.allSatisfy(\.isSingular) ? found : found.through("unwrap")
  }

  /// The segments of a path as Hurl writes it, with our references for its placeholders.
  private mutating func segments(_ path: HurlText) throws(ImportRefusal) -> [SegmentSyntax] {
    var text = ""
    for (index, piece) in path.pieces.enumerated() {
      switch piece {
      case .text(let part):
        // A text in quotes that is a placeholder and nothing else is the value itself.
        let isAfterValue = index > 0 && (text.last.map { !"[ =".contains($0) } ?? false)
        text += isAfterValue && path.isQuoted(index - 1) ? part.dropFirst() : part[...]
      case .placeholder(let placeholder):
        switch try meaning(placeholder) {
        case .constant(let json): text += json.plainText
        case .expression(.reference(let reference)):
          if path.isQuoted(index) { text.removeLast() }
          text += "$\(text.hasSuffix("[") ? nameOfIndex(reference, placeholder) : reference.root.text)"
        case .expression: throw ImportRefusal("this path cannot be computed", at: path.range)
        }
      }
    }
    text = text.trimmedEnd
    guard text.first == "$" else { throw ImportRefusal("a JSONPath begins with $", at: path.range) }
    let parsed = Parser.parseExpression(SourceText(name: "", text: text), allowsDocument: true)
    guard case .reference(let reference)? = parsed.expression, reference.root.text.isEmpty else {
      throw ImportRefusal("this is not a JSONPath of RFC 9535", at: path.range)
    }
    return reference.segments.map { $0.unplaced }
  }

  /// A number in brackets is an index, whatever it was captured as.
  private mutating func nameOfIndex(_ reference: ReferenceSyntax, _ placeholder: HurlPlaceholder) -> String {
    let name = variables.unused("\(reference.root.text)-index")
    let value = ExpressionSyntax.reference(reference).through("to-int")
    pending.append(StatementSyntax.binding(LetSyntax(name, value)).placed(at: placeholder.range))
    return name
  }

  // MARK: Filters

  mutating func apply(_ filter: HurlFilter, to value: ExpressionSyntax) throws(ImportRefusal) -> ExpressionSyntax {
    switch filter.name.text {
    case "count", "first", "last": return value.through(filter.name.text)
    case "nth": return value.selecting([try element(filter)])
    case "split": return value.through("split", try text(filter, 0))
    case "replace": return value.through("replace", try text(filter, 0), try text(filter, 1))
    case "replaceRegex":
      return value.through("replace-regex", try pattern(filter.arguments.first, filter.range), try text(filter, 1))
    case "regex": return value.through("regex", try pattern(filter.arguments.first, filter.range))
    case "base64Decode", "base64UrlSafeDecode": return value.through("base64-decode")
    case "base64Encode": return value.through("base64")
    case "base64UrlSafeEncode": return value.through("base64-url")
    case "urlEncode": return value.through("url-encode").through("replace", .text("%2F"), .text("/"))
    case "urlDecode": return value.through("url-decode")
    case "urlQueryParam": return value.through("query-param", try text(filter, 0))
    case "htmlEscape": return value.through("html-escape")
    case "htmlUnescape": return value.through("html-unescape")
    case "toFloat": return value.through("to-number")
    case "toInt": return value.through("to-int")
    case "toString": return value.through("to-string")
    case "toHex": return value.through("hex")
    // A text is its bytes wherever bytes are wanted.
    case "utf8Encode": return value
    case "utf8Decode": return value.through("to-text")
    case "decode", "charsetDecode": return value.through("to-text", try text(filter, 0))
    case "dateFormat", "format": return value.through("date", try text(filter, 0))
    case "toDate":
      if case .text(let text)? = filter.arguments.first, text.plain == "%+" { return value.through("to-time") }
      return value.through("to-time", try text(filter, 0))
    case "daysAfterNow": return days(from: .call("now"), to: value)
    case "daysBeforeNow": return days(from: value, to: .call("now"))
    case "jsonpath":
      guard case .text(let path)? = filter.arguments.first else { break }
      return try select(path, from: value.through("parse-json"))
    case "xpath": return value.through("xpath", try text(filter, 0))
    case "location": return value.selecting([.member("location")])
    default: break
    }
    throw ImportRefusal("the filter \(filter.name.text) is not known", at: filter.range)
  }

  private func days(from start: ExpressionSyntax, to end: ExpressionSyntax) -> ExpressionSyntax {
    let difference = ExpressionSyntax.binary(BinarySyntax(end.asOperand, .subtract, start.asOperand)).asOperand
    return ExpressionSyntax.binary(BinarySyntax(difference, .divide, .number(NumberSyntax("24", .h)))).through("to-int")
  }

  private mutating func text(_ filter: HurlFilter, _ index: Int) throws(ImportRefusal) -> ExpressionSyntax {
    guard index < filter.arguments.count else { throw ImportRefusal("an argument is missing", at: filter.range) }
    switch filter.arguments[index] {
    case .text(let text): return try operand(text)
    case .number(let number): return .text(number)
    case .regex(let pattern): return .string(StringSyntax(raw: pattern))
    case .placeholder(let placeholder):
      switch try meaning(placeholder) {
      case .constant(let json): return .text(json.plainText)
      case .expression(let value): return value
      }
    }
  }

  private mutating func element(_ filter: HurlFilter) throws(ImportRefusal) -> SegmentSyntax {
    switch filter.arguments.first {
    case .number(let text)?: if let index = Int(text) { return .element(index) }
    case .placeholder(let placeholder)?:
      switch try meaning(placeholder) {
      case .constant(let json): if let index = json.int { return .element(index) }
      case .expression(.reference(let reference)): return .element(at: reference)
      case .expression: break
      }
    case .text?, .regex?, nil: break
    }
    throw ImportRefusal("this index cannot be computed", at: filter.range)
  }
}

extension HurlText {
  /// Whether the placeholder there is all that is between two quotes.
  fileprivate func isQuoted(_ index: Int) -> Bool {
    guard index > 0, index + 1 < pieces.count, case .text(let before) = pieces[index - 1],
      case .text(let after) = pieces[index + 1], let quote = before.last, quote == "'" || quote == "\""
    else { return false }
    return after.first == quote
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

extension SegmentSyntax {
  /// `[$name]`
  static func element(at reference: ReferenceSyntax) -> SegmentSyntax {
    let nowhere = SourceRange(at: 0)
    let selector = SelectorSyntax(kind: .reference(reference), range: nowhere)
    return SegmentSyntax(kind: .bracket([selector], isDescendant: false), range: nowhere)
  }

  /// Whether it finds one thing at most.
  fileprivate var isSingular: Bool {
    switch kind {
    case .name: return true
    case .bracket(let selectors, isDescendant: false) where selectors.count == 1:
      switch selectors[0].kind {
      case .index, .name, .reference: return true
      case .wildcard, .slice, .filter: return false
      }
    case .wildcard, .descendantName, .descendantWildcard, .bracket: return false
    }
  }

  /// The same, which is in no text yet: its place is in a text that was made for it.
  var unplaced: SegmentSyntax {
    let nowhere = SourceRange(at: 0)
    var segment = self
    segment.range = nowhere
    if case .bracket(var selectors, let isDescendant) = kind {
      for index in selectors.indices {
        selectors[index].range = nowhere
        if case .reference(let reference) = selectors[index].kind {
          selectors[index].kind = .reference(ReferenceSyntax(reference.root.text, reference.segments.map(\.unplaced)))
        }
      }
      segment.kind = .bracket(selectors, isDescendant: isDescendant)
    }
    return segment
  }
}
