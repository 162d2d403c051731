internal import Synchronization

/// Lets works that are done at the same time write one after another, in their order: the first that is not over writes
/// directly, what the others write waits.
package final class Turns<Item: Sendable>: Sendable {
  private struct State {
    var current = 0
    var waiting: [Int: [Item]] = [:]
    var ended: Set<Int> = []
  }

  private let state = Mutex(State())
  private let take: @Sendable (Item) -> Void

  package init(_ take: @escaping @Sendable (Item) -> Void) {
    self.take = take
  }

  /// - Parameter turn: the number of the work, from 0.
  package func submit(_ item: Item, of turn: Int) {
    state.withLock { state in
      if turn == state.current { take(item) } else { state.waiting[turn, default: []].append(item) }
    }
  }

  /// The work is over, or will not be done.
  package func end(_ turn: Int) {
    state.withLock { state in
      state.ended.insert(turn)
      while state.ended.remove(state.current) != nil {
        state.current += 1
        for item in state.waiting.removeValue(forKey: state.current) ?? [] { take(item) }
      }
    }
  }
}
