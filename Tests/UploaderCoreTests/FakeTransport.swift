import HTTPTypes
import OfflineTransport
import Requests
import Synchronization
import UploaderCore

/// Returns scripted responses and remembers what it was asked.
final class FakeTransport: OfflineTransport {
  private let responses: Mutex<[Result<Response, TransportError>]>
  private let log = Mutex<[TransportRequest]>([])

  init(_ responses: [Result<Response, TransportError>]) {
    self.responses = Mutex(responses)
  }

  convenience init(statuses: [Int]) {
    self.init(statuses.map { .success(Response(status: .init(code: $0))) })
  }

  var requests: [TransportRequest] { log.withLock { $0 } }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    log.withLock { $0.append(request) }
    let response = responses.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let response else { throw TransportError(.other(reason: "no response is left")) }
    return TransportResponse(response: try response.get(), sentHeaders: request.headers)
  }
}
