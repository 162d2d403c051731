import Canaries
import Foundation
import LoopbackServer
import RealServers
import Testing

/// Files of other tools that are run as they are: how they end, and where their variables come from.
@Suite(.timeLimit(.minutes(2))) struct ForeignRunTests {
  private func server() throws -> LoopbackServer {
    try LoopbackServer { connection in
      while let (head, _) = try connection.readRequest() {
        switch head.split(separator: " ").dropFirst().first {
        case "/missing"?: try connection.respond("404 Not Found", body: "no")
        case "/slow"?: sleep(30)
        case "/broken"?:
          try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
          return
        case "/nonsense"?:
          try connection.send("SSH-2.0-OpenSSH\r\n\r\n")
          return
        default:
          try connection.respond(headers: ["Content-Type: application/json"], body: #"{"id": 7, "name": "ann"}"#)
        }
      }
    }
  }

  /// What must fail, and with which exit code: 1 what was expected is not so, 2 the file is wrong, 20 time, 21 network,
  /// 25 a file.
  @Test(arguments: [
    ("GET {{url}}/\nHTTP 404\n", 1), ("GET {{url}}/missing\nHTTP 200\n", 1),
    ("GET {{url}}/\nHTTP 200\n[Asserts]\njsonpath \"$.id\" == 8\n", 1),
    ("GET {{url}}/\nHTTP 200\n[Asserts]\njsonpath \"$.nothing\" exists\n", 1),
    ("GET {{url}}/\nHTTP 200\n[Asserts]\nheader \"X-None\" exists\n", 1),
    ("GET {{url}}/\nHTTP 200\n[Asserts]\nbody contains \"bob\"\n", 1),
    ("GET {{url}}/\nHTTP 200\n[Asserts]\njsonpath \"$.name\" isInteger\n", 1),
    ("GET {{url}}/\nHTTP 200\n[Asserts]\nduration < 0\n", 1),
    ("GET {{url}}/\nHTTP 200\nX-Name: other\n", 1), ("GET {{url}}/\nHTTP 200\n{\"id\": 8, \"name\": \"ann\"}\n", 1),
    ("GET {{url}}/\nHTTP 200\n[Asserts]\nsha256 == hex,00;\n", 1),
    ("GET {{url}}/\nHTTP/2 200\n", 1),
    // A value that is not there cannot be used.
    ("GET {{url}}/\nHTTP 200\n[Captures]\na: jsonpath \"$.nothing\"\n\nGET {{url}}/{{a}}\nHTTP 200\n", 1),
    ("GET {{url}}/slow\n[Options]\nmax-time: 300ms\nHTTP 200\n", 20),
    ("GET http://127.0.0.1:1/\nHTTP 200\n", 21), ("GET {{url}}/broken\nHTTP 200\n", 21),
    ("GET {{url}}/nonsense\nHTTP 200\n", 21),
    ("GET {{url}}/\nHTTP abc\n", 2), ("GET {{url}}/\n[Options]\nntlm: true\nHTTP 200\n", 2),
    ("GET {{url}}/\nHTTP 200\n[Asserts]\njsonpath \"a\" == 1\n", 2), ("POST {{url}}/\nfile,../x;\nHTTP 200\n", 2),
    ("POST {{url}}/\nfile,nothing.txt;\nHTTP 200\n", 25), ("nonsense\n", 2),
    ("GET {{url}}/{{nothing}}\nHTTP 200\n", 2),
  ])
  func `what must fail ends with the code of its class`(text: String, code: Int) async throws {
    let server = try server()
    let file = try TemporaryFile(text, name: "fails.hurl")
    let outcome = try await Workbench.run(["run", file.path], environment: ["HURL_VARIABLE_url": server.url])
    #expect(Int(outcome.code) == code, "\(text)\(outcome)")
    // It is said where it is in the file; of what is not there at all, nowhere.
    if code < 20 { #expect(outcome.errors.contains("fails.hurl:"), "\(text)\(outcome)") }
  }

  @Test func `a variable that is missing is missed where it is written`() async throws {
    let text = "# {{other}} is a comment\nGET http://127.0.0.1:1/\n\nGET http://127.0.0.1:1/{{ nothing }}/{{more}}\n"
    let file = try TemporaryFile(text, name: "missing.hurl")
    let both = try await Workbench.run(["run", file.path])
    #expect(both.errors.contains("has no {{ nothing }} or {{more}}\n --> \(file.path):4:24\n"), "\(both)")
    let one = try await Workbench.run(["run", file.path], environment: ["HURL_VARIABLE_more": "x"])
    #expect(one.errors.contains("error: {{ nothing }} has no value\n --> \(file.path):4:24\n"), "\(one)")
    #expect(one.errors.contains("export HURL_VARIABLE_nothing, or give it: --set nothing=…"), "\(one)")
    #expect(one.code == 2 && both.code == 2)
  }

  @Test func `a variable in a body is missed in its own line, and one that is near is offered`() async throws {
    let body = "{\n  \"a\": 1,\n  \"pw\": \"{{$processEnv SHOP_PW}}\"\n}\n"
    let file = try TemporaryFile("POST http://127.0.0.1:1/\n\n\(body)", name: "body.http")
    let outcome = try await Workbench.run(["run", file.path])
    #expect(
      outcome.errors.contains("error: {{$processEnv SHOP_PW}} has no value\n --> \(file.path):5:10\n"), "\(outcome)")
    #expect(outcome.errors.contains("export it, or give it with --env-file") && outcome.code == 2, "\(outcome)")
    let near = try TemporaryFile("@base = http://127.0.0.1:1\n\nGET {{bse}}/x\n", name: "near.http")
    let errors = try await Workbench.run(["run", near.path]).errors
    #expect(errors.contains("did you mean {{base}}? if not: export bse, or give it: --set bse=…"), "\(errors)")
  }

  @Test(arguments: ["Authorization: Bearer {{tok}}", "X-Api-Key: {{api-key}}"])
  func `a secret that is missing is not asked for on a command line`(header: String) async throws {
    let file = try TemporaryFile("GET http://127.0.0.1:1/\n\(header)\n", name: "secret.http")
    let errors = try await Workbench.run(["run", file.path]).errors
    let name = header.contains("tok") ? "tok" : "api-key"
    #expect(errors.contains("{{\(name)}} has no value") && errors.contains("or give it with --env-file"), "\(errors)")
    #expect(!errors.contains("--set"), "\(errors)")
  }

  /// Hurl reads JSON from the text, whatever its type says.
  @Test func `of a response that a credential is captured from, only the credential is hidden`() async throws {
    let token = Canary.secret("captured-token")
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(
          headers: ["Content-Type: application/json"], body: #"{"access_token": "\#(token)", "user": "ann"}"#)
      }
    }
    let file = try TemporaryFile(
      """
      POST \(server.url)/token
      HTTP 200
      [Captures]
      token: jsonpath "$.access_token"

      GET \(server.url)/me
      Authorization: Bearer {{token}}
      HTTP 200
      """, name: "captures.hurl")
    let store = file.path + ".store"
    let run = try await Workbench.run(["run", file.path, "--store", store, "-v"])
    let shown = try await Workbench.run(["show", "last", "--store", store, "--body"])
    #expect(shown.output.contains(#"{"access_token": "••••", "user": "ann"}"#), "\(run)\(shown)")
    #expect(!"\(run)\(shown)".contains(token), "\(run)\(shown)")
    #expect(server.requests.last?.contains("Bearer \(token)") ?? false)
  }

  /// A name is no secret, though the language would have a value there.
  @Test func `the name of a cookie is shown in the line that asks for it`() async throws {
    let server = try server()
    let file = try TemporaryFile(
      "GET \(server.url)/\nHTTP 200\n[Asserts]\ncookie \"session\" exists\n", name: "ck.hurl")
    let errors = try await Workbench.run(["run", file.path]).errors
    #expect(errors.contains("error: expected cookie \"session\" exists, got missing"), "\(errors)")
    #expect(errors.contains("4 | cookie \"session\" exists\n"), "\(errors)")
  }

  @Test func `a failed assertion is said once, at its own line`() async throws {
    let server = try server()
    let text = "GET \(server.url)/\nHTTP 200\n[Asserts]\nheader \"X-None\" exists\njsonpath \"$.id\" == 8\n"
    let file = try TemporaryFile(text, name: "asserts.hurl")
    let errors = try await Workbench.run(["run", file.path]).errors
    #expect(
      errors.contains("error: expected header \"X-None\" exists, got missing\n --> \(file.path):4:1\n"), "\(errors)")
    #expect(errors.contains("error: expected jsonpath \"$.id\" == 8, got 7\n --> \(file.path):5:1\n"), "\(errors)")
  }

  /// As `hurl --variable n=1` has it.
  @Test(arguments: [("1", 0), ("1.0", 0), ("2", 1), ("x", 1), ("true", 1)])
  func `a variable from outside is compared as what it reads like`(value: String, code: Int32) async throws {
    let server = try LoopbackServer { connection in
      while try connection.readRequest() != nil {
        try connection.respond(headers: ["Content-Type: application/json"], body: #"{"n": 1, "text": "x", "is": true}"#)
      }
    }
    let file = try TemporaryFile(
      "GET \(server.url)/\nHTTP 200\n[Asserts]\njsonpath \"$.n\" == {{v}}\n", name: "typed.hurl")
    #expect(try await Workbench.run(["run", file.path, "--set", "v=\(value)"]).code == code)
    #expect(try await Workbench.run(["run", file.path], environment: ["HURL_VARIABLE_v": value]).code == code)
    let others = try TemporaryFile(
      "GET \(server.url)/\nHTTP 200\n[Asserts]\njsonpath \"$.is\" == {{t}}\njsonpath \"$.text\" == {{x}}\n",
      name: "others.hurl")
    #expect(try await Workbench.run(["run", others.path, "--set", "t=true", "--set", "x=x"]).code == 0)
  }

  @Test func `a variable of a Hurl file comes from the environment or from a setting`() async throws {
    let server = try server()
    let text = "GET {{url}}/{{name}}\nX-Key: {{api_token}}\nHTTP 200\n"
    let file = try TemporaryFile(text, name: "x.hurl")
    let environment = [
      "HURL_VARIABLE_url": server.url, "HURL_VARIABLE_name": "ann", "HURL_VARIABLE_api_token": Canary.secret("hurl"),
      // What is not meant for it.
      "name": "bob", "HURL_name": "bob",
    ]
    let outcome = try await Workbench.run(["run", "-v", file.path], environment: environment)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(Canary.place(of: Canary.secret("hurl"), in: Data((outcome.output + outcome.written).utf8)) == nil)
    let set = try await Workbench.run(["run", "--set", "name=eve", file.path], environment: environment)
    #expect(set.code == 0, "\(set)")
    let refused = try await Workbench.run(["run", "--set", "api_token=x", file.path], environment: environment)
    #expect(refused.code == 2, "\(refused)")
    #expect(refused.errors.contains("the secret \"api_token\" cannot be set"), "\(refused)")
    #expect(refused.errors.contains("it comes from $env.HURL_VARIABLE_api_token"), "\(refused)")
    let paths = server.requests.map { $0.split(separator: " ")[1] }
    #expect(paths == ["/ann", "/eve"])
    #expect(server.requests.allSatisfy { $0.contains(Canary.secret("hurl")) })
  }

  /// What a response gave and a header brings back: no screen, report or record has it.
  @Test(arguments: [
    (
      "x.hurl",
      """
      GET {url}/login
      HTTP 200
      [Captures]
      t: jsonpath "$.access"

      GET {url}/me
      Authorization: Bearer {{t}}
      HTTP 200

      """
    ),
    (
      "x.http",
      """
      # @name login
      GET {url}/login

      ###
      GET {url}/me
      Authorization: Bearer {{login.response.body.access}}

      """
    ),
  ])
  func `a token that a file captures is nowhere to be read`(name: String, text: String) async throws {
    let token = Canary.secret("captured")
    let server = try LoopbackServer { connection in
      while let (_, _) = try connection.readRequest() {
        try connection.respond(headers: ["Content-Type: application/json"], body: "{\"access\": \"\(token)\"}")
      }
    }
    let file = try TemporaryFile(text.replacing("{url}", with: server.url), name: name)
    let state = try TemporaryFile("", name: "state")
    let archive = file.path + ".har"
    let environment = ["XDG_STATE_HOME": state.path + ".d"]
    let run = try await Workbench.run(
      ["run", "-vv", "--report", "har=\(archive)", file.path], environment: environment)
    #expect(run.code == 0 && server.requests.last?.contains("Authorization: Bearer \(token)") ?? false, "\(run)")
    let shown = try await Workbench.run(["show", "last"], environment: environment)
    let report = try String(contentsOfFile: archive, encoding: .utf8)
    for text in [run.output, run.written, shown.output, report] {
      #expect(Canary.place(of: token, in: Data(text.utf8)) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("x.hurl", "POST {url}/\n[Form]\nuser: ann\npassword: {secret}\nHTTP 200\n"),
    ("x.http", "@id = {{$guid}}\nPOST {url}/{{id}}\nContent-Type: application/json\n\n{\"password\": \"{secret}\"}\n"),
    ("x.wb", "POST {url}/\n  json { user: \"ann\", password: \"{secret}\" }\n"),
  ])
  func `the debugger does not show what a file has as a literal secret`(name: String, text: String) async throws {
    let secret = Canary.early("literal-in-file")
    let server = try server()
    let file = try TemporaryFile(
      text.replacing("{url}", with: server.url).replacing("{secret}", with: secret), name: name)
    let outcome = try await Workbench.run(["debug", file.path], input: "n\nq\n")
    #expect(outcome.output.contains("before) POST") && outcome.output.contains("••••"), "\(outcome)")
    #expect(Canary.place(of: secret, in: Data((outcome.output + outcome.written).utf8)) == nil, "\(outcome)")
  }

  /// Whoever reads such a file: nothing outside of its folder is written, and no link leads out of it.
  @Test(arguments: [
    ("x.hurl", "GET {url}/\n[Options]\noutput: ../written\nHTTP 200\n"),
    ("x.hurl", "GET {url}/\n[Options]\noutput: {outer}/written\nHTTP 200\n"),
    ("x.hurl", "GET {url}/\n[Options]\noutput: up/written\nHTTP 200\n"),
    ("x.hurl", "POST {url}/\nfile,up/secret;\nHTTP 200\n"), ("x.http", "GET {url}/\n\n>> {outer}/written\n"),
    ("x.http", "GET {url}/\n\n>>! ../written\n"), ("x.http", "GET {url}/\n\n>>! up/written\n"),
    ("x.http", "POST {url}/\n\n< ./up/secret\n"),
  ])
  func `a file keeps to its folder whoever reads it`(name: String, text: String) async throws {
    let server = try server()
    let outer = FileManager.default.temporaryDirectory.appending(path: "outer-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: outer) }
    try FileManager.default.createDirectory(atPath: "\(outer)/folder", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(outer)/folder/up", withDestinationPath: outer)
    try Data("secret".utf8).write(to: URL(filePath: "\(outer)/secret"))
    let path = "\(outer)/folder/\(name)"
    let written = text.replacing("{url}", with: server.url).replacing("{outer}", with: outer)
    try Data(written.utf8).write(to: URL(filePath: path))
    let format = name.hasSuffix("hurl") ? "hurl" : "http"
    for words in [["run"], ["check"], ["test"], ["import", format]] {
      let outcome = try await Workbench.run(words + [path])
      #expect(outcome.code == 2, "\(words): \(outcome)")
      #expect(outcome.errors.contains("this file is outside of the script's folder"), "\(words): \(outcome)")
    }
    for (words, input) in [([], ":import \(path)\n"), ([], ":run \(path)\n"), (["debug", path], "c\nq\n")] {
      let outcome = try await Workbench.run(words, input: input)
      #expect(outcome.code != 0, "\(words) \(input): \(outcome)")
      #expect(outcome.errors.contains("this file is outside of the script's folder"), "\(words) \(input): \(outcome)")
    }
    #expect(server.requests.isEmpty && !FileManager.default.fileExists(atPath: "\(outer)/written"))
  }

  @Test func `an import does not overwrite a script that is there`() async throws {
    let http = try TemporaryFile("GET http://a.example/x\n", name: "flow.http")
    let folder = http.url.deletingLastPathComponent()
    let hurl = folder.appending(path: "flow.hurl")
    try Data("GET http://a.example/y\n".utf8).write(to: hurl)
    let words = ["import", "http", http.path, "-o", folder.path]
    #expect(try await Workbench.run(words).code == 0)
    // The same text again is no loss.
    #expect(try await Workbench.run(words).code == 0)
    let second = try await Workbench.run(["import", "hurl", hurl.path, "-o", folder.path])
    #expect(second.code == 25 && second.errors.contains("flow.wb already exists, and is not overwritten"), "\(second)")
    #expect(second.errors.contains("name another directory: -o DIR"), "\(second)")
    #expect(try String(contentsOf: folder.appending(path: "flow.wb"), encoding: .utf8).contains("a.example/x"))
  }

  @Test func `an import makes the directory it goes to, or the file`() async throws {
    let http = try TemporaryFile("GET http://a.example/x\n", name: "flow.http")
    let folder = http.url.deletingLastPathComponent().path
    for (output, file) in [("new/scripts", "new/scripts/flow.wb"), ("other/mine.wb", "other/mine.wb")] {
      let outcome = try await Workbench.run(["import", http.path, "-o", "\(folder)/\(output)"])
      #expect(outcome.code == 0 && outcome.errors.contains("\(file): 1 step"), "\(outcome)")
      #expect(try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).contains("a.example/x"))
    }
    let several = try await Workbench.run(["import", http.path, http.path, "-o", "\(folder)/mine.wb"])
    #expect(several.code == 2 && several.errors.contains("-o DIR"), "\(several)")
  }

  @Test func `the environments of an editor become scripts that a file is run with`() async throws {
    let server = try server()
    let place = try TemporaryFile("GET {{host}}/{{path.of}}\nX-Key: {{apiKey}}\n", name: "api.http")
    let folder = place.url.deletingLastPathComponent()
    let key = Canary.secret("http-environment")
    let shared = """
      { "$shared": { "port": \(server.port) },
        "dev": { "host": "http://127.0.0.1:{{port}}", "path.of": "dev", "apiKey": "" },
        "../prod": { "host": "http://127.0.0.1:1", "path.of": "prod" } }
      """
    try Data(shared.utf8).write(to: folder.appending(path: "http-client.env.json"))
    try Data("{ \"dev\": { \"apiKey\": \"\(key)\" } }".utf8)
      .write(to: folder.appending(path: "http-client.private.env.json"))
    let environments = folder.appending(path: "http-client.env.json").path
    let out = folder.appending(path: "out").path
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    let imported = try await Workbench.run(["import", "http", place.path, "--env", environments, "-o", out])
    #expect(imported.code == 0, "\(imported)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out).sorted() == ["___prod.wb", "api.wb", "dev.wb"])
    let dev = try String(contentsOfFile: "\(out)/dev.wb", encoding: .utf8)
    #expect(!dev.contains(key) && dev.contains("let apiKey = $env.apiKey"), "\(dev)")
    for script in [place.path, "\(out)/api.wb"] {
      let outcome = try await Workbench.run(
        ["run", script, "--use", "\(out)/dev.wb"], environment: ["apiKey": key])
      #expect(outcome.code == 0, "\(outcome)")
    }
    #expect(server.requests.map { $0.split(separator: " ")[1] } == ["/dev", "/dev"])
    // What somebody has changed stays; the rest is written.
    try Data("# my own work\n".utf8).write(to: URL(filePath: "\(out)/dev.wb"))
    let again = try await Workbench.run(["import", "http", place.path, "--env", environments, "-o", out])
    #expect(again.code == 25 && again.errors.contains("dev.wb already exists, and is not overwritten"), "\(again)")
    #expect(try String(contentsOfFile: "\(out)/dev.wb", encoding: .utf8) == "# my own work\n")
    let nowhere = try await Workbench.run(["import", "http", place.path, "--env", environments])
    #expect(nowhere.code == 2 && nowhere.errors.contains("-o DIR"), "\(nowhere)")
    let wrong = try await Workbench.run(["import", "http", place.path, "--env", place.path, "-o", out])
    #expect(wrong.code == 2 && wrong.errors.contains("is no file of environments"), "\(wrong)")
  }

  @Test func `a step of a Hurl file is not changed in the debugger, and says where`() async throws {
    let server = try server()
    let text = "GET \(server.url)/a\nHTTP 200\n\nGET \(server.url)/b\nHTTP 200\n"
    let file = try TemporaryFile(text, name: "x.hurl")
    let outcome = try await Workbench.run(
      ["debug", "--no-record", file.path], input: "e GET api:/x json { a: 1 }\nn\nn\nq\n")
    #expect(outcome.written.contains("a step of a .hurl file is changed in that file"), "\(outcome)")
    #expect(server.requests.map { $0.split(separator: " ")[1] } == ["/a", "/b"], "\(outcome)")
    #expect(try file.read() == text)
  }

  @Test func `a file of another tool becomes steps of a session`() async throws {
    // Each has a profile for its origin.
    let (server, other) = (try server(), try server())
    let text =
      "GET \(server.url)/a\nHTTP 200\n[Captures]\nname: jsonpath \"$.name\"\n\nGET \(server.url)/{{name}}\nHTTP 200\n"
    let hurl = try TemporaryFile(text, name: "x.hurl")
    let http = try TemporaryFile(
      "# @name one\nGET \(other.url)/c\n\n###\nGET \(other.url)/{{one.response.body.id}}\n", name: "x.http")
    let outcome = try await Workbench.run(
      ["prompt"], input: ":import \(hurl.path)\n:print $2.status\n:import \(http.path)\n:print $one.body.name\n")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(server.requests.map { $0.split(separator: " ")[1] } == ["/a", "/ann"], "\(outcome)")
    #expect(other.requests.map { $0.split(separator: " ")[1] } == ["/c", "/7"], "\(outcome)")
    #expect(outcome.output.contains("200") && outcome.output.contains("ann"))
  }

  @Test(.enabled(if: Nginx.isInstalled, "SKIPPED: nginx or openssl is not installed"))
  func `a certificate has a serial number`() async throws {
    let nginx = try Nginx.shared.get()
    let hurl = try TemporaryFile(
      """
      GET \(nginx.url())/
      [Options]
      cacert: ca.pem
      HTTP 200
      [Asserts]
      certificate "Serial-Number" matches /^([0-9a-f]{2}:)+[0-9a-f]{2}$/
      certificate "Subject" contains "localhost"
      """, name: "tls.hurl")
    try FileManager.default.copyItem(
      at: URL(filePath: nginx.certificates.authority),
      to: hurl.url.deletingLastPathComponent().appending(path: "ca.pem"))
    let outcome = try await Workbench.run(["run", hurl.path])
    #expect(outcome.code == 0, "\(outcome)")
  }

  /// Each within 256 MiB, and without a read outside.
  @Test(
    .enabled(if: Python.program != nil, "SKIPPED: python3 is not installed"),
    arguments: ["large.hurl", "large.http", "deep.hurl", "deep.http", "bomb.http", "xml", "names.hurl"])
  func `a hostile file takes little memory`(kind: String) async throws {
    let secret = try TemporaryFile("secret-\(UUID())", name: "secret.given")
    let text: String
    switch kind {
    case "large.hurl", "large.http": text = "GET http://a.test/\n"
    case "deep.hurl": text = "POST http://a.test/\n" + String(repeating: "[", count: 100_000) + "\nHTTP 200\n"
    case "deep.http":
      text = "POST http://a.test/\nContent-Type: application/json\n\n" + String(repeating: "[", count: 100_000)
    case "bomb.http":
      text =
        "@v0 = \(String(repeating: "x", count: 1_000))\n"
        + (1...60).map { "@v\($0) = {{v\($0 - 1)}}{{v\($0 - 1)}}\n" }.joined() + "\nGET http://127.0.0.1:1/{{v60}}\n"
    case "xml":
      text =
        "let a = \"<!DOCTYPE a [<!ENTITY b 'xxxxxxxxxx'>\(String(repeating: "<!ENTITY c '&b;&b;&b;&b;'>", count: 50))"
        + "<!ENTITY f SYSTEM 'file://\(secret.path)'>]><a>&c;&f;</a>\" | xpath(\"string(//a)\")\nGET http://127.0.0.1:1/{$a}\n"
    default:
      text =
        "GET http://127.0.0.1:1/\n[Query]\na\u{1}\u{1B}[31m: file,\(secret.path);\n[Captures]\nb\u{7}: status\nHTTP 200\n"
    }
    let file = try TemporaryFile(text, name: kind == "xml" ? "x.wb" : "x.\(kind.hasSuffix("hurl") ? "hurl" : "http")")
    if kind.hasPrefix("large") {
      let handle = try FileHandle(forWritingTo: file.url)
      try handle.seekToEnd()
      let piece = Data(repeating: UInt8(ascii: "#"), count: 10 << 20)
      for _ in 0..<20 { try handle.write(contentsOf: piece) }
      try handle.close()
    }
    for command in [["check"], ["run", "--no-record"], ["import", kind.hasSuffix("hurl") ? "hurl" : "http"]] {
      if kind == "xml", command[0] == "import" { continue }
      let measure = """
        import resource, subprocess, sys
        code = subprocess.run(sys.argv[1:]).returncode
        print("kib", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(code)
        """
      let outcome = try await Workbench.run(
        shell: ["-c", "exec \"$0\" \"$@\"", try #require(Python.program), "-c", measure, Workbench.executable.path]
          + command + [file.path],
        input: try TemporaryFile(""), environment: ["HOME": "/nonexistent"])
      #expect(outcome.code >= 0 && outcome.code < 30, "\(kind) \(command): \(outcome.written.prefix(2_000))")
      let most = outcome.written.firstMatch(of: /kib (\d+)/).flatMap { Int($0.output.1) } ?? 0
      #expect(most < 256 << 10, "\(kind) \(command): \(most) KiB")
      let shown = outcome.output + outcome.written
      #expect(!shown.contains(try secret.read()) && !shown.contains("\u{1B}[31m") && !shown.contains("\u{1}"))
    }
  }
}
