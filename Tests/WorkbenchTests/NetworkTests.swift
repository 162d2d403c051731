import RealServers
import Testing

/// Profiles' connections, as a script says them, against nginx.
@Suite(
  .enabled(if: Nginx.isInstalled, "nginx or openssl is not installed: see Scripts/prepare-servers"),
  .timeLimit(.minutes(2)))
struct NetworkTests {
  private func run(_ script: String) async throws -> Workbench.Outcome {
    let file = try TemporaryFile(script, name: "network.wb")
    return try await Workbench.run(["run", file.path])
  }

  @Test func `TLS with an authority of one's own, a client certificate and HTTP/2`() async throws {
    let nginx = try Nginx.shared.get()
    let outcome = try await run(
      """
      profile api {
        base https://localhost:\(nginx.mutualPort)
        tls { ca: "\(nginx.certificates.authority)", cert: "\(nginx.certificates.client)", key: "\(nginx.certificates.clientKey)" }
        http 2
      }
      who: GET /who
        expect 200
        expect text contains "HTTP/2.0"
        expect text contains "client=SUCCESS CN=uploader"
        expect certificate.issuer == "CN = Workbench Test CA"
        expect certificate.verified
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `a socket, another address and cookies`() async throws {
    let nginx = try Nginx.shared.get()
    let outcome = try await run(
      """
      profile local { base http://local.example
        unix-socket \(nginx.unixSocket) }
      profile moved { base http://moved.example
        resolve moved.example: 127.0.0.1:\(nginx.plainPort)
        cookies on }
      profile forgetful { base http://forgetful.example
        resolve forgetful.example: 127.0.0.1:\(nginx.plainPort) }
      GET local:/x
        expect text contains "host=local.example "
      GET moved:/cookie
        expect text == "cookie="
      GET moved:/cookie
        expect text == "cookie=sid=abc"
      GET forgetful:/cookie
      GET forgetful:/cookie
        expect text == "cookie="
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test(arguments: [
    (Certificates.Server.unknownAuthority, "can not be trusted"),
    (.wrongName, "is not for \"localhost\": it is for other.example, *.other.example"),
    (.expired, "has expired"),
    (.selfSigned, "can not be trusted: it is signed by itself only"),
  ])
  func `no trust is a clear error with code 22`(certificate: Certificates.Server, sentence: String) async throws {
    let nginx = try Nginx.shared.get()
    let outcome = try await run(
      """
      profile api { base \(nginx.url(certificate))
        tls { ca: "\(nginx.certificates.authority)" } }
      GET /
      """)
    #expect(outcome.code == 22)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.errors.contains("nothing was sent"))
  }

  @Test func `insecure is taken, and told`() async throws {
    let nginx = try Nginx.shared.get()
    let outcome = try await run(
      "profile api { base \(nginx.url(.expired))\ntls { insecure: true } }\nGET /")
    #expect(outcome.code == 0)
    #expect((outcome.output + outcome.errors).contains("the certificate was not checked"))
  }
}
