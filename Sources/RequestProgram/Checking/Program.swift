public import Diagnostics
public import RequestSyntax
public import Requests

/// A checked program: the declarations, and the statements to run in their order.
public struct Program: Sendable {
  /// A text with the directory in which its relative paths start; empty: the working directory.
  ///
  /// A class, because every statement holds it.
  final class Source: Sendable {
    let text: SourceText
    let directory: String
    /// Whether it is the user's own, so that it may run programs.
    let mayRunCommands: Bool
    /// Where a variable of the environment may be read for the last time, in bytes; nil: nowhere. Most texts read theirs
    /// at the beginning, if any. Only of statements of a program; for a single expression nobody asks.
    let lastVariable: Int?

    init(text: SourceText, directory: String, mayRunCommands: Bool = false, lastVariable: Int? = nil) {
      self.text = text
      self.directory = directory
      self.mayRunCommands = mayRunCommands
      self.lastVariable = lastVariable
    }
  }

  /// Something declared or to be run, with the text it is in.
  struct Located<Node: Sendable>: Sendable {
    var node: Node
    var source: Source
  }

  /// At the prompt every exchange has a number, and there is `$_`.
  let isPrompt: Bool
  var sequences: [String: Located<SequenceSyntax>] = [:]
  /// Those in which something becomes a secret, directly or in one that they run.
  private(set) var secretSequences: Set<String> = []
  /// Whether a variable of the environment may be read in it: most programs read none.
  private(set) var mayReadVariables = false
  /// What is secret in the texts without being declared, by names for it.
  private(set) var literalSecrets: [String: String] = [:]
  /// Variables of the environment that are called like secrets and used as plain text.
  private(set) var plainVariables: Set<String> = []
  /// In the order of their declaration.
  var profiles: [Located<ProfileSyntax>] = []
  var statements: [Located<StatementSyntax>] = []
  /// What the statements so far have declared, for checking those added later.
  var scope = CheckScope()

  /// The responses of an earlier run; the check warns of paths that they did not have.
  public var recorded: RecordedResponses?

  /// What was declared by an environment, which counts instead of what anything added later says.
  var replaced = ReplacedDeclarations()
  /// Whether a path leads to something; nil: the check does not look for the files that steps will read.
  public var hasFile: (@Sendable (_ path: String) -> Bool)?
  /// Reads the files that are used.
  let readFile: @Sendable (_ path: String) throws(FileError) -> [UInt8]
  /// The paths of the files that are used, and their texts, for whoever shows places in them.
  var usedFiles: [String] = []
  public internal(set) var usedSources: [SourceText] = []

  public init(
    isPrompt: Bool = false,
    readFile: @escaping @Sendable (_ path: String) throws(FileError) -> [UInt8] = Program.readFile
  ) {
    self.isPrompt = isPrompt
    self.readFile = readFile
  }

  /// All bytes of a file on this machine.
  public static func readFile(_ path: String) throws(FileError) -> [UInt8] {
    try FileSlice(path: path).bytes()
  }

  /// The names of the sequences, sorted.
  public var sequenceNames: [String] { sequences.keys.sorted() }

  /// Whether any statement would do something when run as a whole.
  public var hasSteps: Bool {
    statements.contains { statement in
      switch statement.node {
      case .step, .run, .loop, .parallel: true
      default: false
      }
    }
  }

  /// Checks a text and, if it has no errors, adds it.
  ///
  /// - Parameters:
  ///   - directory: where its relative paths start.
  ///   - mayRunCommands: whether it is the user's own, so that its secrets may come from running a program.
  /// - Returns: all errors and warnings, also in the files it uses; if there is an error, nothing was added.
  public mutating func add(
    _ parsed: ParsedScript, directory: String = "", mayRunCommands: Bool = false
  ) -> [Diagnostic] {
    // At the prompt a file may be used again after it has changed.
    if isPrompt { usedFiles = [] }
    return add(
      parsed, directory: directory, mayRunCommands: mayRunCommands, users: [Self.joined("", parsed.source.name)])
  }

  /// - Parameter users: the files that are being added, the outermost first.
  mutating func add(
    _ parsed: ParsedScript, directory: String, mayRunCommands: Bool = false, users: [String]
  ) -> [Diagnostic] {
    guard parsed.errors.isEmpty else {
      return diagnostics(ofUnread: parsed, directory: directory, mayRunCommands: mayRunCommands, users: users)
    }
    let parsed = replaced.removed(from: parsed)
    var extended = self
    let used = extended.addUsed(by: parsed.script, in: parsed.source, directory: directory, users: users)
    if used.contains(where: { $0.severity == .error }) { return used }
    var checker = Checker(program: extended, source: parsed.source)
    checker.isImported = parsed.isImported
    checker.mayRunCommands = mayRunCommands
    checker.directory = directory
    checker.check(parsed.script)
    let diagnostics = used + checker.diagnostics
    guard !diagnostics.contains(where: { $0.severity == .error }) else { return diagnostics }
    extended.scope = checker.scope
    let source = Source(
      text: parsed.source, directory: directory, mayRunCommands: mayRunCommands,
      // Other tools write variables differently.
      lastVariable: parsed.isImported ? .max : parsed.source.lastOffset(of: "$env"))
    extended.mayReadVariables = mayReadVariables || source.lastVariable != nil
    extended.literalSecrets.merge(parsed.secrets) { $1 }
    extended.plainVariables = checker.plainVariables
    extended.declare(parsed.script, source)
    self = extended
    return diagnostics
  }

  private mutating func declare(_ script: ScriptSyntax, _ source: Source) {
    statements.reserveCapacity(statements.count + script.statements.count)
    for statement in script.statements {
      switch statement {
      case .sequence(let node): sequences[node.name.text] = Located(node: node, source: source)
      case .profile(let node):
        let located = Located(node: node, source: source)
        if let index = profiles.firstIndex(where: { $0.node.name.text == node.name.text }) {
          profiles[index] = located
        } else {
          profiles.append(located)
        }
      default: statements.append(Located(node: statement, source: source))
      }
    }
    learnSecretSequences()
  }

  private mutating func learnSecretSequences() {
    secretSequences = []
    var isDone = false
    while !isDone {
      isDone = true
      for (name, located) in sequences where !secretSequences.contains(name) {
        guard located.node.body.statements.contains(where: { $0.makesSecret(secretSequences) }) else { continue }
        secretSequences.insert(name)
        isDone = false
      }
    }
  }

  /// The top-level `let` names that profiles read, directly or through others.
  var namesOfProfiles: Set<String> {
    var names = Set(profiles.flatMap(\.node.referencedNames))
    for statement in statements.reversed() {
      if case .binding(let node) = statement.node, names.contains(node.name.text) {
        node.value.forEachReference { names.insert($0.root.text) }
      }
    }
    return names
  }

  /// The name of every `let` and `secret` at the top level.
  var globalNames: Set<String> {
    var names: Set<String> = []
    for statement in statements {
      switch statement.node {
      case .binding(let node): names.insert(node.name.text)
      case .secret(let node): names.insert(node.name.text)
      default: continue
      }
    }
    return names
  }
}
