import RequestSyntax

extension Program {
  /// The names that something outside of the loop refers to, as far as is known: perhaps others of the same name.
  func names(usedOutside loop: LoopSyntax) -> Set<String> {
    var uses: [String: Int] = [:]
    func count(_ holder: some ExpressionHolder, _ by: Int) {
      holder.forEachReference { uses[$0.root.text, default: 0] += by }
    }
    for statement in statements { count(statement.node, 1) }
    for sequence in sequences.values {
      for statement in sequence.node.body.statements { count(statement, 1) }
      for parameter in sequence.node.parameters {
        parameter.defaultValue?.forEachReference { uses[$0.root.text, default: 0] += 1 }
      }
    }
    for profile in profiles { count(StatementSyntax.profile(profile.node), 1) }
    for statement in loop.body.statements { count(statement, -1) }
    return Set(uses.filter { $0.value > 0 }.keys)
  }
}
