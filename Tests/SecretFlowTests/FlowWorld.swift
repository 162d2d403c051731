import Canaries
import Eventually
import Foundation
import HTTPTypes
import LineEditing
import OfflineTransport
import Prompt
import Requests
import RunStore
import SecretFlow
import Sessions
import Subcommands
import Synchronization
import UploaderCore

/// A world in memory, with a store and a history in a directory of its own, and everything that left it.
final class FlowWorld: Sendable {
  static let ownHost = "api.test"

  let directory = FileManager.default.temporaryDirectory.appending(path: "workbench-flow-\(UUID().uuidString)")
  private let screen = Mutex("")
  private let files = Mutex<[String: [UInt8]]>([:])
  private let transport = FlowTransport()

  init(script: String = "") throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    files.withLock { $0["/work/flow.wb"] = Array(script.utf8) }
    try Data(Source.token.utf8).write(to: given)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  /// The source of a secret.
  private var given: URL { directory.appending(path: "token.given") }

  var store: String { directory.appending(path: "store").path }
  var history: String { directory.appending(path: "history").path }

  var shown: String { screen.withLock { $0 } }
  /// Those that went to another host.
  var foreignRequests: [TransportRequest] { transport.requests.filter { !$0.url.contains("//\(Self.ownHost)") } }
  var ownRequests: [TransportRequest] { transport.requests.filter { $0.url.contains("//\(Self.ownHost)") } }

  func put(_ text: String, at path: String) {
    files.withLock { $0[path] = Array(text.utf8) }
  }

  /// Installs another behavior: the next requests get no response.
  func goOffline(_ isOffline: Bool = true) { transport.goOffline(isOffline) }

  /// Every text that left: the screen, files that were written, the store, the history.
  func leftovers() -> [(name: String, bytes: Data)] {
    var all = [("the screen", Data(shown.utf8))]
    for (path, bytes) in files.withLock({ $0 }) where path != "/work/flow.wb" {
      all.append(("the file \(path)", Data(bytes)))
      all.append(("the name of a file", Data(path.utf8)))
    }
    for case let name as String in FileManager.default.enumerator(atPath: directory.path) ?? .init()
    where name != given.lastPathComponent {
      guard let content = FileManager.default.contents(atPath: directory.appending(path: name).path) else { continue }
      all.append((name, content))
    }
    return all
  }

  var world: World {
    let output = World.Output { [self] text in screen.withLock { $0 += text } }
    let variables = [
      "FIELD": PartOfSecretTests.fieldName, "QUOTED": PartOfSecretTests.quoted, Source.fileVariable: given.path,
    ]
    var world = World(
      output: output, errorOutput: output, environment: Source.variables.merging(variables) { $1 },
      workingDirectory: "/work",
      readFile: { [self] path throws(FileError) in
        let whole = path.hasPrefix("/") ? path : "/work/\(path)"
        guard let bytes = files.withLock({ $0[whole] }) else {
          throw .unreadable(path: path, reason: SystemError(number: 2))
        }
        return bytes
      },
      writeFile: { [self] path, body throws(FileError) in
        let bytes = try body.bytes()
        files.withLock { $0[path.hasPrefix("/") ? path : "/work/\(path)"] = bytes }
      },
      replaceFile: { [self] path, bytes in files.withLock { $0[path] = bytes } }, listDirectory: { _ in [] },
      transport: transport,
      clock: UploadClock(now: { .seconds(1_767_000_000) }, sleep: { _ in }), makeBoundary: { "boundary" })
    world.patience = .seconds(60)
    return world
  }
}

/// Responds to the login with secrets, and to everything else with what it was sent.
private final class FlowTransport: OfflineTransport {
  private struct State {
    var requests: [TransportRequest] = []
    var grants = 0
    var isOffline = false
  }

  private let state = Mutex(State())

  var requests: [TransportRequest] { state.withLock(\.requests) }

  func goOffline(_ isOffline: Bool) { state.withLock { $0.isOffline = isOffline } }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    let isOffline = state.withLock { state in
      if !state.isOffline { state.requests.append(request) }
      return state.isOffline
    }
    if isOffline { throw TransportError(.connect(reason: "Connection refused")) }
    var headers: HTTPFields = [.contentType: "application/json"]
    var body = "{}"
    var status = HTTPResponse.Status.ok
    if request.url.hasSuffix("/login") {
      headers[.setCookie] = "sid=\(Source.sid); HttpOnly"
      body = Source.loginResponse
    } else if request.url.hasSuffix("/mirror") {
      headers[.contentType] = request.headers[.contentType]
      body = request.text.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? ""
    } else if request.url.hasSuffix("/grant") {
      let number = state.withLock { state in
        state.grants += 1
        return state.grants
      }
      let token = number == 1 ? Source.received : "the-later-grant-\(number)"
      body = "{\"id\": 7, \"access_token\": \"\(token)\", \"other\": \"\(token)\", \"list\": [\"\(token)\"]}"
    } else if request.url.hasSuffix("/last") {
      body = "{\"old\": \"\(Source.received)\"}"
    } else if request.url.hasSuffix("/last-token") {
      body = "{\"token\": \"\(Source.token)\"}"
    } else if request.url.hasSuffix("/last-made") {
      body = "{\"made\": \"\(Source.token.uppercased())\"}"
    } else if request.url.hasSuffix("/after-mirror") {
      await hasMirrored()
    } else if request.url.hasSuffix("/nope") {
      status = .notFound
    } else if request.url.hasSuffix("/names") {
      headers = [.contentType: "x/\(PartOfSecretTests.fieldName)"]
      if let name = HTTPField.Name("X-\(PartOfSecretTests.fieldName)") { headers[name] = "1" }
      headers[.setCookie] = "\(PartOfSecretTests.fieldName)=1"
    } else if request.url.contains("//\(FlowWorld.ownHost)") {
      let sent = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\\n")
      let credential = request.headers[.authorization]?.split(separator: " ").last ?? ""
      body =
        "{\"url\": \"\(request.url)\", \"credential\": \"\(credential.replacing("\"", with: "\\\""))\", \"sent\": \"\(sent.replacing("\"", with: "\\\""))\"}"
    }
    return TransportResponse(
      response: Response(status: status, headers: headers, body: ResponseBody(Array(body.utf8))),
      sentHeaders: request.headers)
  }

  /// Waits until something was mirrored, in a branch that runs at the same time; not forever.
  private func hasMirrored() async {
    _ = try? await eventually(within: .seconds(5), every: .milliseconds(1)) {
      requests.contains { $0.url.hasSuffix("/mirror") }
    }
  }
}

extension TransportRequest {
  /// Everything that would be sent.
  var text: String {
    var text = "\(self.method) \(self.url)\n" + self.headers.map { "\($0.name): \($0.value)\n" }.joined() + "\n"
    for case .bytes(let bytes) in self.body ?? [] { text += String(decoding: bytes, as: UTF8.self) }
    return text
  }
}
