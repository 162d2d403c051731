import Eventually
import Foundation
import Glibc
import Testing

@testable import Sandbox

@Suite("A connection")
struct ConnectionTests {
  @Test("Pipelined requests get their responses one after another, in order")
  func pipelining() async throws {
    try await SandboxFixture.run { sandbox in
      try await RawClient.connect(to: sandbox.endpoints.api) { client in
        let allocate = SandboxFixture.request("POST", "/sheets/a/snapshots", #"{"filesize": 1}"#)
        let health = SandboxFixture.request("GET", "/health")
        let nowhere = SandboxFixture.request("GET", "/nowhere")
        try await client.send([allocate, health, nowhere, health].joined())
        for status in [201, 200, 404, 200] { #expect(try await client.response().status == status) }
      }
      #expect(try sandbox.log().map(\.target) == ["/sheets/a/snapshots", "/health", "/nowhere", "/health"])
    }
  }

  @Test("A request may come byte by byte")
  func byteByByte() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5)
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        for byte in snapshot.form("hello").request() { try await client.send([byte]) }
        #expect(try await client.response().status == 204)
      }
    }
  }

  @Test("A client that expects 100 gets it, then its response")
  func expectContinue() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5)
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        let form = snapshot.form("hello")
        let request = form.request(headers: "Expect: 100-Continue\r\n")
        try await client.send(Array(request.dropLast(form.body.count)))
        #expect(try await client.response().status == 100)
        try await client.send(form.body)
        #expect(try await client.response().status == 204)
        try await client.send("GET /sandbox/snapshots/\(snapshot.uid) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.response().text == "hello")
      }
    }
  }

  @Test("A client that expects 100 and is refused by its head alone gets the refusal immediately, and the end")
  func expectRefusal() async throws {
    try await SandboxFixture.run { sandbox in
      let form = UploadForm(fields: [], file: [])
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        let request = form.request(headers: "Expect: 100-continue\r\nAuthorization: Bearer x\r\n")
        try await client.send(Array(request.dropLast(form.body.count)))
        let response = try await client.response()
        #expect(response.status == 400)
        #expect(response["connection"] == "close")
        #expect(try await client.isClosedByServer())
      }
      #expect(try sandbox.log().map(\.size) == [0])
    }
  }

  @Test("A client that sends all of a refused body first still gets its response, and continues")
  func refusedBodyIsRead() async throws {
    try await SandboxFixture.run { sandbox in
      let file = [UInt8](repeating: 7, count: 4 << 20)
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send(UploadForm(fields: [("key", "a")], file: file).request(headers: "Authorization: x\r\n"))
        let response = try await client.response()
        #expect(response.status == 400)
        #expect(response.element("Code") == "InvalidArgument")
        try await client.send("GET /sandbox/a HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.response().element("Code") == "NoSuchKey")
      }
    }
  }

  @Test("HEAD responds as GET does, without the content")
  func head() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5)
      _ = try await sandbox.upload(snapshot.form("hello"))
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send("HEAD /sandbox/snapshots/\(snapshot.uid) HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try await client.response(toHead: true)
        #expect(response.status == 200)
        #expect(response["content-length"] == "5")
        #expect(response["etag"] == "\"5d41402abc4b2a76b9719d911017c592\"")
        try await client.send("GET /sandbox/snapshots/\(snapshot.uid) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await client.response().text == "hello")
      }
    }
  }

  @Test(
    "It stays open or closes as the client asked",
    arguments: [
      ("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "close"),
      ("GET /health HTTP/1.0\r\n\r\n", "close"),
      ("GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "keep-alive"),
      ("GET /health HTTP/1.1\r\nHost: a\r\n\r\n", nil),
    ] as [(String, String?)])
  func closing(request: String, connection: String?) async throws {
    try await SandboxFixture.run { sandbox in
      try await RawClient.connect(to: sandbox.endpoints.api) { client in
        try await client.send(request)
        #expect(try await client.response()["connection"] == connection)
        if connection == "close" {
          #expect(try await client.isClosedByServer())
        } else {
          try await client.send(request)
          #expect(try await client.response().status == 200)
        }
      }
    }
  }

  @Test("A client that closes its side after its request gets its response")
  func halfClosed() async throws {
    try await SandboxFixture.run { sandbox in
      try await RawClient.connect(to: sandbox.endpoints.api) { client in
        try await client.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finish()
        #expect(try await client.response().status == 200)
        #expect(try await client.isClosedByServer())
      }
    }
  }

  @Test("An upload that breaks off leaves no object, no file and no line in the log")
  func brokenUpload() async throws {
    try await SandboxFixture.run { sandbox in
      let snapshot = try await sandbox.allocate(5)
      try await RawClient.connect(to: sandbox.endpoints.storage) { client in
        try await client.send(Array(snapshot.form("hello").request().dropLast(20)))
        #expect(try await eventually { try !sandbox.files().isEmpty })
      }
      #expect(try await eventually { try sandbox.files().isEmpty })
      #expect(try sandbox.log().map(\.target) == ["/sheets/A-101/snapshots"])
      #expect(try await sandbox.api("PUT", "/sheets/A-101/snapshots/\(snapshot.uid)").status == 409)
    }
  }

  @Test("Anything that is not HTTP gets a 400 and the end")
  func noHTTP() async throws {
    try await SandboxFixture.run { sandbox in
      try await RawClient.connect(to: sandbox.endpoints.api) { client in
        try await client.send("\u{1}\u{2}\u{3} what\r\n\r\n")
        #expect(try await client.response().status == 400)
        #expect(try await client.isClosedByServer())
      }
      #expect(try await sandbox.api("GET", "/health").status == 200)
    }
  }

  @Test("A sandbox that ends frees its ports and removes its temporary directory")
  func ending() async throws {
    var isFree = false
    // Another process may take the port in the meantime.
    for _ in 0..<5 where !isFree {
      let endpoints = try await Sandbox.run { $0 }
      do {
        try await RawClient.connect(to: endpoints.api) { _ in }
      } catch {
        isFree = true
      }
    }
    #expect(isFree)
  }

  @Test("A port that is taken is an error")
  func portTaken() async throws {
    try await SandboxFixture.run { sandbox in
      var options = SandboxOptions()
      let port = try #require(URL(string: sandbox.endpoints.api)?.port)
      options.apiPort = port
      let taken = options
      await #expect(throws: PortError(port: port, code: EADDRINUSE)) { try await Sandbox.run(taken) { _ in } }
    }
  }

  @Test("Connections still waiting when the sandbox ends are closed")
  func unservedConnections() async throws {
    for _ in 0..<20 {
      let clients = try await Sandbox.run { endpoints in
        let port = try #require(URL(string: endpoints.api)?.port)
        return try (0..<20).map { _ in try Self.connect(to: UInt16(port)) }
      }
      for client in clients {
        var byte: UInt8 = 0
        #expect(read(client, &byte, 1) == 0 || errno == ECONNRESET)
        close(client)
      }
    }
  }

  /// A socket that is connected but sends nothing.
  private static func connect(to port: UInt16) throws -> Int32 {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(client, $0, size) }
    }
    try #require(result == 0)
    return client
  }
}
