internal import JSONValue
internal import RequestSyntax
internal import Requests

/// What a label of a loop's step stands for after the loop: the responses of all rounds. A saved script has a step for
/// each round and makes the list of them again, under the same name: `let it = [$it-1, $it-2]`.
package struct SavedRounds {
  /// Which list it is: a label of the loop that is this statement of the log.
  package struct Key: Hashable, Comparable {
    var logIndex: Int
    var label: String

    package static func < (one: Key, other: Key) -> Bool {
      (one.logIndex, one.label) < (other.logIndex, other.label)
    }
  }

  let key: Key
  /// The last response of each round, by the indices of its items, in their order.
  private let rounds: [(items: [Int], number: Int)]

  var numbers: Set<Int> { Set(rounds.map(\.number)) }

  /// Those that a name stands for in what led to the response with that number; nil if it stands for something else.
  init?(named label: String, before number: Int, in context: SavingContext) {
    let earlier = context.exchanges.prefix(max(0, number - 1))
    guard let last = earlier.last(where: { $0.label == label }), !last.description.head.items.isEmpty,
      let logIndex = context.log.index(ofStepAt: last.description.head.place)
    else { return nil }
    switch context.log.entries[logIndex].node {
    case .loop, .parallel, .finally: break
    case .step, .run, .sequence, .binding, .secret, .use, .tags, .profile: return nil
    }
    // Within the loop it is the response of the same round.
    if number <= context.exchanges.count,
      context.log.index(ofStepAt: context.exchanges[number - 1].description.head.place) == logIndex
    {
      return nil
    }
    var numbers: [[Int]: Int] = [:]
    for (index, exchange) in earlier.enumerated().dropFirst(context.log.entries[logIndex].answersBefore)
    where exchange.label == label && exchange.description.head.place == last.description.head.place {
      numbers[exchange.description.head.items] = index + 1
    }
    guard !numbers.isEmpty else { return nil }
    key = Key(logIndex: logIndex, label: label)
    rounds = numbers.map { (items: $0.key, number: $0.value) }.sorted { $0.items.lexicographicallyPrecedes($1.items) }
  }

  /// `let it = [$it-1, $it-2]`
  func declaration(named name: String, in context: SavingContext) -> StatementSyntax {
    .binding(LetSyntax(name, Self.list(rounds[...], depth: 0, in: context)))
  }

  /// A round without a response is null; a loop in a loop is a list of lists.
  private static func list(
    _ rounds: ArraySlice<(items: [Int], number: Int)>, depth: Int, in context: SavingContext
  ) -> ExpressionSyntax {
    guard let first = rounds.first, depth < first.items.count else {
      return rounds.last.map { .reference(context.label($0.number)) } ?? ExpressionSyntax(.null)
    }
    let count = (rounds.last?.items[depth] ?? 0) + 1
    let elements = (0..<count).map { index -> ExpressionSyntax in
      let inner = rounds.drop { $0.items[depth] < index }.prefix { $0.items[depth] == index }
      return inner.isEmpty ? ExpressionSyntax(.null) : list(inner, depth: depth + 1, in: context)
    }
    return .array(ArraySyntax(elements))
  }
}
