internal import RequestSyntax
internal import Requests

/// What asks for the resource of an earlier step by its path, `PATCH /orders/6` with the ETag that `GET
/// /orders/{$list.body[1].id}` brought, asks for the one that is found there when the script runs.
struct SameResource {
  private let earlier: [(step: SavedStep, written: ScriptSyntax)]

  /// - Parameter earlier: the steps before it in the file, and how they are written there.
  init(after earlier: some Sequence<(SavedStep, ScriptSyntax)>) { self.earlier = earlier.map { ($0, $1) } }

  /// The step with the target of the last of those whose response it refers to, if that has the same path.
  ///
  /// - Parameters:
  ///   - written: how the step is written in the file.
  ///   - responses: the numbers of those that it refers to.
  func target(of step: SavedStep, as written: ScriptSyntax, referringTo responses: Set<Int>) -> ScriptSyntax {
    var script = written
    for index in script.statements.indices {
      guard case .step(var node) = script.statements[index], case .word(let own) = node.target,
        let text = own.plainText
      else { continue }
      let query = text.drop { $0 != "?" && $0 != "#" }
      for (other, script) in earlier.reversed() where !responses.isDisjoint(with: other.numbers) {
        guard other.sent.url.withoutQuery == step.sent.url.withoutQuery, let target = script.target,
          case .word(let word) = target, word.plainText == nil, !word.hasQuery
        else { continue }
        node.target = .word(WordSyntax(word.pieces + (query.isEmpty ? [] : [.text(String(query))])))
        break
      }
      script.statements[index] = .step(node)
    }
    return script
  }
}

extension String {
  fileprivate var withoutQuery: Substring { prefix { $0 != "?" && $0 != "#" } }
}

extension ScriptSyntax {
  /// That of its step.
  fileprivate var target: TargetSyntax? {
    for statement in statements { if case .step(let step) = statement { return step.target } }
    return nil
  }
}

extension WordSyntax {
  fileprivate var hasQuery: Bool {
    pieces.contains { piece in
      if case .text(let text) = piece { text.contains { $0 == "?" || $0 == "#" } } else { false }
    }
  }
}
