internal import JSONValue
internal import Requests
internal import Synchronization

/// The JSON of answers, parsed once each: a second Tab in a large one costs nothing.
final class ParsedBodies: Sendable {
  private struct Entry {
    var exchange: Int
    /// nil: the body is no JSON.
    var json: JSON?
  }

  /// How many trees are kept; those used longest ago go first.
  private static let capacity = 4
  private let entries = Mutex<[Entry]>([])

  /// The body of the exchange with that index as JSON; nil if it is none.
  func json(of exchange: Exchange, at index: Int) -> JSON? {
    entries.withLock { entries in
      if let known = entries.firstIndex(where: { $0.exchange == index }) {
        entries.append(entries.remove(at: known))
        return entries.last?.json
      }
      guard exchange.response.isJSON else { return nil }
      let json = (try? exchange.response.body.bytes()).flatMap { try? JSON(parsing: $0) }
      entries.append(Entry(exchange: index, json: json))
      if entries.count > Self.capacity { entries.removeFirst() }
      return json
    }
  }
}
