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
    guard block.hasLaterSecret || surrounding != nil else { return nil }
    return SurroundingBlock(block, scope, outer: surrounding, index: index)
  }

  /// The secrets that later `secret` statements of this block, and of those around it, will find in the exchange.
  public func secrets(in exchange: Exchange) -> Set<Secret> {
    guard block.hasLaterSecret || surrounding != nil, case .step(let step)? = block.current?.node else { return [] }
    var silent = self
    // Nobody is asked too early.
    silent.environment.ask = nil
    silent.environment.runCommand = nil

    var ahead = LookAhead(block, scope)
    ahead.scope.numbered.append(exchange)
    ahead.scope.last = exchange
    ahead.names = ["\(ahead.scope.numbered.count)", "_"]
    if let label = step.label {
      ahead.scope.steps[label.text] = .rounds(block.rounds + [exchange])
      ahead.names.insert(label.text)
    }
    silent.look(&ahead)
    var outer = surrounding
    while let here = outer {
      ahead = ahead.after(in: here)
      ahead.scope.known = runSecrets.search
      silent.look(&ahead)
      outer = here.outer
    }
    return ahead.found
  }

  /// Evaluates the names and secrets of the rest of the block. Whatever needs a later response is missing now, and
  /// found then.
  private func look(_ ahead: inout LookAhead) {
    for index in ahead.block.body.lookedAhead(from: ahead.block.statementIndex + 1, reading: ahead.names) {
      let located = ahead.block.body.statements[index]
      switch located.node {
      case .secret(let node):
        guard let (secret, value) = try? value(of: node, located.source, ahead.scope) else { continue }
        ahead.found.insert(secret)
        ahead.bind(node.name.text, value)
      case .binding(let node):
        let isGlobal = ahead.scope.outer == nil && ahead.block.kind == .file
        let value =
          isGlobal
          ? try? self.value(of: node, located.source, ahead.scope)
          : try? evaluator(located.source, ahead.scope).evaluateNamed(node.value)
        guard let value else { continue }
        ahead.bind(node.name.text, value)
        ahead.block.letNames[node.name.text] = value
      case .step, .run, .sequence, .loop, .parallel, .finally, .use, .profile: continue
      }
    }
  }
}

/// What will be known at the end of a block, as far as it can be told now.
private struct LookAhead {
  var block: Block
  var scope: Scope
  /// The names that get something from an exchange.
  var names: Set<String> = []
  var found: Set<Secret> = []

  init(_ block: Block, _ scope: Scope) {
    self.block = block
    self.scope = scope
  }

  mutating func bind(_ name: String, _ value: Value) {
    scope.bindings[name] = value
    names.insert(name)
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
    case .step?, .binding?, .secret?, .sequence?, .finally?, .use?, .profile?, nil: break
    }
    return ahead
  }
}

extension Block {
  fileprivate var hasLaterSecret: Bool { body.secrets.last.map { $0 > statementIndex } ?? false }
}
