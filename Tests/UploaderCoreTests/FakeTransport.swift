import HTTPTypes
import OfflineTransport
import Requests
import Synchronization
import UploaderCore

/// Answers from a script and remembers what it was asked.
final class FakeTransport: OfflineTransport {
  private let answers: Mutex<[Result<Response, TransportError>]>
  private let log = Mutex<[TransportRequest]>([])

  init(_ answers: [Result<Response, TransportError>]) {
    self.answers = Mutex(answers)
  }

  convenience init(statuses: [Int]) {
    self.init(statuses.map { .success(Response(status: .init(code: $0))) })
  }

  var requests: [TransportRequest] { log.withLock { $0 } }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    log.withLock { $0.append(request) }
    let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let answer else { throw TransportError(.other(reason: "no answer is left")) }
    return TransportResponse(response: try answer.get(), sentHeaders: request.headers)
  }
}
