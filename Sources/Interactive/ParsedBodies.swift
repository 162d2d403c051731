internal import Dispatch
internal import JSONValue
internal import Requests
internal import Synchronization

/// The JSON of answers, parsed once each: a second Tab in a large one costs nothing.
///
/// Parsing goes on beside the prompt. Who asks waits for a moment only, so that keys are never dead for long, and
/// finds the whole a little later.
final class ParsedBodies: Sendable {
  private struct Entry {
    var exchange: Int
    var size: Int
    var state: State

    enum State {
      case parsing(DispatchSemaphore)
      /// nil: the body is no JSON.
      case parsed(JSON?)
    }
  }

  /// How many trees are kept, and how many bytes of text they were made of; those used longest ago go first.
  private static let capacity = 4
  private static let byteCapacity = 64 << 20

  private let entries = Mutex<[Entry]>([])
  private let patience: DispatchTimeInterval

  /// - Parameter patience: how long a question waits for a body that is being parsed.
  init(patience: DispatchTimeInterval = .milliseconds(400)) {
    self.patience = patience
  }

  /// The body of the exchange with that index as JSON; nil if it is none, or is not parsed yet.
  func json(of exchange: Exchange, at index: Int) -> JSON? {
    guard exchange.response.isJSON else { return nil }
    let state = entries.withLock { entries in
      if let known = entries.firstIndex(where: { $0.exchange == index }) {
        entries.append(entries.remove(at: known))
      } else {
        entries.append(
          Entry(exchange: index, size: exchange.response.body.count, state: .parsing(parse(exchange, at: index))))
        while entries.count > 1,
          entries.count > Self.capacity || entries.reduce(0, { $0 + $1.size }) > Self.byteCapacity
        {
          entries.removeFirst()
        }
      }
      return entries.last?.state
    }
    switch state {
    case .parsed(let json)?: return json
    case .parsing(let done)?:
      guard done.wait(timeout: .now() + patience) == .success else { return nil }
      // Whoever waits as well is to find it done, too.
      done.signal()
      return entries.withLock { entries in
        guard case .parsed(let json)? = entries.first(where: { $0.exchange == index })?.state else { return nil }
        return json
      }
    case nil: return nil
    }
  }

  private func parse(_ exchange: Exchange, at index: Int) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global(qos: .userInitiated).async {
      let json = (try? exchange.response.body.bytes()).flatMap { try? JSON(parsing: $0) }
      self.entries.withLock { entries in
        guard let place = entries.firstIndex(where: { $0.exchange == index }) else { return }
        entries[place].state = .parsed(json)
      }
      done.signal()
    }
    return done
  }
}
