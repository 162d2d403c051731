import JSONValue
import Requests
import Synchronization

/// The JSON of the answers that were looked at last: a loop over the items of an answer does not parse it for each.
final class ParsedBodies: Sendable {
  private static let limit = 8

  /// The one that was looked at last comes last.
  private let recent = Mutex<[(body: ResponseBody, json: JSON)]>([])

  /// What `parse` makes of the body, now or before.
  func json<Failure: Error>(
    of body: ResponseBody, parse: () throws(Failure) -> JSON
  ) throws(Failure) -> JSON {
    let known: JSON? = recent.withLock { recent in
      // The bytes of an answer are shared by whoever holds it, so that this compares none.
      guard let index = recent.lastIndex(where: { $0.body == body }) else { return nil }
      let entry = recent.remove(at: index)
      recent.append(entry)
      return entry.json
    }
    if let known { return known }
    let json = try parse()
    recent.withLock { recent in
      if recent.count == Self.limit { recent.removeFirst() }
      recent.append((body, json))
    }
    return json
  }
}
