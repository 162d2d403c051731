import Foundation
import HTTPTypes
import OfflineTransport
import Requests
import RunStore
import Synchronization
import UploaderCore

/// A directory that is removed when nothing references it.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    path = NSTemporaryDirectory() + "run-store-\(UUID().uuidString)"
  }

  /// Every file in it, with its content.
  var files: [(name: String, content: Data)] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.sorted().compactMap { name in
      FileManager.default.contents(atPath: "\(path)/\(name)").map { (name, $0) }
    }
  }

  func mode(_ name: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"))?[.posixPermissions] as? Int
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Returns a scripted response to each request and remembers what it was asked.
final class ScriptedTransport: OfflineTransport {
  typealias Reply = Result<Response, TransportError>

  private let replies: Mutex<[Reply]>
  private let log = Mutex<[TransportRequest]>([])

  init(_ replies: [Reply]) {
    self.replies = Mutex(replies)
  }

  convenience init(statuses: [Int]) {
    self.init(statuses.map { .success(Response(status: .init(code: $0))) })
  }

  var requests: [TransportRequest] { log.withLock { $0 } }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    log.withLock { $0.append(request) }
    guard let reply = replies.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      throw TransportError(.other(reason: "no response is left"))
    }
    return TransportResponse(response: try reply.get(), sentHeaders: request.headers)
  }
}

extension RequestDescription {
  static func make(
    _ method: HTTPRequest.Method, _ url: String, label: String? = nil, body: String? = nil, headers: HTTPFields = [:],
    effect: RequestEffect? = nil
  ) -> RequestDescription {
    .inMemory(
      InMemoryRequestDescription(
        RequestHead(method, .url(url)) {
          $0.label = label
          $0.headers = headers
          if let effect { $0.effect = effect }
        },
        body: body.map { .init(Array($0.utf8), contentType: "text/plain") }))
  }
}

extension ArrayRequestSequence {
  /// Requests that do not depend on each other.
  static func make(_ descriptions: [RequestDescription]) -> ArrayRequestSequence {
    ArrayRequestSequence(descriptions.map { description in { _ in description } })
  }
}

extension RunSetup {
  static let test = RunSetup(kind: "test", name: "test")
}
