import Canaries
import Foundation
import JSONValue
import LoopbackServer
import RealServers
import Testing

/// Profiles' connections, as a script configures them, against nginx.
@Suite(
  .enabled(if: Nginx.isInstalled, "nginx or openssl is not installed: see Scripts/prepare-servers"),
  .timeLimit(.minutes(2)))
struct NetworkTests {
  private func run(_ script: String) async throws -> Workbench.Outcome {
    let file = try TemporaryFile(script, name: "network.wb")
    return try await Workbench.run(["run", file.path])
  }

  @Test func `TLS with a private authority, a client certificate and HTTP/2`() async throws {
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
    (
      Certificates.Server.unknownAuthority,
      "it is signed by \"CN = Some Other CA\", which is not an authority trusted here"
    ),
    (.wrongName, "is not for \"localhost\": it is for other.example, *.other.example"),
    (.expired, "has expired: it was valid until 20"),
    (.selfSigned, "cannot be trusted: it is self-signed"),
  ])
  func `failed TLS verification is a clear error with code 22`(certificate: Certificates.Server, sentence: String)
    async throws
  {
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

  @Test func `the page's example runs as written`() async throws {
    let nginx = try Nginx.shared.get()
    let page = try String(
      contentsOfFile: "\(Workbench.examples)/../Documentation/profiles.md", encoding: .utf8)
    let block = try #require(page.firstMatch(of: /```wb\n([\s\S]*?)```/)).1
    let file = try TemporaryFile(String(block).replacing(":8443", with: ":\(nginx.mutualPort)"), name: "page.wb")
    let folder = file.url.deletingLastPathComponent()
    for (name, path) in [
      ("ca.pem", nginx.certificates.authority), ("client.pem", nginx.certificates.client),
      ("client.key", nginx.certificates.clientKey),
    ] { try FileManager.default.copyItem(atPath: path, toPath: folder.appending(path: name).path) }
    let outcome = try await Workbench.run(["run", file.path, "-v"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("HTTP/2 with 127.0.0.1:\(nginx.mutualPort)\n"))
    #expect(outcome.output.contains("certificate CN = localhost, signed by CN = Workbench Test CA, until 20"))
  }

  @Test func `the same settings work at the prompt, and are explained before anything is sent`() async throws {
    let nginx = try Nginx.shared.get()
    let directory = URL(filePath: nginx.certificates.authority).deletingLastPathComponent().path
    let outcome = try await Workbench.run(
      [],
      input: """
        profile api {
          base https://api.example.com
          tls { ca: "ca.pem", cert: "client.pem", key: "client.key" }
          resolve api.example.com: [::1]:\(nginx.mutualPort)
          http 1.1
        }
        :explain GET /who
        GET /who
        :show $1
        :timing $1

        """, directory: directory)
    #expect(outcome.code == 0, "\(outcome)")
    let screen = outcome.output.replacing(/\ +/, with: " ")
    #expect(screen.contains("\n tls ca ca.pem ← profile api\n"), "\(screen)")
    #expect(screen.contains("api.example.com: [::1]:\(nginx.mutualPort)"))
    #expect(screen.contains("HTTP/1.1 host=api.example.com client=SUCCESS CN=uploader"))
    #expect(screen.contains("HTTP/1.1 with [::1]:\(nginx.mutualPort)\n"))
    #expect(screen.contains("\ntls "))
  }

  @Test(.enabled(if: Tinyproxy.isInstalled, "tinyproxy is not installed: see Scripts/prepare-servers"))
  func `a proxy that a variable names is asked for tunnels, and its password is shown nowhere`() async throws {
    let (nginx, proxy) = (try Nginx.shared.get(), try Tinyproxy())
    let file = try TemporaryFile(
      """
      profile api {
        base \(nginx.url())
        proxy $env.WORK_PROXY
        tls { ca: "\(nginx.certificates.authority)" }
      }
      GET /through
        expect text contains "uri=/through"
      """, name: "proxy.wb")
    func run(_ password: String) async throws -> Workbench.Outcome {
      let variable = "http://\(Tinyproxy.user):\(password)@\(proxy.authority)"
      return try await Workbench.run(["run", file.path, "-v"], environment: ["WORK_PROXY": variable])
    }
    let outcome = try await run(Tinyproxy.password)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(!(outcome.output + outcome.errors).contains(Tinyproxy.password))
    #expect(try proxy.log().contains("CONNECT localhost:\(nginx.port())"))

    let refused = try await run("wrong-password")
    #expect(refused.code == 21, "\(refused)")
    #expect(refused.errors.contains("proxy"))
    #expect(!(refused.output + refused.errors).contains("wrong-password"))
  }

  @Test func `a SOCKS proxy resolves the name`() async throws {
    let proxy = try SOCKS5Server()
    let outcome = try await run(
      """
      profile api { base http://inside.example
        proxy socks5h://tess:theodolite@127.0.0.1:\(proxy.port) }
      GET /
        expect text == "through"
      """)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      proxy.seen == [.login(user: "tess", password: "theodolite"), .connect(.name("inside.example", 80))])
  }

  @Test func `what is not in a profile is not used: netrc, curlrc, proxies from the environment`() async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "direct") }
    }
    let canary = Canary.secret("netrc")
    let netrc = try TemporaryFile("machine 127.0.0.1 login tess password \(canary)\n", name: ".netrc")
    let home = netrc.url.deletingLastPathComponent()
    try Data("user-agent = \(canary)\nproxy = http://127.0.0.1:1\n".utf8).write(to: home.appending(path: ".curlrc"))
    let dead = "http://127.0.0.1:1"
    let environment = [
      "HOME": home.path, "CURL_HOME": home.path, "NETRC": netrc.path, "http_proxy": dead, "HTTP_PROXY": dead,
      "all_proxy": dead, "ALL_PROXY": dead,
    ]
    let script = try TemporaryFile("GET \(server.url)/x\n", name: "x.wb")
    let outcome = try await Workbench.run(["run", script.path], environment: environment)
    #expect(outcome.code == 0, "\(outcome)")
    let typed = try await Workbench.run([], input: "GET \(server.url)/y\n", environment: environment)
    #expect(typed.output.contains("direct"), "\(typed)")
    #expect(server.requests.count == 2)
    for request in server.requests {
      #expect(!request.contains(canary) && !request.lowercased().contains("authorization"))
    }
  }

  @Test func `what OpenSSL would read from the environment changes nothing`() async throws {
    let nginx = try Nginx.shared.get()
    let keys = try TemporaryFile("", name: "beside").path + ".keys"
    let settings = try TemporaryFile("openssl_conf = nowhere\n[nowhere\n", name: "openssl.cnf")
    let script = try TemporaryFile(
      "profile api { base \(nginx.url()) tls { ca: \"\(nginx.certificates.authority)\", minimum: \"1.3\" } }\nGET api:/a\n",
      name: "environment.wb")
    let outcome = try await Workbench.run(
      ["run", script.path], environment: ["SSLKEYLOGFILE": keys, "OPENSSL_CONF": settings.path])
    #expect(outcome.code == 0, "\(outcome.written)")
    #expect(!FileManager.default.fileExists(atPath: keys))
  }

  @Test func `a passphrase opens a key, and is shown and sent nowhere`() async throws {
    let nginx = try Nginx.shared.get()
    let (secret, wrong) = (Canary.secret("passphrase"), Canary.secret("wrong-passphrase"))
    let beside = try TemporaryFile("", name: "beside")
    defer { withExtendedLifetime(beside) {} }
    let folder = beside.url.deletingLastPathComponent()
    let key = try nginx.certificates.lockedKey(in: folder, passphrase: secret)
    let pkcs12 = try nginx.certificates.pkcs12("me.bin", in: folder, passphrase: secret)
    let echo = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "fine") }
    }
    func script(_ members: String, _ more: String = "") throws -> TemporaryFile {
      try TemporaryFile(
        """
        profile api {
          base https://localhost:\(nginx.mutualPort)
          tls { ca: "\(nginx.certificates.authority)", \(members), passphrase: $env.LOCK }
        }
        GET api:/locked
          expect text contains "client=SUCCESS CN=uploader"
        \(more)
        """, name: "locked.wb")
    }
    func run(_ command: [String], _ file: TemporaryFile, _ lock: String) async throws -> Workbench.Outcome {
      let outcome = try await Workbench.run(
        command + [file.path], environment: ["LOCK": lock, "XDG_STATE_HOME": folder.path])
      #expect(!outcome.written.contains(lock), "\(outcome.written)")
      return outcome
    }
    let pem = "cert: \"\(nginx.certificates.client)\", key: \"\(key)\""
    for members in [pem, "cert: \"\(pkcs12)\""] {
      let file = try script(members)
      #expect(try await run(["check"], file, secret).code == 0)
      let outcome = try await run(["run", "-v"], file, secret)
      #expect(outcome.code == 0, "\(outcome.written)")
      let refused = try await run(["run"], file, wrong)
      #expect(refused.code == 22, "\(refused.written)")
      #expect(refused.errors.contains("the passphrase does not open the private key in \""), "\(refused.errors)")
      #expect(refused.errors.contains("tls { passphrase: $env.KEY_PASSPHRASE }"))
    }
    // Not to the profile's own origin, not elsewhere, and not in another form.
    for leak in ["GET api:/{$env.LOCK}", "GET \(echo.url)/{$env.LOCK}", "GET api:/?x={$env.LOCK | upper}"] {
      let outcome = try await run(["run"], script(pem, leak), secret)
      #expect(outcome.code != 0 && outcome.errors.contains(" nowhere, "), "\(outcome.written)")
    }
    let loaded = try script(pem)
    let printed = try await Workbench.run(
      [], input: ":load \(loaded.path)\n:print $env.LOCK | upper\n:print $env.LOCK\n:profile\n",
      environment: ["LOCK": secret, "HOME": folder.path])
    #expect(printed.code == 0 && printed.output.contains("••••"), "\(printed)")
    #expect(Canary.place(of: secret, in: Data((printed.output + printed.written).utf8)) == nil, "\(printed)")
    #expect(echo.requests.isEmpty)
  }

  @Test func `a server that speaks too old a TLS is an error that names the minimum`() async throws {
    let nginx = try Nginx.shared.get()
    for (spoken, minimum) in [("1_1", "1.2"), ("1_2", "1.3")] {
      let server = try OldServer(version: spoken, nginx.certificates)
      let outcome = try await run(
        "profile a { base https://localhost:\(server.port) tls { ca: \"\(nginx.certificates.authority)\", minimum: \"\(minimum)\" } }\nGET a:/"
      )
      #expect(outcome.code == 22, "\(outcome.written)")
      #expect(outcome.errors.contains("does not speak TLS \(minimum), the oldest that is spoken here"), "\(outcome)")
    }
    // One that replies with a hello of TLS 1.1 whatever it was offered.
    let random = [UInt8](repeating: 7, count: 32)
    let hello: [UInt8] = [2, 0, 0, 38, 3, 2] + random + [0, 0, 0x2f, 0]
    let server = try LoopbackServer { connection in
      _ = try connection.readBody(5)
      try connection.send([22, 3, 2, 0, UInt8(hello.count)] + hello)
      try connection.waitForClose()
    }
    let outcome = try await run("GET https://127.0.0.1:\(server.port)/\n")
    #expect(outcome.code == 22, "\(outcome.written)")
    #expect(outcome.errors.contains("does not speak TLS 1.2, the oldest"), "\(outcome.errors)")
  }

  @Test func `insecure is accepted, and reported`() async throws {
    let nginx = try Nginx.shared.get()
    let outcome = try await run(
      "profile api { base \(nginx.url(.expired))\ntls { insecure: true } }\nGET /")
    #expect(outcome.code == 0)
    #expect((outcome.output + outcome.errors).contains("the certificate was not checked"))
    #expect(outcome.errors.contains("warning: the server's certificate is not checked"), "\(outcome.errors)")
  }

  @Test func `run --json reports the protocol, and the certificate of a connection with TLS`() async throws {
    let nginx = try Nginx.shared.get()
    let file = try TemporaryFile(
      """
      profile api { base \(nginx.url()) tls { ca: "\(nginx.certificates.authority)" } }
      GET api:/a
      GET api:/b
      GET http://127.0.0.1:\(nginx.plainPort)/c
      """, name: "report.wb")
    let outcome = try await Workbench.run(["run", "--json", file.path])
    let reports = try outcome.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
    #expect(reports.map { $0["protocol"]?.string } == ["HTTP/2", "HTTP/2", "HTTP/1.1"])
    #expect(reports[0]["certificate"]?["issuer"]?.string == "CN = Workbench Test CA")
    #expect(reports[0]["certificate"]?["verified"] == true)
    // Over the same connection it is reported again.
    #expect(reports[1]["certificate"] == reports[0]["certificate"])
    #expect(reports[2]["certificate"] == nil)
  }

  @Test(arguments: [
    (#"ca: "gone.pem""#, "cannot read \"", "relative paths start from the "),
    (#"ca: "text.pem""#, "text.pem\" contains no certificate in PEM", "openssl x509 -inform der"),
    (#"cert: "text.pem", key: "client.key""#, "text.pem\" contains no certificate in PEM", "openssl x509 -inform der"),
    (#"cert: "client.pem""#, "client.pem\" contains no private key in PEM", "key: \"…\""),
    (#"cert: "client.pem", key: "ca.pem""#, "ca.pem\" contains no private key in PEM", "key: \"…\""),
    (#"cert: "client.pem", key: "locked.key""#, "locked.key\" has a passphrase", "passphrase: $env."),
    (#"cert: "client.pem", key: "old.key""#, "old.key\" has a passphrase", "passphrase: $env."),
  ])
  func `a file that is of no use for TLS is reported before anything is sent`(
    settings: String, message: String, advice: String
  ) async throws {
    let nginx = try Nginx.shared.get()
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil { try connection.respond(body: "sent") }
    }
    func script(_ settings: String) -> String {
      "profile a { base https://a.example\n  tls { \(settings) } }\nGET \(server.url)/first\nGET a:/\n"
    }
    let file = try TemporaryFile(script(settings), name: "tls.wb")
    let folder = file.url.deletingLastPathComponent()
    for path in [nginx.certificates.authority, nginx.certificates.client, nginx.certificates.clientKey] {
      try FileManager.default.copyItem(
        atPath: path, toPath: folder.appending(path: URL(filePath: path).lastPathComponent).path)
    }
    for (name, text) in [
      ("text.pem", "hello\n"), ("locked.key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"),
      ("old.key", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"),
    ] { try Data(text.utf8).write(to: folder.appending(path: name)) }

    for command in ["check", "run"] {
      let outcome = try await Workbench.run([command, file.path])
      #expect(outcome.code == 2 && outcome.errors.contains("tls.wb:2:"), "\(outcome)")
      #expect(outcome.errors.contains(message) && outcome.errors.contains(advice), "\(outcome)")
    }
    // A path that is not a literal is known when the run begins.
    let computed = script(settings.replacing(": \"", with: ": \"{$here}/"))
    try Data("let here = \".\"\n\(computed)".utf8).write(to: file.url)
    let outcome = try await Workbench.run(["run", file.path])
    #expect(outcome.code != 0 && outcome.errors.contains(message) && outcome.errors.contains(advice), "\(outcome)")
    #expect(server.requests.isEmpty)
  }
}
