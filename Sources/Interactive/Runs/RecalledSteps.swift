internal import Requests
internal import Synchronization
internal import UploaderCore

/// Which exchanges of a run were in its journal.
final class RecalledSteps: Sendable {
  private let exchanges = Mutex<Set<String>>([])

  func observe(_ event: UploadEvent) {
    if case .recalled(let exchange) = event { exchanges.withLock { _ = $0.insert(Self.key(exchange)) } }
  }

  func contain(_ exchange: Exchange) -> Bool {
    exchanges.withLock { !$0.isEmpty && $0.contains(Self.key(exchange)) }
  }

  /// No two exchanges of a run begin at the same moment and are of the same step.
  private static func key(_ exchange: Exchange) -> String {
    let head = exchange.description.head
    return "\(exchange.started) \(head.label ?? "") \(head.round ?? 0) \(exchange.request.url)"
  }
}
