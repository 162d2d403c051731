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

  init(_ kind: Kind, _ body: BlockBody, scope: Scope = Scope()) {
    self.kind = kind
    self.body = body
    self.scope = scope
  }

  /// The index of the statement in progress.
  var statementIndex: Int { nextFinally ?? next }

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
    for name in statement.declaredNames where scope.steps[name] == nil { scope.steps[name] = .skipped }
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
  /// Where blocks and sequences run that may have such statements.
  private(set) var inner: [Int] = []
  /// Where the `let` and `secret` statements are that read a name.
  private var readers: [String: [Int]] = [:]
  /// Where `let` binds a name.
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
      var names: Set<String> = []
      switch statement.node {
      case .secret(let node):
        secrets.append(position)
        node.value.forEachReference { names.insert($0.root.text) }
      case .binding(let node):
        bindings[node.name.text, default: []].append(position)
        node.value.forEachReference { names.insert($0.root.text) }
      case .run, .parallel, .finally:
        inner.append(position)
        continue
      case .step, .sequence, .loop, .use, .tags, .profile: continue
      }
      for name in names { readers[name, default: []].append(position) }
    }
    statements += more
  }

  /// The blocks and sequences from there on in which something becomes a secret.
  ///
  /// - Parameter sequences: those that have such statements.
  func innerSecrets(from start: Int, _ sequences: Set<String>) -> [Int] {
    inner.filter { $0 >= start && statements[$0].node.makesSecret(sequences) }
  }

  /// The statements from there on that make something a secret, and the `let` statements that supply them or are supplied
  /// by one of the names, each directly or indirectly.
  ///
  /// - Parameter sequences: those that have `secret` statements.
  func lookedAhead(from start: Int, reading names: Set<String>, _ sequences: Set<String>) -> [Int] {
    var found = Set(secrets.filter { $0 >= start })
    let inner = innerSecrets(from: start, sequences)
    if !inner.isEmpty {
      // They may read any name.
      found.formUnion(inner)
      found.formUnion(bindings.values.joined().filter { $0 >= start })
    }
    var needed = Array(found)
    while let index = needed.popLast() {
      statements[index].node.boundValue?.forEachReference { reference in
        for binding in bindings[reference.root.text] ?? [] where binding >= start && found.insert(binding).inserted {
          needed.append(binding)
        }
      }
    }
    var given = Array(names)
    while let name = given.popLast() {
      for index in readers[name] ?? [] where index >= start && found.insert(index).inserted {
        if case .binding(let node) = statements[index].node { given.append(node.name.text) }
      }
    }
    return found.sorted()
  }
}

extension StatementSyntax {
  /// The value that a `let` or a `secret` binds its name to.
  fileprivate var boundValue: ExpressionSyntax? {
    switch self {
    case .binding(let node): node.value
    case .secret(let node): node.value
    case .step, .run, .sequence, .loop, .parallel, .finally, .use, .tags, .profile: nil
    }
  }

  /// Whether a text becomes a secret in it, as far as that can be told before it runs: the items of a loop cannot.
  func makesSecret(_ sequences: Set<String>) -> Bool {
    switch self {
    case .secret: true
    case .run(let node): sequences.contains(node.name.text)
    case .parallel(let node), .finally(let node): node.statements.contains { $0.makesSecret(sequences) }
    case .step, .binding, .sequence, .loop, .use, .tags, .profile: false
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
