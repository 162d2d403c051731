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

  private let known: (body: ResponseBody, kind: StreamKind?, json: JSON)?
  private let others: ParsedBodies?

  convenience init() { self.init(known: nil, others: nil) }

  private init(known: (body: ResponseBody, kind: StreamKind?, json: JSON)?, others: ParsedBodies?) {
    self.known = known
    self.others = others
  }

  /// The same, and what the body of this response is read as: whoever lets that body grow is the only one who holds it
  /// when this is gone, and need not copy it.
  func knowing(_ json: JSON, of response: Response) -> ParsedBodies {
    ParsedBodies(known: (response.body, response.streamKind, json), others: self)
  }

  /// The result of `parse` for the body, from now or before.
  func json<Failure: Error>(
    of response: Response, parse: () throws(Failure) -> JSON
  ) throws(Failure) -> JSON {
    let (body, kind) = (response.body, response.streamKind)
    if let known, known.body == body, known.kind == kind { return known.json }
    if let others { return try others.json(of: response, parse: parse) }
    let parsed: JSON? = recent.withLock { recent in
      // The bytes of a response are shared by everyone who holds it, so this compares no bytes. The same bytes are another
      // value if they are lines.
      guard let index = recent.lastIndex(where: { $0.body == body && $0.kind == kind }) else { return nil }
      let entry = recent.remove(at: index)
      recent.append(entry)
      return entry.json
    }
    if let parsed { return parsed }
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
