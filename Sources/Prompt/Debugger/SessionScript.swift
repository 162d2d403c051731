internal import Diagnostics
internal import Formats
internal import Imports
internal import JSONValue
internal import RequestProgram
internal import RequestSyntax
internal import Requests
internal import Sessions

/// A sequence of a session at the prompt as a separate script: what is declared there, with the values that names have
/// now, and the call. This way its run can be recorded, and made again when the session is over.
struct SessionScript {
  /// What cannot be written down.
  enum Obstacle: Error, CustomStringConvertible {
    case value(String)
    case profile(String)
    case literalSecret
    /// Something in it means nothing outside the session.
    case mistake(String)

    var description: String {
      switch self {
      case .value(let name): "\(name) is made from a response and cannot be kept as text"
      case .profile(let name): "profile \"\(name)\" is made from a response"
      case .literalSecret: "it would contain a secret"
      case .mistake(let message): "outside this session, \(message)"
      }
    }
  }

  /// The environment variables that it needs and that are not set, since only this session knows their values.
  private(set) var missing: [String] = []
  private(set) var text = ""

  private let context: SavingContext
  private let session: ProgramRequestSequence
  private var secrets: SavedSecrets

  /// - Parameters:
  ///   - call: `run name(…)`.
  ///   - session: the session in which it is called.
  init(
    _ call: ParsedScript, in session: ProgramRequestSequence, exchanges: [Exchange], log: SessionLog,
    secrets known: KnownSecrets, world: World
  ) throws(Obstacle) {
    context = SavingContext(exchanges: exchanges, log: log, workingDirectory: world.workingDirectory)
    self.session = session
    secrets = SavedSecrets(names: Set(log.entries.compactMap(\.node.declaredName)), environment: world.variables)
    var pieces: [ScriptSyntax] = []
    if case .run(let node)? = call.script.statements.first { pieces.append(try written(node, in: call.source)) }
    // A name can only refer to earlier ones.
    let declarations = log.latestDeclarations
    var needed = call.script.statements.referredNames
    needed.formUnion(declarations.map { log.entries[$0].node }.filter { $0.declaredName == nil }.referredNames)
    for index in declarations.reversed() {
      let node = log.entries[index].node
      if let name = node.declaredName, !needed.contains(name) { continue }
      guard let piece = try declaration(index) else { continue }
      pieces.append(piece)
      needed.formUnion([node].referredNames)
    }
    text = SyntaxPrinter.print(pieces.reversed())
    guard known.redact(text) == text else { throw .literalSecret }
    var program = Program(readFile: world.readUsedFile)
    let found = program.add(Parser.parse(SourceText(name: call.source.name, text: text)))
    if let mistake = found.first(where: { $0.severity == .error }) { throw .mistake(mistake.message) }
    missing = secrets.variables.filter { world.variables[$0.key] != $0.value }.keys.sorted()
  }

  private mutating func declaration(_ index: Int) throws(Obstacle) -> ScriptSyntax? {
    let entry = context.log.entries[index]
    var references = ReferenceRewriter(
      context, number: context.exchanges.count + 1, logIndex: index, directory: entry.directory)
    var written = entry.node
    switch entry.node {
    case .binding(let node):
      if let value = literal(.reference(node.name.text)) {
        return ScriptSyntax([.binding(LetSyntax(node.name.text, value))])
      }
      written.rewriteEach { references.rewrite(&$0) }
      guard references.answers.isEmpty else { throw .value("$\(node.name.text)") }
    case .secret(var node):
      written.rewriteEach { references.rewrite(&$0) }
      guard !references.answers.isEmpty || node.value.runsCommand else { break }
      // One that a response or a program brought; a script runs no programs.
      guard let secret = session.secrets.first(where: { $0.name == node.name.text }) else { return nil }
      node.value = secrets.environment(holding: secret.withExposedText { $0 }, of: node)
      return ScriptSyntax([.secret(node)])
    case .profile(let node):
      var writer = ProfileWriter(
        node.name.text, context, session: session.profiles ?? SessionProfiles(), secrets: secrets)
      let script = writer.script()
      guard writer.answers.isEmpty else { throw .profile(node.name.text) }
      secrets = writer.secrets
      return script
    case .sequence:
      // Its names are its own, so only paths can differ here.
      written.rewriteEach { if case .call = $0 { references.rewrite(&$0) } }
    case .use(let node):
      guard let path = node.path.plainText else { return nil }
      let moved = RelativePath.path(
        of: path, in: entry.directory, seenFrom: "", workingDirectory: context.workingDirectory)
      return ScriptSyntax([.use(UseSyntax(moved))])
    case .step, .run, .loop, .parallel, .finally, .tags: return nil
    }
    return ScriptSyntax([written], comments: entry.comments)
  }

  private func written(_ node: RunSyntax, in call: SourceText) throws(Obstacle) -> ScriptSyntax {
    var node = node
    for index in node.arguments.indices {
      if let value = literal(node.arguments[index].value) {
        node.arguments[index].value = value
        continue
      }
      var references = ReferenceRewriter(
        context, number: context.exchanges.count + 1, logIndex: context.log.entries.count, directory: "")
      node.arguments[index].value.rewriteEach { references.rewrite(&$0) }
      guard references.answers.isEmpty else { throw .value(call[node.arguments[index].value.range]) }
    }
    return ScriptSyntax([.run(node)])
  }

  /// Its value in the session, if that is JSON and nothing in it is secret.
  private func literal(_ expression: ExpressionSyntax) -> ExpressionSyntax? {
    let source = SourceText(name: "<value>", text: SyntaxPrinter.print(expression))
    guard let expression = Parser.parseExpression(source).0,
      let literal = (try? session.value(of: expression, in: source))?.literal(leavingBy: .file)
    else { return nil }
    return ExpressionSyntax(literal)
  }
}

extension SessionLog {
  /// The last declaration of each name, in order.
  fileprivate var latestDeclarations: [Int] {
    var latest: [String: Int] = [:]
    for (index, entry) in entries.enumerated() {
      switch entry.node {
      case .binding(let node): latest["$\(node.name.text)"] = index
      case .secret(let node): latest["$\(node.name.text)"] = index
      case .profile(let node): latest["profile \(node.name.text)"] = index
      case .sequence(let node): latest["sequence \(node.name.text)"] = index
      case .use(let node): latest["use \(entry.directory)/\(entry.source[node.path.range])"] = index
      case .step, .run, .loop, .parallel, .finally, .tags: break
      }
    }
    return latest.values.sorted()
  }
}

extension [StatementSyntax] {
  /// The names after every `$`.
  fileprivate var referredNames: Set<String> {
    var names: Set<String> = []
    for statement in self {
      statement.forEachExpression { if case .reference(let reference) = $0 { names.insert(reference.root.text) } }
    }
    return names
  }
}

extension ExpressionSyntax {
  fileprivate var runsCommand: Bool {
    var runs = false
    forEach { if case .call(let call) = $0, call.name.text == "command" { runs = true } }
    return runs
  }
}
