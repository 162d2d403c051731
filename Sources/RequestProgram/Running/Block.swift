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
      case .step, .run, .sequence, .loop, .parallel, .finally, .use, .profile: continue
      }
      for name in names { readers[name, default: []].append(position) }
    }
    statements += more
  }

  /// The `secret` statements from there on, and the `let` statements that supply them or are supplied by one of the
  /// names, each directly or indirectly.
  func lookedAhead(from start: Int, reading names: Set<String>) -> [Int] {
    var found = Set(secrets.filter { $0 >= start })
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
    case .step, .run, .sequence, .loop, .parallel, .finally, .use, .profile: nil
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
    case .sequence, .finally, .use, .profile: []
    }
  }
}
