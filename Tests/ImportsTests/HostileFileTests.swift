import Diagnostics
import Foundation
import Imports
import RequestSyntax
import Testing

/// Files that somebody wrote to do harm: a note, never a read outside of the folder, no hang.
@Suite(.timeLimit(.minutes(2))) struct HostileFileTests {
  @Test(arguments: [
    "file,/etc/passwd;", "file,../secret;", "file,a/../../b;", "```graphql\nx\nvariables nope\n```",
  ])
  func `a file outside of the folder is not read`(body: String) {
    let imported = Imported("POST http://a.test/\n\(body)\nHTTP 200\n")
    #expect(imported.script.isRefused)
    #expect(!imported.text.contains("file(\""))
  }

  @Test func `a file outside of the folder is not a part of a form, nor expected`() {
    let form = Imported("POST http://a.test/\n[Multipart]\na: file,/etc/passwd;\nHTTP 200\n")
    #expect(form.script.isRefused)
    let body = Imported("GET http://a.test/\nHTTP 200\nfile,/etc/passwd;\n")
    #expect(body.script.isRefused && !body.text.contains("file(\""))
    let http = Imported("POST http://a.test/\n\n< /etc/passwd\n", as: .http)
    #expect(http.script.isRefused && !http.text.contains("file(\""))
    let up = Imported("POST http://a.test/\n\n< ../x\n", as: .http)
    #expect(up.script.isRefused)
  }

  @Test(arguments: ["/tmp/x", "../x", "../../x", "a/../../b"])
  func `a file outside of the folder is not written`(path: String) {
    let hurl = Imported("GET http://a.test/\n[Options]\noutput: \(path)\nHTTP 200\n")
    #expect(hurl.notes.first?.hasSuffix("this file is outside of the script's folder") ?? false, "\(hurl.notes)")
    #expect(hurl.script.isRefused && !hurl.text.contains("save"))
    for arrow in [">>", ">>!"] {
      let http = Imported("@x = \(path)\nGET http://a.test/\n\n\(arrow) \(path)\n", as: .http)
      #expect(http.notes.first?.hasSuffix("this file is outside of the script's folder") ?? false, "\(http.notes)")
      #expect(http.script.isRefused && !http.text.contains("save"))
      let computed = Imported("@x = \(path)\nGET http://a.test/\n\n\(arrow) {{x}}\n", as: .http)
      #expect(computed.script.isRefused && !computed.text.contains("save"))
    }
  }

  @Test func `a file below the folder is written`() {
    let hurl = Imported("GET http://a.test/\n[Options]\noutput: out/x.json\nHTTP 200\n")
    #expect(hurl.notes.isEmpty && hurl.text.contains("save body to \"out/x.json\""), "\(hurl.text)")
    let http = Imported(
      "GET http://a.test/\n\n>> ./x.json\n\n###\nGET http://a.test/\n\n>> {{$uuid}}.json\n", as: .http)
    #expect(http.notes.isEmpty && http.text.contains("save body to \"x.json\""), "\(http.text)")
    #expect(http.faults.isEmpty, "\(http.faults) \(http.text)")
  }

  @Test(arguments: ["cacert", "cert", "key", "unix-socket"], ["/etc/x", "../x", "a/../../x"])
  func `what an option names outside of the folder is not used`(option: String, path: String) {
    let hurl = Imported("GET http://a.test/\n[Options]\n\(option): \(path)\nHTTP 200\n")
    #expect(hurl.notes == ["refused 3:1 this file is outside of the script's folder"], "\(hurl.notes)")
    #expect(!hurl.text.contains("tls") && !hurl.text.contains("socket \"") && hurl.text.contains("when false"))
    let below = Imported("GET http://a.test/\n[Options]\n\(option): tls/x\nHTTP 200\n")
    #expect(below.notes.isEmpty && below.text.contains("tls/x"), "\(below.notes)\(below.text)")
  }

  @Test func `a link does not lead out of the folder`() throws {
    let outer = FileManager.default.temporaryDirectory.appending(path: "links-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: outer) }
    let folder = "\(outer)/folder"
    try FileManager.default.createDirectory(atPath: "\(folder)/below", withIntermediateDirectories: true)
    try Data("x".utf8).write(to: URL(filePath: "\(outer)/secret"))
    try Data("x".utf8).write(to: URL(filePath: "\(folder)/own"))
    let links = ["link": "\(outer)/secret", "up": outer, "new": "\(outer)/new", "inner": "\(folder)/own"]
    for (link, place) in links {
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(link)", withDestinationPath: place)
    }
    func isRefused(_ text: String, _ format: ForeignScript = .hurl) -> Bool {
      format.read(SourceText(name: "\(folder)/x.\(format.rawValue)", text: text)).isRefused
    }
    for path in ["link", "up/secret", "up/nothing", "new"] {
      #expect(isRefused("POST http://a.test/\nfile,\(path);\n"), "\(path)")
      #expect(isRefused("GET http://a.test/\n[Options]\noutput: \(path)\n"), "\(path)")
      #expect(isRefused("POST http://a.test/\n\n< ./\(path)\n", .http), "\(path)")
      #expect(isRefused("GET http://a.test/\n\n>> \(path)\n", .http), "\(path)")
    }
    for path in ["own", "inner", "below/new", "not/yet"] {
      #expect(!isRefused("POST http://a.test/\nfile,\(path);\n"), "\(path)")
      #expect(!isRefused("GET http://a.test/\n[Options]\noutput: \(path)\n"), "\(path)")
    }
  }

  @Test func `very many filters are refused where they begin to be too many`() {
    let many = String(repeating: "toString ", count: 100_000)
    let assert = Imported("GET http://a.test/\nHTTP 200\n[Asserts]\nbody \(many)== \"x\"\n")
    #expect(assert.notes == ["refused 4:1806 this is not Hurl: there are more than 200 filters after one query"])
    #expect(Imported("GET http://a.test/\nHTTP 200\n[Captures]\na: body \(many)\n").script.isRefused)
    let some = String(repeating: "toString ", count: 200)
    #expect(Imported("GET http://a.test/\nHTTP 200\n[Asserts]\nbody \(some)== \"x\"\n").notes.isEmpty)
  }

  @Test func `a repetition until very many things are so is refused`() {
    let asserts = String(repeating: "body == \"x\"\n", count: 5_000)
    let imported = Imported("GET http://a.test/\n[Options]\nretry: 3\nHTTP 200\n[Asserts]\n\(asserts)")
    #expect(imported.notes == ["refused 1:1 a request is not repeated until more than 200 things are so"])
  }

  @Test func `two requests of one name have labels of their own, and it is said`() {
    let http = Imported(
      """
      # @name login
      POST http://a.test/1
      ###
      GET http://a.test/{{login.response.body.id}}
      ###
      # @name login
      POST http://a.test/2
      ###
      GET http://a.test/{{login.response.body.id}}
      """, as: .http)
    #expect(http.notes == ["warning 7:1 a request before this is called login, too: this one becomes login-2"])
    #expect(http.text.contains("login: POST") && http.text.contains("login-2: POST"), "\(http.text)")
    #expect(http.text.contains("{$login.body.id}") && http.text.contains("{$login-2.body.id}"), "\(http.text)")
    #expect(http.faults.isEmpty, "\(http.faults)\n\(http.text)")
  }

  @Test func `a line that runs another file is no request`() {
    let http = Imported("import ../../x.http\nrun ../../x.http\n\n###\nGET http://a.test/\n", as: .http)
    #expect(
      http.notes == [1, 2].map { "refused \($0):1 requests of other files are not run from here" }, "\(http.notes)")
    #expect(!http.text.contains("http://run") && http.text.contains("GET http://a.test/"), "\(http.text)")
    #expect(http.text.contains("# not translated: run ../../x.http"))
  }

  @Test func `nesting is limited`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(Imported("POST http://a.test/\n\(deep)\nHTTP 200\n").script.isRefused)
    let tags = String(repeating: "<a>", count: 100_000)
    #expect(Imported("POST http://a.test/\n\(tags)\nHTTP 200\n").script.isRefused)
    let path = "$" + String(repeating: "[?@", count: 10_000)
    #expect(Imported("GET http://a.test/\nHTTP 200\n[Asserts]\njsonpath \"\(path)\" == 1\n").script.isRefused)
  }

  @Test func `a variable that is made of itself is refused`() {
    let http = Imported("@a = {{b}}\n@b = {{a}}\n\nGET http://a.test/{{a}}\n", as: .http)
    #expect(http.notes == ["refused 1:1 the variable a is made of itself"])
  }

  @Test func `a text that doubles with each variable stays small`() {
    var text = "@v0 = \(String(repeating: "x", count: 100))\n"
    for index in 1...60 { text += "@v\(index) = {{v\(index - 1)}}{{v\(index - 1)}}\n" }
    let imported = Imported(text + "\nGET http://a.test/{{v60}}\n", as: .http)
    #expect(imported.script.isRefused && imported.text.utf8.count < 100_000)
    var hurl = "GET http://a.test/\n[Options]\nvariable: v0=\(String(repeating: "x", count: 100))\n"
    for index in 1...60 { hurl += "variable: v\(index)={{v\(index - 1)}}{{v\(index - 1)}}\n" }
    let bomb = Imported(hurl + "HTTP 200\n")
    #expect(bomb.script.isRefused)
    #expect(bomb.text.utf8.count < 100_000_000)
  }

  @Test func `control characters in names come to nothing`() {
    let imported = Imported("GET http://a.test/\n[Query]\na\u{1}b: c\nHTTP 200\n")
    #expect(imported.faults.isEmpty || imported.script.isRefused)
    let header = Imported("GET http://a.test/\nX\u{1}: a\nX Y: a\n", as: .http)
    #expect(header.notes.count == 2 && header.notes.allSatisfy { $0.hasSuffix("is not a header name") })
    #expect(header.faults.isEmpty && header.text.contains("when false"), "\(header.text)")
    let title = Imported("### a\u{1B}[31mb\nGET http://a.test/\n", as: .http)
    #expect(!title.text.contains("\u{1B}"))
  }

  @Test func `a file that nobody wrote by hand is not read`() {
    let large = SourceText(name: "x.hurl", bytes: Array(repeating: UInt8(ascii: "#"), count: 3 << 20))
    #expect(ForeignScript.hurl.read(large).notes.map(\.message) == ["this file is larger than 1 MiB"])
  }

  /// What is the same many times is looked for in a table.
  @Test(.timeLimit(.minutes(1))) func `a file of many of one kind is read in a moment`() {
    func many(_ count: Int, _ text: (Int) -> String) -> String { (0..<count).map(text).joined() }
    for http in [
      many(1_000) { _ in "###\n# @name login\nGET http://a.test/\n" },
      many(1_000) { "###\nGET http://h\($0).test/{{v\($0)}}\n" },
      many(1_000) { "@v\($0) = {{v\($0 + 1)}}\n" } + "\nGET http://a.test/{{v0}}\n",
      "# @name x\nGET http://a.test/\n\n@v = \(String(repeating: "a", count: 5_000)){{x.response.body.b}}\n"
        + "###\n@v = \(String(repeating: "a", count: 5_000)){{x.response.body.b}}\n"
        + many(1_000) { _ in "###\nGET http://a.test/{{v}}\n" },
      "GET http://a.test/\n\n> {% \(many(1_000) { _ in "client.test(\"" }) %}\n",
      "GET http://a.test/\n\n> {% \(many(5_000) { _ in "/* " }) %}\n",
    ] { _ = Imported(http, as: .http) }
    for hurl in [
      many(1_000) { "# \($0)\nGET http://h\($0).test/{{v\($0)}}\nHTTP 200\n[Captures]\nc\($0): body\n" },
      "GET http://a.test/\n" + many(1_000) { "X-\($0): a\n" },
      "GET http://a.test/\nHTTP 200\n" + many(1_000) { "X-\($0): a\n" },
      "GET http://a.test/\n[Form]\n" + many(1_000) { _ in "x: a\n" },
      "GET http://a.test/\n[Multipart]\n" + many(1_000) { "x\($0): a\n" },
      "GET http://a.test/\n[Options]\nvariable: v=\(String(repeating: "a", count: 5_000))\n"
        + many(1_000) { _ in "\nGET http://a.test/{{v}}\n" },
    ] { _ = Imported(hurl) }
  }

  /// Many blocks and lines that are never closed: each is looked for once.
  @Test func `a file of many beginnings is read in a moment`() {
    let ticks = String(repeating: "POST http://a.test/\n`a`\nHTTP 200\n", count: 20_000)
    #expect(!Imported(ticks).script.isRefused)
    let open = String(repeating: "{{", count: 100_000)
    #expect(Imported("POST http://a.test/\(open)").script.isRefused)
    let braces = String(repeating: "{{a}}", count: 20_000)
    _ = Imported("GET http://a.test/\(braces)\n", as: .http)
  }

  @Test func `a variable of its own name is that of the environment, and what is made of a secret comes after it`() {
    let http = Imported(
      "\u{FEFF}@token = {{token}}\n@App.Host = a.test\n@auth = Bearer {{token}}\n\nGET http://{{App.Host}}/\nX-A: {{auth}}\n",
      as: .http)
    #expect(http.notes.isEmpty && http.faults.isEmpty, "\(http.notes) \(http.faults)\n\(http.text)")
    #expect(http.text.contains("GET http://a.test/") || http.text.contains("App_Host"), "\(http.text)")
  }
}
