internal import Dispatch
internal import JSONValue
internal import Requests
internal import Synchronization

/// The bodies of responses as JSON texts, checked once each: a second Tab in a large one costs nothing.
///
/// A text is checked in the background, a large one as soon as it is there (`prepare`). Callers wait only a moment, so
/// that keys are never unresponsive for long, and find it a little later.
final class BodyDocuments: Sendable {
  private enum Entry {
    case checking(DispatchSemaphore)
    /// nil: the body is not JSON.
    case checked(JSONDocument?)
  }

  private let entries = Mutex<[Int: Entry]>([:])
  private let patience: Duration

  /// - Parameter patience: how long a call waits for a body that is being checked.
  init(patience: Duration) {
    self.patience = patience
  }

  /// The body of the exchange with that index; nil if it is not JSON, or not checked yet.
  func document(of exchange: Exchange, at index: Int) -> JSONDocument? {
    guard exchange.response.isJSON || exchange.response.hasValues else { return nil }
    switch entry(of: exchange, at: index) {
    case .checked(let document): return document
    case .checking(let done):
      guard done.wait(timeout: .now() + .milliseconds(Int(patience / .milliseconds(1)))) == .success else { return nil }
      // So that others who wait find it done, too.
      done.signal()
      guard case .checked(let document)? = entries.withLock({ $0[index] }) else { return nil }
      return document
    }
  }

  /// Begins to check a body of which somebody may want to see a part next: until they press Tab, it is done. A small one
  /// is not worth it, and one that takes seconds should be asked for.
  func prepare(_ exchange: Exchange, at index: Int) {
    guard exchange.response.isJSON, Self.prepared.contains(exchange.response.body.count) else { return }
    _ = entry(of: exchange, at: index)
  }

  private static let prepared = (1 << 20)...(256 << 20)

  private func entry(of exchange: Exchange, at index: Int) -> Entry {
    entries.withLock { entries in
      if let known = entries[index] { return known }
      let entry = Entry.checking(check(exchange.response, at: index))
      entries[index] = entry
      return entry
    }
  }

  private func check(_ response: Response, at index: Int) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global(qos: .userInitiated).async {
      let document = response.hasValues ? Self.values(of: response) : response.body.document()
      self.entries.withLock { $0[index] = .checked(document) }
      done.signal()
    }
    return done
  }

  /// The array that the events or lines are, of as many as can be seen in a moment.
  private static func values(of response: Response) -> JSONDocument? {
    guard let kind = response.streamKind, let bytes = try? response.body.bytes(limit: 1 << 20) else { return nil }
    return ResponseBody(JSONPrinter.compact.print(.array(StreamValues.values(kind, in: bytes)))).document()
  }
}
