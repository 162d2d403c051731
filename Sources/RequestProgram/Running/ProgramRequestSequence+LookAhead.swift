import JSONValue
import RequestSyntax
public import Requests

/// A block with another one in progress inside it.
final class SurroundingBlock: Sendable {
  let block: Block
  let scope: Scope
  let outer: SurroundingBlock?
  /// The index of the inner one among the children of its group.
  let index: Int

  init(_ block: Block, _ scope: Scope, outer: SurroundingBlock?, index: Int) {
    self.block = block
    self.scope = scope
    self.outer = outer
    self.index = index
  }
}

extension ProgramRequestSequence {
  /// This block, as one that the child continues inside; nil if nothing after the child makes anything a secret.
  func surrounding(childAt index: Int) -> SurroundingBlock? {
    guard isFollowedBySecret else { return nil }
    return SurroundingBlock(block, scope, outer: surrounding, index: index)
  }

  /// Whether something that comes later makes a secret of what is read now: a `secret` statement, or a profile that
  /// waits for a name, or a step's own `auth`.
  private var isFollowedBySecret: Bool {
    surrounding != nil || !unavailable.isEmpty
      || block.makesSecret(from: block.statementIndex + 1, program.secretSequences)
  }

  public var mayFindSecrets: Bool { isFollowedBySecret }

  /// The secrets that later `secret` statements and steps with their own `auth`, in this block and in those around it,
  /// will find in the exchange; and what its response calls a credential beside them.
  public func secrets(in exchange: Exchange) -> Set<Secret> {
    guard isFollowedBySecret, case .step(let step)? = block.current?.node else { return [] }
    let silent = silent
    var ahead = LookAhead(block, scope)
    ahead.scope.numbered.append(exchange)
    ahead.scope.last = exchange
    ahead.names = ["\(ahead.scope.numbered.count)", "_"]
    if let label = step.label {
      ahead.scope.steps[label.text] = .rounds(block.rounds + [exchange])
      ahead.names.insert(label.text)
    }
    silent.look(&ahead, from: block.statementIndex + 1)
    var outer = surrounding
    while let here = outer {
      ahead = ahead.after(in: here)
      ahead.scope.known = runSecrets.search
      silent.look(&ahead, from: here.block.statementIndex + 1)
      outer = here.outer
    }
    let found = Set(named(Array(declaredFirst(ahead.found)), after: "\(stepPlace).response"))
    return found.union(
      Companions.secrets(beside: found, in: exchange.response, of: step.label?.text ?? "$\(ahead.scope.numbered.count)")
    )
  }

  /// Learns, before the block sends anything, what its later `secret` statements and steps with their own `auth` make a
  /// secret of what can be known already: of names, parameters, settings, files and the environment.
  mutating func foreseeSecrets() {
    guard block.foreseen != block.body.statements.count else { return }
    block.foreseen = block.body.statements.count
    guard block.makesSecret(from: block.statementIndex, program.secretSequences) else { return }
    var ahead = LookAhead(block, scope)
    ahead.readsAnyName = true
    ahead.number = number
    silent.look(&ahead, from: block.statementIndex)
    learn(declaredFirst(ahead.found), madeAt: "\(stepPlace).foreseen")
  }

  /// What a step's own `auth` will be given belongs to the origin of that step only if nothing else says to whom it
  /// belongs, be it a later statement.
  private func declaredFirst(_ found: Set<Secret>) -> Set<Secret> {
    let given = found.filter(\.isGivenToStep)
    guard !given.isEmpty else { return found }
    let declared = SecretSearch(found.union(runSecrets.all).filter { !$0.isGivenToStep })
    return found.subtracting(given.filter { $0.withExposedText { !declared.found(in: $0).isEmpty } })
  }

  /// Without anything that asks somebody, which would be too early.
  private var silent: Self {
    var silent = self
    silent.environment.ask = nil
    silent.environment.runCommand = nil
    return silent
  }

  /// Evaluates the names and secrets of the rest of the block. Whatever needs a later response is missing now, and
  /// found then.
  private func look(_ ahead: inout LookAhead, from start: Int) {
    let body = ahead.block.body
    // A branch is looked into for its only statement.
    let indices =
      ahead.block.kind == .branch
      ? body.statements.indices.filter { $0 >= start }
      : body.lookedAhead(
        from: start, reading: ahead.readsAnyName ? body.namesRead : ahead.names, program.secretSequences)
    for index in indices {
      let located = body.statements[index]
      switch located.node {
      case .secret(let node):
        guard let (secrets, value) = try? value(of: node, located.source, ahead.scope) else { continue }
        ahead.found.formUnion(secrets)
        ahead.bind(node.name.text, value)
      case .binding(let node):
        let value =
          ahead.isTopLevel
          ? try? self.value(of: node, located.source, ahead.scope)
          : try? evaluator(located.source, ahead.scope).evaluateNamed(node.value)
        guard let value else { continue }
        ahead.bind(node.name.text, value)
        ahead.block.letNames[node.name.text] = value
      case .parallel(let node):
        for statement in node.statements {
          let body = BlockBody([Program.Located(node: statement, source: located.source)])
          let branch = look(into: Block(.branch, body, scope: ahead.innerScope), of: &ahead)
          for (name, value) in branch.scope.bindings { ahead.bind(name, value) }
          for (label, result) in branch.scope.steps {
            ahead.scope.steps[label] = result
            ahead.names.insert(label)
          }
        }
      case .finally(let node):
        look(into: Block(.finally, BlockBody(node, in: located.source), scope: ahead.innerScope), of: &ahead)
      case .run(let node):
        guard let sequence = program.sequences[node.name.text] else { continue }
        var inner = Block(.sequence, BlockBody(sequence.node.body, in: sequence.source))
        inner.scope = ahead.globalScope
        inner.scope.bindings =
          (try? arguments(node, sequence, evaluator(located.source, ahead.scope), defaultsIn: inner.scope)) ?? [:]
        let ended = look(into: inner, of: &ahead)
        if let label = node.label {
          ahead.scope.steps[label.text] = .names(ended.block.letNames)
          ahead.names.insert(label.text)
        }
      case .step(let step):
        let name = step.name(numbered: ahead.number(of: index, from: start))
        let credential = try? evaluator(located.source, ahead.scope).ownCredential(
          of: step, named: name, sessionProfiles)
        ahead.found.foresee(credential ?? [])
      case .sequence, .loop, .use, .tags, .profile: continue
      }
    }
    if ahead.isTopLevel { lookAtProfiles(&ahead) }
  }

  /// The same in a block inside.
  @discardableResult
  private func look(into block: Block, of outer: inout LookAhead) -> LookAhead {
    var inner = LookAhead(block, block.scope)
    // The values of parameters may be made from those.
    inner.names = outer.names.union(block.scope.bindings.keys)
    inner.readsAnyName = outer.readsAnyName
    inner.blocks = outer.blocks + 1
    if inner.blocks < LookAhead.mostBlocks { look(&inner, from: 0) }
    outer.blocks = inner.blocks
    outer.found.foresee(inner.found)
    return inner
  }

  /// What profiles will send that wait for a name.
  private func lookAtProfiles(_ ahead: inout LookAhead) {
    guard !unavailable.isEmpty else { return }
    for located in program.profiles where unavailable[located.node.name.text] != nil {
      let lowering = lowering(of: located, ahead.globalScope)
      if let profile = try? lowering.profile() { ahead.found.formUnion(named(profile).secrets) }
    }
  }
}

/// What will be known at the end of a block, as far as it can be told now.
private struct LookAhead {
  var block: Block
  var scope: Scope
  /// The names that get something from an exchange.
  var names: Set<String> = []
  /// Whether any name may be read, not only those.
  var readsAnyName = false
  var found: Set<Secret> = []
  /// The number of the next step, if that is the first one that is looked at and has one.
  var number: Int?
  /// How many blocks and sequences were looked into. Those that run each other would have no end.
  var blocks = 0

  static let mostBlocks = 256

  init(_ block: Block, _ scope: Scope) {
    self.block = block
    self.scope = scope
  }

  /// The number that a step will have; nil: that is not known yet, or it has none.
  ///
  /// - Parameter start: the index of the next statement.
  func number(of index: Int, from start: Int) -> Int? {
    let between = block.body.statements[start..<index].map(\.node).filter(\.maySend)
    let areSingle = between.allSatisfy { if case .step(let step) = $0 { step.repetition == nil } else { false } }
    return areSingle ? number.map { $0 + between.count } : nil
  }

  mutating func bind(_ name: String, _ value: Value) {
    scope.bindings[name] = value
    if isTopLevel { scope.globals[name] = value }
    names.insert(name)
  }

  /// Whether its names are seen everywhere.
  var isTopLevel: Bool { scope.outer == nil && block.kind == .file }

  /// What a block inside this one begins with.
  var innerScope: Scope {
    var inner = scope
    inner.outer = OuterScope(scope)
    inner.bindings = [:]
    inner.steps = [:]
    return inner
  }

  /// What a sequence begins with.
  var globalScope: Scope {
    var global = scope
    global.outer = nil
    global.bindings = [:]
    global.steps = [:]
    global.numbered = []
    global.last = nil
    return global
  }

  /// The block around this one, after this one has ended.
  func after(in outer: SurroundingBlock) -> LookAhead {
    var ahead = LookAhead(outer.block, outer.scope)
    ahead.found = found
    switch outer.block.current?.node {
    case .run(let run)?:
      guard let label = run.label else { break }
      ahead.scope.steps[label.text] = .names(block.letNames)
      ahead.names.insert(label.text)
    case .loop(let loop)?:
      for name in Set(loop.body.statements.flatMap(\.declaredNames)) {
        guard let value = scope.bindings[name] ?? scope.steps[name]?.value else { continue }
        let missing = Array(repeating: Value(.null), count: outer.index)
        ahead.bind(name, Value.array(missing + [value]))
        if block.letNames[name] != nil { ahead.block.letNames[name] = ahead.scope.bindings[name] }
      }
    case .parallel?:
      for (label, result) in scope.steps {
        ahead.scope.steps[label] = result
        ahead.names.insert(label)
      }
      for (name, value) in scope.bindings { ahead.bind(name, value) }
      ahead.block.letNames.merge(block.letNames) { $1 }
    case .step?, .binding?, .secret?, .sequence?, .finally?, .use?, .tags?, .profile?, nil: break
    }
    return ahead
  }
}

extension Block {
  /// Whether a statement from there on makes a secret.
  ///
  /// - Parameter sequences: those in which something becomes a secret.
  fileprivate func makesSecret(from start: Int, _ sequences: Set<String>) -> Bool {
    [body.secrets.last, body.credentials.last].contains { $0.map { $0 >= start } ?? false }
      || !body.innerSecrets(from: start, sequences).isEmpty
  }
}

extension StepSyntax {
  /// What sentences call the step.
  func name(numbered number: Int?) -> String? {
    label.map { "step \"\($0.text)\"" } ?? number.map { "$\($0)" }
  }
}
