import Eventually
import Foundation
import HTTPTypes
import LibcurlTransport
import LoopbackServer
import RealServers
import Requests
import Testing
import UploaderCore

/// The routes to a host: its address, another one, a socket, a proxy.
@Suite(.timeLimit(.minutes(5))) struct RouteTests {
  private let transport = CurlTransport()

  private func get(_ url: String, _ network: NetworkSettings) async throws(TransportError) -> TransportResponse {
    try await transport.send(TransportRequest(method: .get, url: url, network: network)) { _ in }
  }

  private static func text(_ reply: TransportResponse) throws -> String {
    String(decoding: try reply.response.body.bytes(), as: UTF8.self)
  }

  @Test(.enabled(if: Nginx.isInstalled, "nginx is not installed: see Scripts/prepare-servers"))
  func `IPv6, a socket, another address: the host in the request stays the URL's`() async throws {
    let nginx = try Nginx.shared.get()
    let six = try await get("http://[::1]:\(nginx.plainPort)/six", NetworkSettings())
    #expect(six.connection.address == "[::1]:\(nginx.plainPort)")
    #expect(try Self.text(six).contains("host=[::1]:\(nginx.plainPort)"))

    let socket = try await get("http://api.example.com/s", NetworkSettings(unixSocket: nginx.unixSocket))
    #expect(try Self.text(socket).contains("host=api.example.com"))

    let other = NetworkSettings(resolve: [
      try .init(host: "api.example.com", address: "127.0.0.1:\(nginx.plainPort)")
    ])
    #expect(try Self.text(await get("http://api.example.com/r", other)).contains("host=api.example.com "))
    let sixAgain = NetworkSettings(resolve: [try .init(host: "api.example.com", address: "::1")])
    let reply = try await get("http://api.example.com:\(nginx.plainPort)/r", sixAgain)
    #expect(reply.connection.address == "[::1]:\(nginx.plainPort)")
    #expect(!reply.connection.isReused)
  }

  @Test(.enabled(if: Nginx.isInstalled, "nginx is not installed: see Scripts/prepare-servers"))
  func `with another address the certificate is still checked for the host of the URL`() async throws {
    let nginx = try Nginx.shared.get()
    let network = NetworkSettings(
      tls: .init(authorities: nginx.certificates.authority),
      resolve: [try .init(host: "other.example", address: "127.0.0.1")])
    #expect(try await get("https://other.example:\(nginx.port(.wrongName))/", network).response.status == .ok)
    let error = await #expect(throws: TransportError.self) {
      try await get("https://other.example:\(nginx.port())/", network)
    }
    guard case .tls(.wrongName("other.example", _)) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    .enabled(
      if: Tinyproxy.isInstalled && Nginx.isInstalled,
      "tinyproxy or nginx is not installed: see Scripts/prepare-servers"))
  func `an HTTP proxy is used with its own password, and tunnels TLS`() async throws {
    let (nginx, proxy) = (try Nginx.shared.get(), try Tinyproxy())
    let good = try Proxy("http://\(Tinyproxy.user):\(Tinyproxy.password)@\(proxy.authority)")
    let plain = try await get("http://127.0.0.1:\(nginx.plainPort)/p", NetworkSettings(proxy: good))
    #expect(plain.response.status == .ok)
    #expect(plain.connection.address == proxy.authority)

    let network = NetworkSettings(tls: .init(authorities: nginx.certificates.authority), proxy: good)
    let tunnelled = try await get(nginx.url() + "/t", network)
    #expect(tunnelled.response.version == "HTTP/2")
    #expect(tunnelled.sentHeaders[.proxyAuthorization] == nil)
    #expect(tunnelled.connection.certificate?.isVerified == true)
    #expect(try proxy.log().contains("CONNECT localhost:\(nginx.port())"))
  }

  @Test(
    .enabled(
      if: Tinyproxy.isInstalled && Nginx.isInstalled,
      "tinyproxy or nginx is not installed: see Scripts/prepare-servers"))
  func `a proxy that refuses is named, and nothing was sent`() async throws {
    let (nginx, proxy) = (try Nginx.shared.get(), try Tinyproxy())
    let wrong = NetworkSettings(
      tls: .init(authorities: nginx.certificates.authority),
      proxy: try Proxy("http://surveyor:wrong@\(proxy.authority)"))
    let error = await #expect(throws: TransportError.self) { try await get(nginx.url(), wrong) }
    guard case .proxy(let reason) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("40"))
    #expect(error?.requestWasSent == false)

    let closed = NetworkSettings(proxy: try Proxy("http://127.0.0.1:1"))
    let unreachable = await #expect(throws: TransportError.self) { try await get("http://127.0.0.1:9/", closed) }
    #expect(unreachable?.fact == .connect(reason: "the proxy 127.0.0.1:1: Connection refused"))
  }

  @Test(.enabled(if: Self.hasSecureProxy, "nginx, tinyproxy or stunnel is not installed: see Scripts/prepare-servers"))
  func `a proxy is reached over TLS, for plain requests and for TLS inside it`() async throws {
    let (nginx, proxy) = (try Nginx.shared.get(), try Tinyproxy())
    let tls = try Stunnel(to: proxy.authority, nginx.certificates, showing: .good)
    var trusted = try Proxy("https://\(Tinyproxy.user):\(Tinyproxy.password)@localhost:\(tls.port)")
    trusted.authorities = nginx.certificates.authority
    let plain = try await get("http://127.0.0.1:\(nginx.plainPort)/p", NetworkSettings(proxy: trusted))
    #expect(plain.response.status == .ok)
    #expect(plain.connection == ConnectionFacts(address: "127.0.0.1:\(tls.port)"))

    let network = NetworkSettings(tls: .init(authorities: nginx.certificates.authority), proxy: trusted)
    let tunnelled = try await get(nginx.url() + "/t", network)
    #expect(tunnelled.response.version == "HTTP/2")
    #expect(tunnelled.sentHeaders[.proxyAuthorization] == nil)
    #expect(tunnelled.connection.certificate?.subject == "CN = localhost")
    #expect(try proxy.log().contains("CONNECT localhost:\(nginx.port())"))

    // What is wrong with the server inside is reported of the server.
    let error = await #expect(throws: TransportError.self) { try await get(nginx.url(.selfSigned), network) }
    guard case .tls(.other(let reason)) = error?.fact else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("TLS inside the proxy's TLS failed, probably because its certificate is not trusted"))
    #expect(error?.requestWasSent == false)
  }

  @Test(
    .enabled(if: Self.hasSecureProxy, "nginx, tinyproxy or stunnel is not installed: see Scripts/prepare-servers"),
    arguments: Certificates.Server.allCases)
  func `a proxy without a valid certificate never gets the password`(certificate: Certificates.Server) async throws {
    let (nginx, proxy) = (try Nginx.shared.get(), try Tinyproxy())
    let tls = try Stunnel(to: proxy.authority, nginx.certificates, showing: certificate)
    var secure = try Proxy("https://\(Tinyproxy.user):\(Tinyproxy.password)@localhost:\(tls.port)")
    // Of the good one not even the authority is known: that the server is accepted unverified does not extend to the
    // proxy.
    if certificate != .good { secure.authorities = nginx.certificates.authority }
    for url in [nginx.url(), "http://127.0.0.1:\(nginx.plainPort)/"] {
      let network = NetworkSettings(tls: .init(isInsecure: true), proxy: secure)
      let error = await #expect(throws: TransportError.self) { try await get(url, network) }
      #expect(error?.requestWasSent == false)
      guard case .tls(.proxy("localhost:\(tls.port)", let failure)) = error?.fact else {
        Issue.record("\(certificate): \(String(describing: error))")
        continue
      }
      switch (certificate, failure) {
      case (.good, .unknownIssuer("CN = Workbench Test CA")), (.expired, .expired), (.selfSigned, .selfSigned),
        (.wrongName, .wrongName(host: "localhost", names: ["other.example", "*.other.example"])),
        (.unknownAuthority, .unknownIssuer("CN = Some Other CA")):
        break
      default: Issue.record("\(certificate): \(failure)")
      }
    }
    #expect(try !proxy.log().contains("\(nginx.port())"))
  }

  private static let hasSecureProxy = Nginx.isInstalled && Tinyproxy.isInstalled && Stunnel.isInstalled

  @Test(arguments: [
    (Proxy.Kind.socks5h, SOCKS5Server.Address.name("api.example.com", 80)),
    (.socks5, .four([127, 0, 0, 1], 80)),
  ])
  func `SOCKS5 resolves the name at the proxy or locally`(kind: Proxy.Kind, asked: SOCKS5Server.Address) async throws {
    let proxy = try SOCKS5Server()
    let host = kind == .socks5h ? "api.example.com" : "127.0.0.1"
    let network = NetworkSettings(proxy: try Proxy("\(kind.rawValue)://tess:pass:word@127.0.0.1:\(proxy.port)"))
    let reply = try await get("http://\(host)/via", network)
    #expect(try Self.text(reply) == "through")
    #expect(proxy.seen == [.login(user: "tess", password: "pass:word"), .connect(asked)])
  }

  @Test(.enabled(if: Tinyproxy.isInstalled, "tinyproxy is not installed: see Scripts/prepare-servers"))
  func `a server ends with the process that started it, and leaves no files`() async throws {
    let (authority, folder) = try {
      let proxy = try Tinyproxy()
      return (proxy.authority, proxy.folder)
    }()
    let network = NetworkSettings(proxy: try Proxy("http://\(authority)"))
    let isGone = try await eventually {
      let answers = (try? await get("http://127.0.0.1:9/", network)) != nil
      return !answers && !FileManager.default.fileExists(atPath: folder)
    }
    #expect(isGone)
  }

  @Test func `nothing is taken from the environment or from files of other programs`() throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "direct") }
    }
    let home = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try Data("machine 127.0.0.1 login netrc password canary\n".utf8).write(to: home.appending(path: ".netrc"))
    try Data("user-agent = canary\nproxy = http://127.0.0.1:1\n".utf8).write(to: home.appending(path: ".curlrc"))
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appending(path: "transport-probe")
    process.arguments = [server.url]
    let dead = "http://127.0.0.1:1"
    process.environment = [
      "HOME": home.path, "CURL_HOME": home.path, "XDG_CONFIG_HOME": home.path, "NETRC": home.path + "/.netrc",
      "http_proxy": dead, "HTTP_PROXY": dead, "https_proxy": dead, "ALL_PROXY": dead, "all_proxy": dead,
      "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.hasPrefix("200 6\n"))
    let request = try #require(server.requests.first)
    #expect(!request.contains("canary") && !request.lowercased().contains("authorization"))
  }

  @Test func `no_proxy in the environment does not bypass the profile's proxy`() async throws {
    setenv("no_proxy", "*", 1)
    defer { unsetenv("no_proxy") }
    let proxy = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "proxied") }
    }
    let network = NetworkSettings(proxy: try Proxy(proxy.url))
    #expect(try Self.text(await get("http://api.example.com/x", network)) == "proxied")
    #expect(proxy.requests.first?.hasPrefix("GET http://api.example.com/x HTTP/1.1\r\n") == true)
  }
}
