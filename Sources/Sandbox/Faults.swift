import Essentials
import NIOHTTP1

/// The requested faults that have not happened yet.
actor Faults {
  private var waiting: [SandboxFault]
  private nonisolated let all: [SandboxFault]

  init(_ faults: [SandboxFault] = []) {
    waiting = faults
    all = faults
  }

  /// Whether this one happens now; it does not happen again.
  func take(_ kind: SandboxFault.Kind, at step: SandboxFault.Step) -> Bool {
    take(at: step) { $0 == kind ? true : nil } ?? false
  }

  /// How many bytes of the incoming file are stored; nil: all.
  func truncation(at step: SandboxFault.Step) -> Int? {
    take(at: step) { if case .truncate(let bytes) = $0 { bytes } else { nil } }
  }

  /// The receiver that takes the request instead of the intended one; nil: none.
  func receiver(for head: HTTPRequestHead, at step: SandboxFault.Step, origin: String) -> DiscardingReceiver? {
    if take(.dropAfterRequest, at: step) {
      return DiscardingReceiver(response: Response(status: .internalServerError, content: .dropped))
    }
    if take(.error200, at: step) {
      return DiscardingReceiver(response: Self.errorDocument(.ok, "InternalError", "We encountered an internal error."))
    }
    for case .redirect(let target) in all.filter({ $0.step == step }).map(\.kind) {
      let place = Self.withPort(target, of: origin)
      guard let authority = place.firstRange(of: "://").map({ place[$0.upperBound...] }),
        head.headers.first(name: "host").map({ $0 != authority }) ?? true
      else { continue }
      var response = Self.errorDocument(
        .temporaryRedirect, "TemporaryRedirect", "Please re-send this request to the specified temporary endpoint.")
      response.headers.append(("Location", place + head.uri))
      return DiscardingReceiver(response: response)
    }
    return nil
  }

  private func take<Found>(at step: SandboxFault.Step, _ found: (SandboxFault.Kind) -> Found?) -> Found? {
    for (index, fault) in waiting.enumerated() where fault.step == step {
      guard let result = found(fault.kind) else { continue }
      waiting.remove(at: index)
      return result
    }
    return nil
  }

  // MARK: Lasting faults

  /// Storage's clock.
  nonisolated func skewed(_ now: @escaping @Sendable () -> Date) -> @Sendable () -> Date {
    let seconds = all.reduce(0) { sum, fault in if case .skew(let seconds) = fault.kind { sum + seconds } else { sum } }
    return { now().addingTimeInterval(TimeInterval(seconds)) }
  }

  /// How long a confirmed snapshot takes to be ready, in seconds.
  nonisolated var processingTime: Double {
    for case .slowProcessing(let seconds) in all.map(\.kind) { return seconds }
    return Snapshot.processingTime
  }

  private static func errorDocument(_ status: HTTPResponseStatus, _ code: String, _ message: String) -> Response {
    .text(
      status, type: "application/xml",
      #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<Error><Code>\(code)</Code><Message>\(message)</Message></Error>")
  }

  /// The origin, with the port of the other one if it names none.
  private static func withPort(_ target: String, of origin: String) -> String {
    guard let host = target.firstRange(of: "://").map({ target[$0.upperBound...] }), !host.contains(":"),
      let colon = origin.lastIndex(of: ":")
    else { return target }
    return target + origin[colon...]
  }
}
