internal import Diagnostics
internal import Imports
internal import JSONValue
internal import RequestSyntax
internal import Requests

/// Reads a script as far as other tools can say the same: requests one after another, values of earlier responses, and
/// what is expected. Anything else becomes a note.
struct ExportReader {
  private(set) var steps: [ExportedStep] = []
  private(set) var notes: [ImportNote] = []
  /// Variables that have to be given.
  private(set) var variables: [String] = []
  /// What names stand for.
  private var values: [String: ExportedStep.Text] = [:]
  private var labels: [String: Int] = [:]
  private var profiles: [ProfileSyntax] = []
  /// What the other tool calls functions of ours.
  private let functions: [String: String]

  /// - Parameter functions: those whose value the other tool makes anew wherever it is written.
  init(_ script: ScriptSyntax, functions: [String: String] = [:]) {
    self.functions = functions
    for case .profile(let profile) in script.statements { profiles.append(profile) }
    for statement in script.statements { read(statement) }
  }

  private struct Refusal: Error {
    var message: String
    var range: SourceRange
  }

  private mutating func read(_ statement: StatementSyntax) {
    do throws(Refusal) {
      switch statement {
      case .profile, .tags: break
      case .binding(let node): try bind(node.name.text, node.value)
      case .secret(let node): try bind(node.name.text, node.value)
      case .step(let step): steps.append(try exported(step.withoutItems))
      case .run, .sequence, .loop, .parallel, .finally, .use:
        throw Refusal(message: "this is left out: other tools have no such statement", range: statement.range)
      }
    } catch {
      let note = ImportNote(.refused, error.message, at: error.range)
      // A profile's setting is of each of its steps.
      if !notes.contains(note) { notes.append(note) }
    }
  }

  private mutating func bind(_ name: String, _ value: ExpressionSyntax) throws(Refusal) {
    var (whole, filters): (ExpressionSyntax, [CallSyntax]) = (value, [])
    while case .pipe(let node) = whole {
      filters.insert(node.call, at: 0)
      whole = node.input
    }
    if case .reference(let reference) = whole, let index = labels[reference.root.text],
      case .name(let member)? = reference.segments.first?.kind
    {
      steps[index].captures.append(
        .init(variable: name, member: member, path: Array(reference.segments.dropFirst()), filters: filters))
      values[name] = ExportedStep.Text(variable: name)
      return
    }
    // A value that is made once.
    if case .call = whole { throw Refusal(message: Self.computed, range: value.range) }
    values[name] = try text(value)
  }

  private static let computed = "this value is computed when the script runs, and cannot be exported"

  // MARK: Texts

  private mutating func text(_ value: ExpressionSyntax) throws(Refusal) -> ExportedStep.Text {
    switch value {
    case .string(let string): return try text(string.pieces)
    case .word(let word): return try text(word.pieces.map { StringSyntax.Piece($0) })
    case .number(let number) where number.unit == nil: return ExportedStep.Text(number.text)
    case .literal(let literal): return ExportedStep.Text(literal.kind.rawValue)
    case .parenthesized(let node): return try text(node.inner)
    case .reference(let reference): return try text(reference)
    case .call(let call) where call.arguments.isEmpty && functions[call.name.text] != nil:
      return ExportedStep.Text(variable: functions[call.name.text] ?? "")
    default: throw Refusal(message: Self.computed, range: value.range)
    }
  }

  private mutating func text(_ pieces: [StringSyntax.Piece]) throws(Refusal) -> ExportedStep.Text {
    var all = ExportedStep.Text("")
    for piece in pieces {
      switch piece {
      case .text(let text): all = all + ExportedStep.Text(text)
      case .interpolation(let value): all = all + (try text(value))
      }
    }
    return all
  }

  private mutating func text(_ reference: ReferenceSyntax) throws(Refusal) -> ExportedStep.Text {
    let name = reference.root.text
    if reference.segments.isEmpty, let value = values[name] { return value }
    if name == "env", case .name(let variable)? = reference.segments.first?.kind {
      if !variables.contains(variable) { variables.append(variable) }
      return ExportedStep.Text(variable: variable)
    }
    guard let index = labels[name], case .name(let member)? = reference.segments.first?.kind else {
      throw Refusal(message: "$\(name) is not known to other tools", range: reference.range)
    }
    let path = Array(reference.segments.dropFirst())
    if let known = steps[index].captures.first(where: { $0.member == member && $0.path == path && $0.filters.isEmpty })
    {
      return ExportedStep.Text(variable: known.variable)
    }
    let words = "\(name)_\(member)\(SyntaxPrinter.print(path))".map {
      $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_"
    }
    let variable = String(words)
    steps[index].captures.append(.init(variable: variable, member: member, path: path))
    return ExportedStep.Text(variable: variable)
  }

  // MARK: Steps

  private mutating func exported(_ step: StepSyntax) throws(Refusal) -> ExportedStep {
    let (url, profile) = try address(step.target)
    var exported = ExportedStep(method: step.method.text, url: url, range: step.range)
    if let profile, profile.keepsCookies { exported.jar = profile.name.text }
    let hasOwnCredential = step.clauses.contains(where: \.isCredential)
    for case .clause(let clause) in profile?.settings.map(\.kind) ?? []
    // What the step does not send may come from its own response.
    where !(hasOwnCredential && clause.isCredential) {
      try take(clause, into: &exported)
    }
    for clause in step.clauses { try take(clause, into: &exported) }
    if let label = step.label { labels[label.text] = steps.count }
    labels["\(steps.count + 1)"] = steps.count
    return exported
  }

  private mutating func address(_ target: TargetSyntax) throws(Refusal) -> (ExportedStep.Text, ProfileSyntax?) {
    switch target {
    case .string(let string): return found(try text(string.pieces).spelledAsURL, target.range)
    case .expression(let value): return found(try text(value), target.range)
    case .reference(let reference, let tail):
      let start = try text(reference)
      return found(start + (try url(tail?.pieces ?? [])), target.range)
    case .word(let word):
      var text = try url(word.pieces)
      guard case .text(let start)? = text.pieces.first, !start.contains("://") else { return found(text, target.range) }
      let name = start.firstIndex(of: ":").map { String(start[..<$0]) }
      let based = profiles.filter { $0.base != nil }
      guard let profile = name.map({ name in based.first { $0.name.text == name } }) ?? based.first,
        let base = profile.base
      else {
        throw Refusal(message: "no profile says where this path is", range: word.range)
      }
      text.pieces[0] = .text(name == nil ? start : String(start.dropFirst((name?.count ?? 0) + 1)))
      return (try self.text(base) + text, profile)
    }
  }

  /// The pieces of a word in a URL: its own text says where things end, and its expressions are encoded.
  private mutating func url(_ pieces: [WordSyntax.Piece]) throws(Refusal) -> ExportedStep.Text {
    var url = ExportedStep.Text("")
    for piece in pieces {
      switch piece {
      case .text: url = url + (try text([StringSyntax.Piece(piece)]))
      case .interpolation(let value, let keepsReserved):
        let encoding = keepsReserved ? PercentEncoding.reserved : .component
        for piece in try text(value).pieces {
          switch piece {
          case .text(let text): url.pieces.append(.text(encoding.encode(text)))
          case .variable(let name), .encoded(let name, _):
            url.pieces.append(.encoded(name, keepsReserved: keepsReserved))
          }
        }
      }
    }
    return url.spelledAsURL
  }

  /// The profile that has the URL's origin. What a variable has is not known, so no credential is sent there.
  private mutating func found(_ url: ExportedStep.Text, _ range: SourceRange) -> (ExportedStep.Text, ProfileSyntax?) {
    guard let origin = url.origin else {
      if profiles.contains(where: \.hasCredential) {
        let message = "no profile's credential is exported here: the host is known only when the script runs"
        notes.append(ImportNote(.warning, message, at: range))
      }
      return (url, nil)
    }
    let profile = profiles.first { profile in
      profile.settings.contains { setting in
        switch setting.kind {
        case .base(let value): value.plainText.flatMap { ExportedStep.Text($0).origin } == origin
        case .origin(let value): value.plainText.flatMap { try? OriginPattern($0) }?.matches(origin) ?? false
        default: false
        }
      }
    }
    return (url, profile)
  }

  private mutating func take(_ clause: ClauseSyntax, into step: inout ExportedStep) throws(Refusal) {
    switch clause.kind {
    case .json(let value): step.body = .json(try json(value))
    case .form(.object(let object)): step.body = .form(try fields(.object(object)))
    case .multipart(.object(let object)): step.body = .multipart(try parts(object))
    case .text(let value): step.body = .text(try text(value), type: "text/plain; charset=utf-8")
    case .body(let value, let typed):
      if let path = value.filePath {
        step.body = .file(path, type: typed.type?.plainText)
      } else {
        step.body = .text(try text(value), type: typed.type?.plainText)
      }
    case .retry, .effect, .limit, .profile: break
    case .header(.omitted(let name)):
      step.headers.removeAll { $0.name.lowercased() == name.text.lowercased() }
      step.omittedHeaders.append(name.text)
    case .header(let fields):
      let added = try self.fields(fields)
      step.headers.removeAll { old in added.contains { $0.name.lowercased() == old.name.lowercased() } }
      step.omittedHeaders.removeAll { old in added.contains { $0.name.lowercased() == old.lowercased() } }
      step.headers += added
    case .query(let fields): step.query += try self.fields(fields)
    case .auth(.none): step.user = nil
    case .auth(.scheme(.bearer, let values)):
      step.headers.append(.init(name: "Authorization", value: ExportedStep.Text("Bearer ") + (try text(values[0]))))
    case .auth(.scheme(.basic, let values)) where values.count == 2:
      step.user = (try text(values[0]), try text(values[1]))
    case .expectStatus(let statuses): step.statuses = statuses
    case .expect(let condition): step.conditions.append(condition)
    case .timeout(let value): step.timeout = SyntaxPrinter.print(value)
    case .wait(let value): step.wait = SyntaxPrinter.print(value)
    case .redirects(let count): step.redirects = count ?? 0
    case .when(.literal(let literal)) where literal.kind == .false: step.isSkipped = true
    case .form, .multipart, .graphql, .auth, .when, .repetition, .stream, .save:
      throw Refusal(message: "\(clause.keyword.text) is not exported", range: clause.range)
    }
  }

  private mutating func fields(_ fields: FieldsSyntax) throws(Refusal) -> [ExportedStep.Field] {
    switch fields {
    case .omitted: return []
    case .field(let name, let value): return [.init(name: name.text, value: try text(value))]
    case .object(let object):
      var all: [ExportedStep.Field] = []
      for member in object.members {
        guard case .field(let key, let value, _) = member, let name = key.plainText else {
          throw Refusal(message: "names that are computed when the script runs cannot be exported", range: object.range)
        }
        if case .array(let array) = value {
          for case .value(let element) in array.elements { all.append(.init(name: name, value: try text(element))) }
        } else {
          all.append(.init(name: name, value: try text(value)))
        }
      }
      return all
    }
  }

  private mutating func parts(_ object: ObjectSyntax) throws(Refusal) -> [ExportedStep.Part] {
    var parts: [ExportedStep.Part] = []
    for member in object.members {
      guard case .field(let key, let value, let typed) = member, let name = key.plainText else {
        throw Refusal(message: "names that are computed when the script runs cannot be exported", range: object.range)
      }
      let path = value.filePath
      let text: ExportedStep.Text
      if let path { text = ExportedStep.Text(path) } else { text = try self.text(value) }
      parts.append(
        .init(
          field: .init(name: name, value: text), isFile: path != nil, type: typed.type?.plainText,
          fileName: typed.fileName?.plainText))
    }
    return parts
  }

  /// The text of a JSON body. What a variable has is sent as a text.
  private mutating func json(_ value: ExpressionSyntax) throws(Refusal) -> ExportedStep.Text {
    switch value {
    case .object(let object):
      var text = ExportedStep.Text("{")
      for (index, member) in object.members.enumerated() {
        guard case .field(let key, let value, _) = member, let name = key.plainText else {
          throw Refusal(message: "names that are computed when the script runs cannot be exported", range: object.range)
        }
        text = text + ExportedStep.Text("\(index > 0 ? "," : "")\(JSON.string(name)):") + (try json(value))
      }
      return text + ExportedStep.Text("}")
    case .array(let array):
      var text = ExportedStep.Text("[")
      for (index, element) in array.elements.enumerated() {
        guard case .value(let value) = element else {
          throw Refusal(message: "this array is computed", range: array.range)
        }
        text = text + ExportedStep.Text(index > 0 ? "," : "") + (try json(value))
      }
      return text + ExportedStep.Text("]")
    case .unary(let node) where node.operator == .negate: return ExportedStep.Text("-") + (try json(node.operand))
    case .number, .literal: return try text(value)
    default:
      let inner = try text(value)
      if inner.hasVariable {
        notes.append(ImportNote(.warning, "what a variable has is sent as a text in JSON", at: value.range))
      }
      var quoted = ExportedStep.Text("\"")
      for piece in inner.pieces {
        switch piece {
        case .text(let text):
          quoted = quoted + ExportedStep.Text(String(JSON.string(text).description.dropFirst().dropLast()))
        case .variable, .encoded: quoted.pieces.append(piece)
        }
      }
      return quoted + ExportedStep.Text("\"")
    }
  }
}

extension ExportedStep.Text {
  /// With what nobody may write in a path or a query as it is: spaces, and what is not ASCII.
  fileprivate var spelledAsURL: Self {
    var spelled = self
    var isInHost = true
    for (index, piece) in pieces.enumerated() {
      guard case .text(let text) = piece else { continue }
      let start = isInHost ? text.originEnd ?? text.startIndex : text.startIndex
      isInHost = isInHost && start == text.endIndex
      let rest = text[start...].map { character in
        character == " " || !character.isASCII ? PercentEncoding.component.encode(String(character)) : String(character)
      }
      spelled.pieces[index] = .text(text[..<start] + rest.joined())
    }
    return spelled
  }

  var hasVariable: Bool {
    pieces.contains { if case .text = $0 { false } else { true } }
  }

  /// Nil: a variable decides on it.
  fileprivate var origin: Origin? {
    guard case .text(let start)? = pieces.first, let end = start.originEnd, end < start.endIndex || pieces.count == 1
    else { return nil }
    return try? Origin(String(start[..<end]))
  }
}

extension ProfileSyntax {
  fileprivate var hasCredential: Bool {
    settings.contains { setting in
      guard case .clause(let clause) = setting.kind else { return false }
      return clause.isCredential
    }
  }

  /// Whether `cookies on` is what it says last.
  fileprivate var keepsCookies: Bool {
    settings.reduce(false) { before, setting in
      if case .cookies(let isOn) = setting.kind { isOn } else { before }
    }
  }

  fileprivate var base: ExpressionSyntax? {
    for case .base(let value) in settings.map(\.kind) { return value }
    return nil
  }
}

extension ExpressionSyntax {
  /// The path of `file("path")`.
  fileprivate var filePath: String? {
    guard case .call(let call) = self, call.name.text == "file" else { return nil }
    return call.arguments.first?.value.plainText
  }
}

extension ClauseSyntax {
  fileprivate var isCredential: Bool { if case .auth = kind { true } else { false } }
}
