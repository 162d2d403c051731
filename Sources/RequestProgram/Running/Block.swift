import RequestSyntax
import Requests

/// A block in progress: the top level, a sequence that is run, one iteration of a loop, one branch of `parallel`, or
/// the statements of `finally`.
struct Block: Sendable {
  enum Kind: Sendable {
    case file, sequence, iteration, branch, finally
  }

  var kind: Kind
  var body: BlockBody
  /// The statement that comes next.
  var next = 0
  /// The start of the statements that belong together: at the prompt those that were typed last, else all.
  var start = 0
  /// The index from which to look for `finally`, once the block has ended or failed.
  var nextFinally: Int?
  var scope = Scope()
  /// The `let` names, which a label on `run` makes available outside.
  var letNames: [String: Value] = [:]
  /// What the step in progress has done so far.
  var rounds: [Exchange] = []
  /// `$_` in all of them, at the prompt: the response before the first.
  var lastBeforeRounds: Exchange?
  /// What the loop in progress leaves.
  var roundValues: CopyOnWrite<RoundValues>?
  /// How many statements it had when its later secrets were looked for.
  var foreseen = 0

  init(_ kind: Kind, _ body: BlockBody, scope: Scope = Scope()) {
    self.kind = kind
    self.body = body
    self.scope = scope
  }

  /// The index of the statement in progress.
  var statementIndex: Int { nextFinally ?? next }

  /// How many statements before the one in progress may send something: declarations come and go without making
  /// another step of it.
  var stepIndex: Int { body.statements.prefix(statementIndex).count { $0.node.maySend } }

  /// The statement in progress.
  var current: Program.Located<StatementSyntax>? {
    body.statements.indices.contains(statementIndex) ? body.statements[statementIndex] : nil
  }

  /// Whether requests written directly in it have numbers.
  var isNumbered: Bool {
    switch kind {
    case .file, .sequence: true
    case .iteration, .branch, .finally: false
    }
  }

  /// Ends the block: what has not run will not, and `finally` comes next.
  mutating func end() {
    if let index = nextFinally {
      nextFinally = index + 1
      return
    }
    nextFinally = start
    rounds = []
    for statement in body.statements[min(next, body.statements.count)...] { miss(statement.node) }
  }

  /// Marks the names that the statement has not given a value as missing.
  mutating func miss(_ statement: StatementSyntax) {
    switch statement {
    case .loop(let node): for statement in node.body.statements { miss(statement) }
    case .parallel(let node): for statement in node.statements { miss(statement) }
    case .binding, .secret: for name in statement.declaredNames { miss(name, as: .unset) }
    default: for name in statement.declaredNames { miss(name, as: .skipped) }
    }
  }

  private mutating func miss(_ name: String, as result: Scope.StepResult) {
    if scope.steps[name] == nil { scope.steps[name] = result }
  }

  /// Nothing is left to do in the statements so far.
  mutating func complete() {
    next = body.statements.count
    start = next
    nextFinally = nil
  }
}

/// The statements of a block, which all its runs share.
struct BlockBody: Sendable {
  var statements: [Program.Located<StatementSyntax>]
  /// Where the `secret` statements are.
  private(set) var secrets: [Int] = []
  /// Where the steps are that have an `auth` of their own.
  private(set) var credentials: [Int] = []
  /// Where blocks and sequences run that may have such statements.
  private(set) var inner: [Int] = []
  /// Where the statements are that bind a name, or make a secret, and read that name for it.
  private var readers: [String: [Int]] = [:]
  /// Where a name is bound, in this block or in a `parallel` block in it.
  private var bindings: [String: [Int]] = [:]

  init(_ statements: [Program.Located<StatementSyntax>]) {
    self.statements = []
    append(statements)
  }

  init(_ block: BlockSyntax, in source: Program.Source) {
    self.init(block.statements.map { Program.Located(node: $0, source: source) })
  }

  mutating func append(_ more: [Program.Located<StatementSyntax>]) {
    for (index, statement) in more.enumerated() {
      let position = statements.count + index
      switch statement.node {
      case .secret: secrets.append(position)
      case .step(let step): if step.hasOwnCredential { credentials.append(position) }
      case .run, .parallel, .finally: inner.append(position)
      case .binding, .sequence, .loop, .use, .tags, .profile: break
      }
      for name in statement.node.boundNames { bindings[name, default: []].append(position) }
      var names: Set<String> = []
      for value in statement.node.boundValues { value.forEachReference { names.insert($0.root.text) } }
      for name in names { readers[name, default: []].append(position) }
    }
    statements += more
  }

  /// The names that any statement reads to bind a name or make a secret.
  var namesRead: Set<String> { Set(readers.keys) }

  /// The blocks and sequences from there on in which something becomes a secret.
  ///
  /// - Parameter sequences: those that have such statements.
  func innerSecrets(from start: Int, _ sequences: Set<String>) -> [Int] {
    inner.filter { $0 >= start && statements[$0].node.makesSecret(sequences) }
  }

  /// The statements from there on that make something a secret, and those that bind names for them or read one of the
  /// names, each directly or indirectly. A step with its own `auth` is one of them if it reads such a name.
  ///
  /// - Parameter sequences: those that have `secret` statements.
  func lookedAhead(from start: Int, reading names: Set<String>, _ sequences: Set<String>) -> [Int] {
    var found = Set(secrets.filter { $0 >= start }).union(innerSecrets(from: start, sequences))
    var given = Array(names)
    while let name = given.popLast() {
      for index in readers[name] ?? [] where index >= start && found.insert(index).inserted {
        given += statements[index].node.boundNames
      }
    }
    var needed = Array(found)
    while let index = needed.popLast() {
      var more: [Int] = []
      switch statements[index].node {
      // What is in it may read any name.
      case .run, .parallel, .finally: more += bindings.values.joined()
      case .step, .binding, .secret, .sequence, .loop, .use, .tags, .profile:
        for value in statements[index].node.boundValues {
          value.forEachReference { more += bindings[$0.root.text] ?? [] }
        }
      }
      for binding in more where binding >= start && found.insert(binding).inserted { needed.append(binding) }
    }
    return found.sorted()
  }
}

extension StatementSyntax {
  /// The names it gives to its block before anything more is known than what it reads.
  fileprivate var boundNames: [String] {
    switch self {
    case .binding(let node): [node.name.text]
    case .run(let node): node.label.map { [$0.text] } ?? []
    case .parallel(let node): node.statements.flatMap(\.boundNames)
    case .secret, .step, .sequence, .loop, .finally, .use, .tags, .profile: []
    }
  }

  /// What those are made from, and what makes a secret in it.
  fileprivate var boundValues: [ExpressionSyntax] {
    switch self {
    case .binding(let node): [node.value]
    case .secret(let node): [node.value]
    case .step(let node): node.hasOwnCredential ? node.targetExpressions + node.ownCredential : []
    case .run(let node): node.arguments.map(\.value)
    case .parallel(let node): node.statements.flatMap(\.boundValues)
    case .sequence, .loop, .finally, .use, .tags, .profile: []
    }
  }

  /// Whether a text becomes a secret in it, as far as that can be told before it runs: the items of a loop cannot.
  func makesSecret(_ sequences: Set<String>) -> Bool {
    switch self {
    case .secret: true
    case .step(let node): node.hasOwnCredential
    case .run(let node): sequences.contains(node.name.text)
    case .parallel(let node), .finally(let node): node.statements.contains { $0.makesSecret(sequences) }
    case .binding, .sequence, .loop, .use, .tags, .profile: false
    }
  }

  /// The names it gives to its block: labels, `let` and `secret` names, also those inside loops.
  var declaredNames: [String] {
    switch self {
    case .step(let node): node.label.map { [$0.text] } ?? []
    case .run(let node): node.label.map { [$0.text] } ?? []
    case .binding(let node): [node.name.text]
    case .secret(let node): [node.name.text]
    case .loop(let node): node.body.statements.flatMap(\.declaredNames)
    case .parallel(let node): node.statements.flatMap(\.declaredNames)
    case .sequence, .finally, .use, .tags, .profile: []
    }
  }
}

extension StatementSyntax {
  /// Whether it is a step or has steps of its own.
  var maySend: Bool {
    switch self {
    case .step, .run, .loop, .parallel, .finally: true
    case .binding, .secret, .sequence, .profile, .use, .tags: false
    }
  }
}
