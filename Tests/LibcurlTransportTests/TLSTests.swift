import Canaries
import Foundation
import HTTPTypes
import LibcurlTransport
import RealServers
import Requests
import Testing
import UploaderCore

/// TLS verification, tested on nginx with a private authority.
@Suite(.enabled(if: Nginx.isInstalled, "nginx or openssl is not installed: see Scripts/prepare-servers"))
struct TLSTests {
  private let nginx: Nginx
  private let transport = CurlTransport()

  init() throws { nginx = try Nginx.shared.get() }

  private func get(_ url: String, _ network: NetworkSettings) async throws(TransportError) -> TransportResponse {
    try await transport.send(TransportRequest(method: .get, url: url, network: network)) { _ in }
  }

  private func trusting(_ version: NetworkSettings.Version = .automatic) -> NetworkSettings {
    NetworkSettings(tls: .init(authorities: nginx.certificates.authority), version: version)
  }

  @Test func `a server of a private authority is trusted, and its certificate is in the response`() async throws {
    let reply = try await get(nginx.url() + "/x", trusting())
    #expect(reply.response.version == "HTTP/2")
    let text = String(decoding: try reply.response.body.bytes(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/2.0 host=localhost:\(nginx.port()) "))
    let certificate = try #require(reply.connection.certificate)
    #expect(certificate.subject == "CN = localhost")
    #expect(certificate.issuer == "CN = Workbench Test CA")
    #expect(certificate.names == ["localhost", "api.example.com", "127.0.0.1", "0:0:0:0:0:0:0:1"])
    #expect(certificate.isVerified)
    #expect(try #require(certificate.validFrom) < #require(certificate.expires))
    #expect(reply.timings.tls >= reply.timings.connect && reply.timings.connect > .zero)
    #expect(reply.timings.total >= reply.timings.firstByte && reply.timings.firstByte >= reply.timings.tls)

    let second = try await get(nginx.url() + "/y", trusting())
    #expect(second.connection.isReused)
    #expect(second.connection.certificate == certificate)
    #expect(second.connection.address == reply.connection.address)
  }

  @Test(arguments: [
    (NetworkSettings.Version.automatic, "HTTP/2"), (.http2, "HTTP/2"), (.http1, "HTTP/1.1"),
  ])
  func `the version of HTTP is the profile's choice`(version: NetworkSettings.Version, spoken: String) async throws {
    #expect(try await get(nginx.url(), trusting(version)).response.version == spoken)
  }

  @Test func `requests of a profile for HTTP/2 that begin together share a connection`() async throws {
    let numbers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<20 {
        group.addTask { try await get(nginx.url() + "/connection", trusting(.http2)).response.body.bytes() }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(numbers.count == 1)
  }

  @Test(arguments: Certificates.Server.allCases.filter { $0 != .good })
  func `an invalid certificate is refused before anything is sent`(
    certificate: Certificates.Server
  ) async throws {
    let error = await #expect(throws: TransportError.self) { try await get(nginx.url(certificate), trusting()) }
    let failure = try #require(error)
    #expect(!failure.requestWasSent)
    switch (certificate, failure.fact) {
    case (.expired, .tls(.expired(let date))): #expect(date?.hasSuffix("Z") == true)
    case (.wrongName, .tls(.wrongName("localhost", let names))): #expect(names == ["other.example", "*.other.example"])
    case (.selfSigned, .tls(.selfSigned)): break
    case (.unknownAuthority, .tls(.unknownIssuer(let issuer))): #expect(issuer == "CN = Some Other CA")
    default: Issue.record("\(certificate): \(failure)")
    }
  }

  @Test func `a private authority replaces the system's, and the system does not know it`() async throws {
    let error = await #expect(throws: TransportError.self) { try await get(nginx.url(), NetworkSettings()) }
    #expect(error?.fact == .tls(.unknownIssuer("CN = Workbench Test CA")))
  }

  @Test func `insecure accepts every certificate, reports it, and leaves no connection to profiles that verify`()
    async throws
  {
    let careless = NetworkSettings(tls: .init(isInsecure: true))
    for certificate in Certificates.Server.allCases {
      let reply = try await get(nginx.url(certificate), careless)
      #expect(reply.connection.certificate?.isVerified == false)
    }
    let error = await #expect(throws: TransportError.self) { try await get(nginx.url(.selfSigned), trusting()) }
    #expect(error?.fact == .tls(.selfSigned))
  }

  @Test func `a client certificate is presented to a server that wants one`() async throws {
    let url = "https://localhost:\(nginx.mutualPort)/"
    var network = trusting()
    let bare = try await get(url, network)
    #expect(bare.response.status == .badRequest)
    network.tls.certificate = nginx.certificates.client
    network.tls.key = nginx.certificates.clientKey
    let reply = try await get(url, network)
    #expect(reply.response.status == .ok)
    #expect(String(decoding: try reply.response.body.bytes(), as: UTF8.self).contains("client=SUCCESS CN=uploader"))
  }

  @Test func `an encrypted key opens with its passphrase only, and its connections are not shared`() async throws {
    let url = "https://localhost:\(nginx.mutualPort)/"
    let folder = FileManager.default.temporaryDirectory.appending(path: "locked-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let passphrase = Canary.secret("key-passphrase")
    var locked = trusting()
    locked.tls.certificate = nginx.certificates.client
    locked.tls.key = try nginx.certificates.lockedKey(in: folder, passphrase: passphrase)
    var packed = trusting()
    packed.tls.certificate = try nginx.certificates.pkcs12("me.pfx", in: folder, passphrase: passphrase)
    for var network in [locked, packed] {
      let file = try #require(network.tls.key ?? network.tls.certificate)
      network.tls.passphrase = Secret(passphrase, name: "passphrase", for: [])
      #expect(try await get(url, network).response.status == .ok)
      #expect(try await get(url, network).connection.isReused)
      network.tls.passphrase = Secret(Canary.secret("another-passphrase"), name: "passphrase", for: [])
      let error = await #expect(throws: TransportError.self) { try await get(url, network) }
      #expect(error?.fact == .tls(.passphrase(path: file)))
      // Nobody is asked at the terminal.
      network.tls.passphrase = nil
      let unopened = await #expect(throws: TransportError.self) { try await get(url, network) }
      guard case .tls = unopened?.fact else {
        Issue.record("\(String(describing: unopened))")
        return
      }
    }
  }

  @Test func `files without a certificate are named`() async throws {
    var network = trusting()
    network.tls.authorities = "/nonexistent/ca.pem"
    var error = await #expect(throws: TransportError.self) { try await get(nginx.url(), network) }
    #expect(error?.fact == .tls(.authorities(path: "/nonexistent/ca.pem")))
    network = trusting()
    network.tls.certificate = "/nonexistent/client.pem"
    error = await #expect(throws: TransportError.self) { try await get(nginx.url(), network) }
    guard case .tls(.ownCertificate(path: "/nonexistent/client.pem", _)) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
