import JSONValue
import Requests
import Synchronization

/// The JSON of the responses that were read last: a loop over the items of a response does not parse it for each.
final class ParsedBodies: Sendable {
  private static let limit = 8
  /// In bytes, all bodies together, so that nothing large is kept that is read only once.
  private static let sizeLimit = 64 << 20

  /// The one that was read last is at the end.
  private let recent = Mutex<[(body: ResponseBody, kind: StreamKind?, json: JSON)]>([])

  /// Knows what a body is read as while something is done, and forgets it afterwards: whoever lets the body grow is the
  /// only one who holds it again, and need not copy it.
  func knowing<Result>(_ json: JSON, of response: Response, _ act: () -> Result) -> Result {
    recent.withLock { $0.append((response.body, response.streamKind, json)) }
    defer {
      recent.withLock { recent in
        if let index = recent.lastIndex(where: { $0.body == response.body }) { recent.remove(at: index) }
      }
    }
    return act()
  }

  /// The result of `parse` for the body, from now or before.
  func json<Failure: Error>(
    of response: Response, parse: () throws(Failure) -> JSON
  ) throws(Failure) -> JSON {
    let (body, kind) = (response.body, response.streamKind)
    let known: JSON? = recent.withLock { recent in
      // The bytes of a response are shared by everyone who holds it, so this compares no bytes. The same bytes are another
      // value if they are lines.
      guard let index = recent.lastIndex(where: { $0.body == body && $0.kind == kind }) else { return nil }
      let entry = recent.remove(at: index)
      recent.append(entry)
      return entry.json
    }
    if let known { return known }
    let json = try parse()
    recent.withLock { recent in
      recent.append((body, kind, json))
      while recent.count > Self.limit || recent.reduce(0, { $0 + $1.body.count }) > Self.sizeLimit {
        recent.removeFirst()
      }
    }
    return json
  }
}
