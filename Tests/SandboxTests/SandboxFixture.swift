import Canaries
import Foundation
import Synchronization
import Testing

@testable import Sandbox

/// A clock that a test sets.
final class TestClock: Sendable {
  private let date = Mutex(Date(timeIntervalSince1970: 1_700_000_000))

  var now: Date { date.withLock { $0 } }

  func advance(by seconds: TimeInterval) { date.withLock { $0 += seconds } }
}

/// A running sandbox with its clock and log.
struct SandboxFixture: Sendable {
  static let token = Canary.secret("sandbox")

  let endpoints: SandboxEndpoints
  let clock: TestClock
  private let folder: URL

  static func run(faults: [String] = [], _ body: @Sendable (SandboxFixture) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sandbox-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clock = TestClock()
    var options = SandboxOptions()
    options.token = token
    options.now = { clock.now }
    options.faults = try faults.map(SandboxFault.init(parsing:))
    options.logFile = folder.appending(path: "log.received").path
    options.dataDirectory = folder.appending(path: "data").path
    try await Sandbox.run(options) { endpoints in
      try await body(SandboxFixture(endpoints: endpoints, clock: clock, folder: folder))
    }
  }

  struct LogLine: Decodable {
    var origin: String
    var method: String
    var target: String
    var headers: [[String]]
    var size: Int
    var sha256: String
    var fileSHA256: String?

    enum CodingKeys: String, CodingKey {
      case origin, method, target, headers, size, sha256
      case fileSHA256 = "file_sha256"
    }
  }

  /// The log so far.
  func log() throws -> [LogLine] {
    let data = try Data(contentsOf: folder.appending(path: "log.received"))
    return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(LogLine.self, from: $0) }
  }

  /// The files in the data directory.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "data").path)
  }

  /// Sends one request to the API, with the token, on a connection of its own.
  func api(_ method: String, _ target: String, _ body: String = "") async throws -> RawResponse {
    try await RawClient.connect(to: endpoints.api) { client in
      try await client.send(Self.request(method, target, body))
      return try await client.response()
    }
  }

  static func request(
    _ method: String, _ target: String, _ body: String = "", headers: String = "Authorization: Bearer \(token)\r\n"
  ) -> String {
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    return "\(method) \(target) HTTP/1.1\r\nHost: sandbox\r\n\(headers)\(length)\r\n\(body)"
  }

  /// Sends a form to storage on a connection of its own.
  func upload(_ form: UploadForm, headers: String = "") async throws -> RawResponse {
    try await RawClient.connect(to: endpoints.storage) { client in
      try await client.send(form.request(headers: headers))
      return try await client.response()
    }
  }

  func allocate(_ filesize: Int, sheet: String = "A-101") async throws -> Allocation {
    let response = try await api("POST", "/sheets/\(sheet)/snapshots", #"{"filesize": \#(filesize)}"#)
    #expect(response.status == 201)
    return try JSONDecoder().decode([String: Allocation].self, from: Data(response.body))["snapshot"]
      ?? Allocation(uid: "", url: "", fields: [:])
  }

  struct Allocation: Decodable {
    var uid: String
    var url: String
    var fields: [String: String]

    /// The form that uploads a file as it was allocated.
    func form(_ file: String) -> UploadForm {
      UploadForm(fields: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, file: Array(file.utf8))
    }
  }
}

/// A form for storage, perhaps a wrong one.
struct UploadForm {
  static let boundary = "----sandbox-test"

  var fields: [(name: String, value: String)]
  var file: [UInt8]?
  /// Sent after the file.
  var trailing: [(name: String, value: String)] = []

  subscript(name: String) -> String? {
    get { fields.first { $0.name == name }?.value }
    set {
      guard let index = fields.firstIndex(where: { $0.name == name }) else {
        if let newValue { fields.append((name, newValue)) }
        return
      }
      if let newValue { fields[index].value = newValue } else { fields.remove(at: index) }
    }
  }

  var body: [UInt8] {
    func part(_ field: (name: String, value: String)) -> String {
      "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(field.name)\"\r\n\r\n\(field.value)\r\n"
    }
    var body = Array(fields.map(part).joined().utf8)
    if let file {
      body += Array(
        "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n".utf8)
      body += file + Array("\r\n".utf8)
    }
    return body + Array((trailing.map(part).joined() + "--\(Self.boundary)--\r\n").utf8)
  }

  func request(path: String = "/sandbox", headers: String = "") -> [UInt8] {
    let body = body
    return Array(
      """
      POST \(path) HTTP/1.1\r
      Host: sandbox\r
      Content-Type: multipart/form-data; boundary=\(Self.boundary)\r
      Content-Length: \(body.count)\r
      \(headers)\r

      """.utf8) + body
  }
}
