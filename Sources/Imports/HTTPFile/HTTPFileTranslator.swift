import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// Makes a script of a `.http` file: each request a step, each variable a `let`.
struct HTTPFileTranslator {
  let source: SourceText
  let isExact: Bool
  /// Where each `{{name}}` is written.
  private let places: [String: [SourceRange]]
  var names: ImportedNames
  var profiles = ImportedProfiles(name: "http", settings: Self.defaults)
  var statements: [StatementSyntax] = []
  var comments: [CommentSyntax] = []
  var notes: [ImportNote] = []
  var pending: [StatementSyntax] = []
  /// Whether JSON is written in other bytes than it has in the file.
  private var rewritesJSON = false
  /// The variables of the file, whose values are looked up when they are used.
  private var variables: [String: HTTPFileText] = [:]
  /// Those that have become a `let`.
  private var declared: [String: String] = [:]
  private var declaredNames: Set<String> = []
  /// How long they are at least, in bytes, with those that they are made of.
  private var sizes: [String: Int] = [:]
  /// Nobody writes a longer one by hand, and each may be twice the one before it.
  private static let longestVariable = 1 << 20
  private static let deepestVariable = 100
  /// What is written out where it is used, in bytes.
  private var repeated = 0
  private static let longestRepetition = 1 << 20
  private var declarations: [StatementSyntax] = []
  /// Those that are being looked up, so that none is made of itself.
  private var open: Set<String> = []
  /// The labels of the requests that have a name.
  private var labels: [String: String] = [:]
  private var labelNames: Set<String> = []

  /// What editors do: they keep cookies and send once.
  private static let defaults: [SettingSyntax.Kind] = [.cookies(isOn: true), .clause(ClauseSyntax(.retry(.none)))]

  private init(_ source: SourceText, isExact: Bool, values: [String: String]) {
    self.source = source
    self.isExact = isExact
    places = source.placeholders(inComments: true)
    names = ImportedNames(values.mapValues { .string($0) })
  }

  static func translate(_ source: SourceText, isExact: Bool = false, values: [String: String]) -> ImportedScript {
    do throws(ImportRefusal) {
      let file = try HTTPFileParser.parse(source)
      var translator = HTTPFileTranslator(source, isExact: isExact, values: values)
      translator.add(file)
      return translator.finished()
    } catch {
      let note = ImportNote(.refused, error.message, hint: error.hint, at: error.range)
      return ImportedScript(source: source, script: ScriptSyntax([]), notes: [note])
    }
  }

  private mutating func finished() -> ImportedScript {
    let credentials = CapturedCredentials(in: statements, declarations)
    let statements = credentials.concealed(in: statements, for: profiles, &names)
    let (outside, secrets) = profiles.declarations(of: names.fromOutside, credentials, in: source) { $0 }
    // A secret is bound to the profiles, and what is made of one comes after it.
    var late = Set(secrets.compactMap { if case .secret(let node) = $0 { node.name.text } else { nil } })
    var (early, rest): ([StatementSyntax], [StatementSyntax]) = ([], [])
    for declaration in declarations {
      guard case .binding(let node) = declaration else { continue }
      var isLate = false
      node.value.forEachReference { isLate = isLate || late.contains($0.root.text) }
      if isLate {
        late.insert(node.name.text)
        rest.append(declaration)
      } else {
        early.append(declaration)
      }
    }
    let script = ScriptSyntax(
      outside + early + profiles.statements + secrets + rest + statements,
      comments: comments.sorted { $0.range.lowerBound < $1.range.lowerBound })
    return ImportedScript(source: source, script: script, notes: notes, rewritesJSON: rewritesJSON)
  }

  private mutating func add(_ file: HTTPFile) {
    comments = file.comments
    for (name, value) in file.variables where !names.isKnown(name) { variables[name] = value }
    for refusal in file.refusals { refuse(refusal, at: refusal.range) }
    let own = file.requests.map { request in request.name.map { names.unused($0) } }
    labelNames = Set(own.compactMap(\.self))
    for (request, label) in zip(file.requests, own) {
      guard let name = request.name, let label else { continue }
      if labels[name] == nil {
        labels[name] = label
      } else {
        let message = "a request before this is called \(name), too: this one becomes \(label)"
        notes.append(ImportNote(.warning, message, at: request.method.range))
      }
    }
    for (request, label) in zip(file.requests, own) {
      // From here on, the name is that of this one.
      if let name = request.name { labels[name] = label }
      add(request)
    }
  }

  /// What is left out is kept as a comment.
  private mutating func refuse(_ refusal: ImportRefusal, at range: SourceRange) {
    notes.append(ImportNote(.refused, refusal.message, hint: refusal.hint, at: refusal.range))
    let text = source[range].split(whereSeparator: \.isNewline).joined(separator: " ")
    comments.append(
      CommentSyntax(text: "# not translated: \(text)", range: range, standsAlone: true, endsParagraph: false))
  }

  private mutating func add(_ request: HTTPFileRequest) {
    pending = []
    do throws(ImportRefusal) {
      try refuseUnknown(request)
      var handlers = HandlerTranslator(label: label(of: request))
      for handler in request.handlers { handlers.read(handler) }
      notes += handlers.notes
      let step = try step(request, label: handlers.needsLabel || request.name != nil ? handlers.label : nil, handlers)
      statements += pending.map { $0.placed(at: request.range) }
      statements.append(StatementSyntax.step(step).placed(at: request.range))
      for (name, value) in handlers.values {
        let bound = names.bind(name)
        statements.append(StatementSyntax.binding(LetSyntax(bound, value)).placed(at: request.range))
      }
    } catch {
      refuse(error, at: request.range)
    }
  }

  private mutating func label(of request: HTTPFileRequest) -> String {
    if let name = request.name, let label = labels[name] { return label }
    let words = (request.title ?? "").lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.prefix(4)
    return names.unused(words.isEmpty ? request.method.text.lowercased() : words.joined(separator: "-"))
  }

  private func refuseUnknown(_ request: HTTPFileRequest) throws(ImportRefusal) {
    if ["WEBSOCKET", "GRPC", "MQTT", "RSOCKET", "AMQP"].contains(request.method.text) {
      throw ImportRefusal("\(request.method.text) is not spoken here", at: request.method.range)
    }
  }

  private mutating func step(
    _ request: HTTPFileRequest, label: String?, _ handlers: HandlerTranslator
  ) throws(ImportRefusal) -> StepSyntax {
    var url = request.url
    var headers = request.headers
    // A path alone goes to the host that a header names.
    if url.text.hasPrefix("/"), let index = headers.firstIndex(where: { $0.name.lowercased() == "host" }) {
      let host = headers[index].value.text
      url.text = (host.contains("://") ? host : "http://\(host)") + url.text
      headers.remove(at: index)
    } else if !url.text.contains("://"), !url.text.hasPrefix("{{") {
      url.text = "http://\(url.text)"
    }
    // As editors encode what they are given.
    let pieces = try self.pieces(url).map { piece -> StringSyntax.Piece in
      if case .text(let text) = piece { .text(text.replacing(" ", with: "%20")) } else { piece }
    }
    let address = try address(pieces, at: url.range)
    let profile = profiles.add(address.place, ImportedProfiles.Connection())
    var clauses = try content(request, headers)
    if let user = address.user {
      clauses.append(ClauseSyntax.auth(.basic, .text(user.name), .text(user.password)).placed(at: url.range))
    }
    if address.isUnknown { clauses.append(ClauseSyntax(.profile(NameSyntax(profile))).placed(at: url.range)) }
    clauses += directives(request.directives)
    for preparation in request.preparations {
      notes.append(
        ImportNote(
          .refused, "a script that may change the request is not run", hint: "write what it sends",
          at: preparation.range))
    }
    if !request.preparations.isEmpty { clauses.append(ClauseSyntax.never.placed(at: request.method.range)) }
    if let output = request.output { clauses.append(try save(output)) }
    if !handlers.namesStatus { clauses.append(ClauseSyntax(.expectStatus([.any])).placed(at: request.method.range)) }
    clauses += handlers.expectations
    let method = request.method.text == "GRAPHQL" ? "POST" : request.method.text
    return StepSyntax(label: label, method, address.target, clauses)
  }

  private func address(
    _ pieces: [StringSyntax.Piece], at range: SourceRange
  ) throws(ImportRefusal) -> ImportedAddress {
    try ImportedAddress(pieces, at: range, keepsDotSegments: false, isExact: isExact) {
      names.isFromOutside($0) || declaredNames.contains($0)
    }
  }

  private mutating func directives(_ directives: [NameSyntax]) -> [ClauseSyntax] {
    var clauses: [ClauseSyntax] = []
    for directive in directives {
      switch directive.text {
      case "no-redirect": clauses.append(ClauseSyntax(.redirects(nil)).placed(at: directive.range))
      case "no-log", "note", "no-auto-encoding", "title", "description", "secret": continue
      case "prompt":
        notes.append(
          ImportNote(
            .warning, "nobody is asked for a value",
            hint: "give it in the environment, or with --set if it is no secret",
            at: directive.range))
      case let other:
        notes.append(ImportNote(.warning, "@\(other) is not done here", at: directive.range))
      }
    }
    return clauses
  }

  // MARK: Headers and bodies

  private mutating func content(
    _ request: HTTPFileRequest, _ headers: [(name: String, value: HTTPFileText, range: SourceRange)]
  ) throws(ImportRefusal) -> [ClauseSyntax] {
    var clauses: [ClauseSyntax] = []
    var type: StringSyntax?
    var isGraphQL = request.method.text == "GRAPHQL"
    for header in headers {
      switch header.name.lowercased() {
      case "content-type" where !request.body.isEmpty: type = StringSyntax(try pieces(header.value))
      case "x-request-type" where header.value.text.lowercased() == "graphql": isGraphQL = true
      case "authorization": clauses.append(try authorization(header.value).placed(at: header.range))
      default: clauses.append(ClauseSyntax.header(header.name, try value(header.value)).placed(at: header.range))
      }
    }
    guard let first = request.body.first else { return clauses }
    return try body(request.body, type: type, isGraphQL: isGraphQL).map { $0.placed(at: first.range) } + clauses
  }

  /// `Basic user password`, `Basic user:password` and `Bearer token` as editors have them.
  private mutating func authorization(_ text: HTTPFileText) throws(ImportRefusal) -> ClauseSyntax {
    let words = text.text.split(separator: " ", maxSplits: 2).map(String.init)
    func part(_ word: String) throws(ImportRefusal) -> ExpressionSyntax {
      try operand(HTTPFileText(text: word, range: text.range))
    }
    switch (words.first?.lowercased(), words.count) {
    case ("bearer", 2): return ClauseSyntax.auth(.bearer, try part(words[1]))
    case ("basic", 3): return ClauseSyntax.auth(.basic, try part(words[1]), try part(words[2]))
    case ("basic", 2) where words[1].contains(":"):
      let sides = words[1].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return ClauseSyntax.auth(.basic, try part(sides[0]), try part(sides[1]))
    default: return ClauseSyntax.header("Authorization", try value(text))
    }
  }

  private mutating func body(
    _ lines: [HTTPFileBodyLine], type: StringSyntax?, isGraphQL: Bool
  ) throws(ImportRefusal) -> [ClauseSyntax] {
    let essence = type?.plainText.map(MediaType.essence) ?? ""
    if essence == "multipart/form-data" { return [try multipart(lines)] }
    if lines.count == 1, case .file(let path, let range) = lines[0] {
      return [ClauseSyntax(.body(try file(path, range), TypedSyntax(type: type)))]
    }
    var text = ""
    for line in lines {
      guard case .text(let part, _) = line else {
        throw ImportRefusal("a body of texts and files together is not sent", at: line.range)
      }
      if !text.isEmpty { text += essence == "application/x-www-form-urlencoded" ? "" : "\n" }
      text += essence == "application/x-www-form-urlencoded" ? part.trimmed : part
    }
    let whole = HTTPFileText(text: text, range: lines[0].range)
    if isGraphQL { return [try graphQL(whole)] }
    if type == nil || MediaType.isJSON(essence), !text.contains("{{"), !isExact,
      essence.isEmpty || essence == "application/json", let json = try? JSON(parsing: Array(text.utf8)),
      json.repeatedKeys.isEmpty
    {
      rewritesJSON = rewritesJSON || !text.isCompactJSON
      return [ClauseSyntax(.json(ExpressionSyntax(json)))]
    }
    let value = ExpressionSyntax.string(StringSyntax(try pieces(whole)))
    let body = ClauseSyntax(.body(value, TypedSyntax(type: type)))
    return type == nil ? [body, .omittedHeader("Content-Type")] : [body]
  }

  /// The query, then after an empty line the variables as JSON.
  private mutating func graphQL(_ text: HTTPFileText) throws(ImportRefusal) -> ClauseSyntax {
    var query = text
    var variables: ExpressionSyntax?
    if let match = text.text.firstRange(of: "\n\n"),
      let json = try? JSON(parsing: Array(text.text[match.upperBound...].utf8))
    {
      variables = ExpressionSyntax(json)
      query.text = String(text.text[..<match.lowerBound])
    }
    return ClauseSyntax(.graphql(StringSyntax(try pieces(query)), variables: variables))
  }

  /// The parts of a form that is written out with its boundary.
  private mutating func multipart(_ lines: [HTTPFileBodyLine]) throws(ImportRefusal) -> ClauseSyntax {
    var members: [ObjectSyntax.Member] = []
    var part: (name: String, fileName: String?, type: String?)?
    var content: ExpressionSyntax?
    var texts: [String] = []
    var beginning: SourceRange?
    var isInHead = false
    func close(_ translator: inout HTTPFileTranslator, _ range: SourceRange) throws(ImportRefusal) {
      guard let open = part else { return }
      let text = HTTPFileText(text: texts.joined(separator: "\n"), range: beginning ?? range)
      let value: ExpressionSyntax
      if let content { value = content } else { value = try translator.operand(text) }
      members.append(.field(open.name, value, TypedSyntax(type: open.type, fileName: open.fileName)))
      (part, content, texts, beginning) = (nil, nil, [], nil)
    }
    for line in lines {
      switch line {
      case .file(let path, let range): content = try file(path, range)
      case .text(let text, let range):
        if text.trimmed.hasPrefix("--") {
          try close(&self, range)
          part = ("", nil, nil)
          isInHead = true
          if text.trimmed.hasSuffix("--") { part = nil }
        } else if isInHead {
          if text.trimmed.isEmpty { isInHead = false }
          let folded = text.trimmed.lowercased()
          if folded.hasPrefix("content-disposition:") {
            part?.name = text.firstMatch(of: /[; ]name="([^"]*)"/).map { String($0.output.1) } ?? ""
            part?.fileName = text.firstMatch(of: /filename="([^"]*)"/).map { String($0.output.1) }
          } else if folded.hasPrefix("content-type:") {
            part?.type = text.trimmed.dropFirst(13).trimmed
          }
        } else {
          beginning = beginning ?? range
          texts.append(text)
        }
      }
    }
    try close(&self, lines[0].range)
    return ClauseSyntax(.multipart(.object(ObjectSyntax(members))))
  }

  private func file(_ path: String, _ range: SourceRange) throws(ImportRefusal) -> ExpressionSyntax {
    if path.contains("{{") { throw ImportRefusal("the name of this file cannot be computed", at: range) }
    let file = try ImportedFile(path, .read, in: source, at: range)
    return ExpressionSyntax.call("file", .text(file.path)).placed(at: range)
  }

  /// `>> file`, `>>! file`: what is computed in its name is nothing that may lead elsewhere.
  private mutating func save(_ output: HTTPFileText) throws(ImportRefusal) -> ClauseSyntax {
    let computed = /{{\s*\$(guid|uuid|random\.uuid|timestamp|randomInt|random\.integer)\b[^{}]*}}/
    let path = output.text.replacing(computed, with: "0")
    if path.contains("{{") { throw ImportRefusal("the name of this file cannot be computed", at: output.range) }
    let file = try ImportedFile(path, .write, in: source, at: output.range)
    let isPlain = path == output.text
    return ClauseSyntax(.save(isPlain ? .text(file.path) : try operand(output))).placed(at: output.range)
  }
}

extension HTTPFileBodyLine {
  fileprivate var range: SourceRange {
    switch self {
    case .text(_, let range), .file(_, let range): range
    }
  }
}

// MARK: - Variables

extension HTTPFileTranslator {
  /// The text with our expressions in the place of `{{…}}`.
  mutating func pieces(_ text: HTTPFileText) throws(ImportRefusal) -> [StringSyntax.Piece] {
    var pieces: [StringSyntax.Piece] = []
    var rest = text.text[...]
    while let start = rest.firstRange(of: "{{") {
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else { break }
      pieces.append(.text(String(rest[..<start.lowerBound])))
      let name = rest[start.upperBound..<end.lowerBound].trimmed
      let place = place(of: name, in: text)
      pieces.append(piece(try value(named: name, place), place))
      rest = rest[end.upperBound...]
    }
    return StringSyntax(pieces + [.text(String(rest))]).pieces
  }

  /// Where `{{name}}` is written, which may be lines below the beginning of the text.
  private func place(of name: String, in text: HTTPFileText) -> SourceRange {
    guard let places = places[name] else { return text.range }
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].lowerBound < text.range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < places.count ? places[low] : text.range
  }

  private mutating func piece(_ value: ExpressionSyntax, _ range: SourceRange) -> StringSyntax.Piece {
    if let text = value.plainText { return .text(text) }
    if value.beginsWithReference { return .interpolation(value.placed(at: range)) }
    let name = names.unused("value")
    pending.append(StatementSyntax.binding(LetSyntax(name, value)).placed(at: range))
    return .interpolation(ExpressionSyntax.reference(name).placed(at: range))
  }

  mutating func value(_ text: HTTPFileText) throws(ImportRefusal) -> ExpressionSyntax {
    let pieces = try pieces(text)
    if pieces.count == 1, case .interpolation(let value) = pieces[0] { return value }
    let string = StringSyntax(pieces)
    return (string.plainText.map { ExpressionSyntax.value($0) } ?? .string(string)).placed(at: text.range)
  }

  mutating func operand(_ text: HTTPFileText) throws(ImportRefusal) -> ExpressionSyntax {
    let value = try value(text)
    return value.plainText.map { ExpressionSyntax.text($0).placed(at: text.range) } ?? value
  }

  /// What `{{name}}` stands for.
  private mutating func value(named name: String, _ range: SourceRange) throws(ImportRefusal) -> ExpressionSyntax {
    if name.hasPrefix("$") { return try dynamic(name, range) }
    if let reference = try response(name, range) { return reference }
    // What is made of a variable of its own name is that of the environment.
    if let text = variables[name], !(open.contains(name) && text.text.contains("{{\(name)}}")) {
      return try fileVariable(name, text, range)
    }
    // Some editors allow dots.
    guard let name = ImportedNames.plain(name) else {
      throw ImportRefusal("{{\(name)}} cannot be computed here", at: range)
    }
    switch names.meaning(of: name) {
    case .constant(let json): return .text(json.plainText)
    case .name(let name): return .reference(name)
    case .part(let part): return part
    }
  }

  private mutating func fileVariable(
    _ name: String, _ text: HTTPFileText, _ range: SourceRange
  ) throws(ImportRefusal) -> ExpressionSyntax {
    if let known = declared[name] { return .reference(known) }
    guard open.insert(name).inserted else {
      throw ImportRefusal("the variable \(name) is made of itself", at: text.range)
    }
    guard repeated <= Self.longestRepetition else {
      throw ImportRefusal("variables of this file would be written out too often", at: text.range)
    }
    guard open.count <= Self.deepestVariable else {
      throw ImportRefusal("a variable is made of more than \(Self.deepestVariable) others", at: text.range)
    }
    defer { open.remove(name) }
    let first = pending.count
    let value = try operand(text)
    let parts = text.text.matches(of: /{{\s*([^{}]+?)\s*}}/).map { sizes[String($0.output.1)] ?? 0 }
    let size = parts.reduce(text.text.utf8.count, +)
    guard size <= Self.longestVariable else {
      throw ImportRefusal("the variable \(name) would be longer than 1 MiB", at: text.range)
    }
    sizes[name] = size
    // What comes from a response is looked up where it is used.
    if value.readsStep(labelNames) {
      repeated += size
      return value
    }
    let bound = names.unused(name)
    declared[name] = bound
    declaredNames.insert(bound)
    // What it is made of is there before it.
    declarations += pending[first...]
    pending.removeSubrange(first...)
    declarations.append(StatementSyntax.binding(LetSyntax(bound, value)))
    return .reference(bound)
  }

  /// `login.response.body.token`, `login.response.body.$.token`, `login.response.headers.X`
  private func response(_ name: String, _ range: SourceRange) throws(ImportRefusal) -> ExpressionSyntax? {
    let parts = name.split(separator: ".", maxSplits: 3).map(String.init)
    guard parts.count >= 3, let label = labels[parts[0]], parts[1] == "response" || parts[1] == "request" else {
      return nil
    }
    let root: [SegmentSyntax] = parts[1] == "request" ? [.member("request")] : []
    guard parts.count == 4, parts[3] != "*" else { return .reference(label, root + [.member(parts[2])]) }
    if parts[2] == "cookies" {
      // The value, or an attribute: `token.value`, `token.domain`.
      let names = parts[3].split(separator: ".").map(String.init)
      let attribute = names.count > 1 ? names[1].lowercased() : "value"
      guard parts[1] == "response", names.count <= 2, let member = Self.cookieMembers[attribute] else { return nil }
      return .reference(label, [.member("set-cookie"), .bracketed(names[0]), .member(member)])
    }
    if parts[2] == "headers" { return .reference(label, root + [.member("headers"), .bracketed(parts[3])]) }
    if parts[3].hasPrefix("//") || parts[3].hasPrefix("/") {
      let text = ExpressionSyntax.reference(label, root + [.member("text")])
      return text.through("xpath", .text(parts[3])).through("unwrap")
    }
    if parts[3] == "$" { return .reference(label, root + [.member("body")]) }
    let path = parts[3].hasPrefix("$") ? parts[3] : "$.\(parts[3])"
    let parsed = Parser.parseExpression(SourceText(name: "", text: path), allowsDocument: true)
    guard case .reference(let reference)? = parsed.expression, reference.root.text.isEmpty else {
      throw ImportRefusal("this is not a JSONPath of RFC 9535", at: range)
    }
    return .reference(label, root + [.member("body")] + reference.segments.map(\.unplaced))
  }

  /// What an attribute of a cookie is called here.
  private static let cookieMembers = [
    "value": "value", "domain": "domain", "path": "path", "expires": "expires", "maxage": "max-age",
    "max-age": "max-age", "secure": "secure", "httponly": "http-only", "samesite": "same-site",
  ]

  /// `$guid`, `$timestamp`, `$randomInt 1 10`, …
  private func dynamic(_ name: String, _ range: SourceRange) throws(ImportRefusal) -> ExpressionSyntax {
    let words = name.split { $0 == " " || $0 == "(" || $0 == ")" || $0 == "," }.map(String.init)
    func random(_ low: String?, _ high: String?) throws(ImportRefusal) -> ExpressionSyntax {
      guard let low = Int(low ?? "0"), let high = Int(high ?? "1000"), low >= 0, high > low else {
        throw ImportRefusal("expected two numbers, the smaller first", at: range)
      }
      return .call("random", .number(NumberSyntax("\(low)")), .number(NumberSyntax("\(high - 1)")))
    }
    func now(_ format: String?) -> ExpressionSyntax {
      let time = ExpressionSyntax.call("now")
      return format.map { time.through("date", .text($0)) } ?? time.through("date")
    }
    switch words.first {
    case "$guid"?, "$uuid"?, "$random.uuid"?: return .call("uuid")
    case "$timestamp"? where words.count == 1: return now("%s")
    case "$isoTimestamp"?: return now(nil)
    case "$datetime"? where words.count == 2 && words[1] == "iso8601": return now(nil)
    case "$datetime"? where words.count == 2 && words[1] == "rfc1123": return now("%a, %d %b %Y %T GMT")
    case "$randomInt"?, "$random.integer"?: return try random(words.dropFirst().first, words.dropFirst(2).first)
    case "$dotenv"? where words.count == 2, "$processEnv"? where words.count == 2: return .environment(words[1])
    case .some(let word) where word.hasPrefix("$env.") && words.count == 1:
      return .environment(String(word.dropFirst(5)))
    default: throw ImportRefusal("{{\(name)}} cannot be computed here", at: range)
    }
  }
}

extension ExpressionSyntax {
  /// Whether it looks into a response.
  fileprivate func readsStep(_ labels: Set<String>) -> Bool {
    var reads = false
    forEachReference { reads = reads || labels.contains($0.root.text) }
    return reads
  }
}
