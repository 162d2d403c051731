import Canaries
import HTTPTypes
import OfflineTransport
import Prompt
import Requests
import Sessions
import Subcommands
import Testing
import UploaderCore

@Suite struct StepDebuggerTests {
  private static let token = Canary.secret("step-debugger")

  private static let profiles = """
    profile api { base https://a.example auth bearer $env.TOKEN }
    profile bucket { origin https://b.example }

    """

  private static let chain =
    profiles + """
      let size = 1
      make: POST /items json { size: $size }
      put: PUT https://b.example/{$make.body.id} text "hello"
      look: GET /items/{$make.body.id}
      """

  private static let answers: [Response] = [.json(#"{"id":"i-1"}"#, status: 201), .json("{}"), .json(#"{"ok":true}"#)]

  private func session(
    _ script: String = chain, _ answers: [Response] = answers, edit: (@Sendable (String) -> String?)? = nil
  ) -> PromptSession {
    PromptSession(
      environment: ["TOKEN": Self.token], files: ["chain.wb": Array(script.utf8)], answers: answers, edit: edit)
  }

  // MARK: What is said

  @Test func `a response that was given is not said to have come from anywhere`() async {
    let outcome = await session(Self.chain, []).debug(#"k 201 {"id": "i-1"}"#, "q")
    #expect(outcome.screen.contains("$1 make  201  given, not sent\n"), "\(outcome.screen)")
  }

  @Test func `a question is asked once, whatever is done to the steps, and again after reload`() async throws {
    let script = """
      profile api { base https://a.example }
      profile bucket { origin https://b.example }
      secret one = ask("password") for api
      secret two = ask("password") for bucket
      make: POST /items json { password: $one }
      put: PUT https://b.example/x json { password: $two }
      look: GET /items
      """
    let asked = Recorder(0)
    var session = session(script, [.json(#"{"id":"i-1"}"#), .json("{}"), .json("{}"), .json("{}")])
    session.reply = { _ in
      asked.update { $0 += 1 }
      return "reply-\(Canary.secret("asked"))-\(asked.value)"
    }
    let outcome = await session.debug("s", "set $make.body.id = \"other\"", "s", "back put", "s", "q")
    #expect(asked.value == 2, "\(outcome.screen)")
    // Each profile has its own reply also after that.
    let bodies = outcome.requests.map { request in
      let bytes = (request.body ?? []).flatMap { segment -> [UInt8] in
        if case .bytes(let bytes) = segment { bytes } else { [] }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    try #require(bodies.count == 3, "\(outcome.screen)")
    #expect(bodies[0].hasSuffix("-1\"}") && bodies[1].hasSuffix("-2\"}"), "\(outcome.screen)")
    #expect(bodies[2] == bodies[1], "\(outcome.screen)")
    asked.update { $0 = 0 }
    let reloaded = await session.debug("s", "reload", "q")
    #expect(asked.value == 4, "\(reloaded.screen)")
  }

  @Test func `the reply to one step's question is never another's, whatever was skipped`() async {
    let script = """
      one: POST https://a.example/login
        auth basic "ann", ask("password")
      two: POST https://b.example/login
        auth basic "ann", ask("password")
      """
    let asked = Recorder(0)
    var session = session(script, [Response](repeating: .json("{}"), count: 4))
    session.reply = { _ in
      asked.update { $0 += 1 }
      return "\(Canary.secret("own-reply"))-\(asked.value)"
    }
    let outcome = await session.debug("n", "s", "back one", "goto two", "s", "back two", "s", "q")
    let sent = outcome.requests.map { request in
      (request.url.prefix(17), request.headers[.authorization])
    }
    #expect(Set(sent.filter { $0.0 == "https://b.example" }.map(\.1)).count == 1, "\(outcome.screen)")
    #expect(sent.count == 4 && sent[0].1 != sent[1].1 && asked.value == 2, "\(outcome.screen)")
  }

  @Test func `steps that c goes past are a line each, also those that stream`() async {
    let script = Self.profiles + "ev: GET /events stream\nlook: GET /items\n"
    func session(_ lines: String...) async -> String {
      var session = self.session(script, [])
      session.streams = StreamingTransport([
        .init(
          Response(status: .ok, headers: [.contentType: "text/event-stream"], body: ResponseBody([])),
          ["data: first\n\n", "data: second\n\n"])
      ])
      return await session.debug(lines[0], lines[1]).screen
    }
    let past = await session("c", "q")
    #expect(past.contains("ev  200") && !past.contains("data: first"), "\(past)")
    let seen = await session("s", "q")
    #expect(seen.contains("data: first"), "\(seen)")
  }

  @Test func `after a loop the name of its step is completed as the list that it is`() async {
    let script = Self.profiles + "for $part in [1, 2] { piece: GET /x/{$part} }\nlook: GET /y\n"
    let outcome = await session(script, [Response](repeating: .json("{}", status: 202), count: 2))
      .debug(typing: "n\nn\np $pie\t1].st\t\nq\n")
    #expect(outcome.screen.contains("\n202\n"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("p $put.body", "step \"put\" has not been sent yet"), ("back make", "\"make\" is the step here\n = n sends it"),
    ("e put", "only the step that comes next can be changed\n = goto put, or back put; then e"),
    ("e make", "there is no terminal for an editor here"),
    ("set make.body.id = \"x\"", "make is a step, so its name has a $\n = set $make.body.id = …"),
    ("set $size = 2", "a name that is set has no $\n = set size = …"),
    ("show $1", "there is no $1 yet"), ("show request", "POST https://a.example/items"),
    ("step", "there is no command \"step\"\n = did you mean send or next?"),
    ("show", "POST https://a.example/items\n"),
    ("show curl", "curl https://a.example/items \\\n  -H"),
    ("info locals", "info takes nothing after it\n = p $NAME shows a value"),
    ("c put", "b put, then c, goes on to a step"),
    (
      "GET /items | jq length",
      "the debugger sends the steps of the script\n = e GET /items puts it in place of this step\n = | jq length takes"
    ),
    ("post /login password=hunter2-horse", "e POST /login password=… puts"),
  ])
  func `what was meant is said`(line: String, advice: String) async {
    let outcome = await session().debug(line, "q")
    #expect(outcome.screen.contains(advice), "\(outcome.screen)")
  }

  // MARK: The same run

  @Test(arguments: [
    chain,
    profiles + """
      make: POST /items multipart { a: "x", b: "y" }
      for $part in [1, 2, 3] { piece: PUT https://b.example/{$part} text "part {$part}" }
      parallel {
        one: GET /one
        two: GET /two
      }
      poll: GET /state repeat every 1s for 9s until status == 200
      sequence inner(name) { first: GET /inner/{$name} }
      run inner(name: "n")
      finally { done: DELETE /items/1 }
      """,
  ])
  func `a plain run and the debugger send the same bytes`(script: String) async {
    let answers = [Response](repeating: .json(#"{"id":"i-1"}"#), count: 12)
    let plain = await session(script, answers).runScript()
    #expect(plain.code == .success, "\(plain.screen)")
    let through = await session(script, answers).debug("c")
    let stepped = await session(script, answers).debug(
      "n", "s", "n", "n", "s", "n", "n", "n", "n", "n", "n", "n", "n", "n")
    #expect(plain.requests.count >= 3)
    // What runs at the same time in a plain run is one after another in the debugger.
    let inOrder = script.contains("parallel") ? { $0.sorted { $0.url < $1.url } } : { (all: [TransportRequest]) in all }
    #expect(inOrder(through.requests) == inOrder(plain.requests))
    #expect(stepped.requests == through.requests)
    #expect(through.code == .success && stepped.code == .success)
  }

  // MARK: Where it stands

  @Test func `a stop shows the request, where its parts came from, the profile and what is withheld`() async {
    let outcome = await session().debug("n")
    #expect(
      outcome.screen.contains(
        """
        (step 1/3 make, before) POST https://a.example/items  profile api, bearer ••••
          content-type   application/json
          authorization  bearer ••••  ← profile api
          size           1  ← $size
        """), "\(outcome.screen)")
    #expect(
      outcome.screen.contains(
        """
        (step 2/3 put, before) PUT https://b.example/i-1
          profile bucket, no credentials
        """), "\(outcome.screen)")
    #expect(outcome.screen.contains("url           ← https://b.example/{$make.body.id}"))
    #expect(!outcome.screen.contains(Self.token))
  }

  @Test func `where and list show where it is in loops, groups, other sequences and rounds`() async {
    let script =
      Self.profiles + """
        sequence upload(name) {
          for $part in ["a", "b"] parallel 2 {
            piece: PUT https://b.example/{$name}/{$part} text "x"
          }
          poll: GET /state repeat every 1s for 9s until body.ready
        }
        run upload(name: "n")
        """
    let waiting = Response.json(#"{"ready":false}"#)
    let outcome = await session(script, [.json("{}"), .json("{}"), waiting, .json(#"{"ready":true}"#)]).debug(
      "n", "w", "l", "n", "n", "w", "n")
    let screen = outcome.screen
    #expect(screen.contains("piece, for $part 2/2, before)"), "\(screen)")
    #expect(screen.contains("2 at once in a plain run, one by one here"), "\(screen)")
    #expect(screen.contains("→    5      piece: PUT"), "\(screen)")
    #expect(screen.contains("poll, round 2"), "\(screen)")
    #expect(outcome.code == .success)
    #expect(outcome.requests.count == 4)
  }

  @Test func `no part of a secret is visible where something is shortened`() async {
    let script =
      Self.profiles + """
        secret key = $env.KEY for bucket
        put: PUT https://b.example/\(String(repeating: "x", count: 20))/{$key}
          header X-Long: "\(String(repeating: "y", count: 50)){$key}"
          json { text: "\(String(repeating: "z", count: 50)){$key}" }
        """
    let key = Canary.secret("shortened")
    var session = session(script, [.json("{}")])
    session.environment["KEY"] = key
    let outcome = await session.debug("l", "diff", "p request", "s", "back", "diff")
    #expect(outcome.screen.contains("(step 1/1 put, before)"), "\(outcome.screen)")
    #expect(!outcome.screen.contains(key.prefix(6)), "\(outcome.screen)")
    #expect(outcome.requests.first?.url.contains("xxx") ?? false)
  }

  @Test func `print shows values, requests and responses without their secrets`() async {
    let outcome = await session().debug("p request", "n", "p $make.body.id", "p", "p $nothing", "p 1 +")
    #expect(outcome.screen.contains("\"i-1\""))
    #expect(outcome.screen.contains("HTTP/") || outcome.screen.contains("201 Created"))
    #expect(outcome.screen.contains("$nothing"))
    #expect(!outcome.screen.contains(Self.token))
  }

  // MARK: Changing things

  @Test func `a part of a response can be set, and what follows is made from it`() async {
    let outcome = await session().debug("n", "set $make.body.id = \"i-2\"", "n", "n")
    #expect(
      outcome.requests.map(\.url) == [
        "https://a.example/items", "https://b.example/i-2", "https://a.example/items/i-2",
      ])
    #expect(outcome.code == .success)
  }

  @Test func `a header field can be set, and a response be what was received again`() async {
    let script = """
      profile a { base https://a.example }
      order: GET /orders/6
      change: PATCH /orders/6 json { state: "packed" } header If-Match: $order.headers.etag
      """
    let order = Response(
      status: .ok, headers: [.eTag: "\"v1\"", .contentType: "application/json"],
      body: ResponseBody(Array("{\"id\":6}".utf8)))
    let outcome = await session(script, [order, .json("{}")]).debug(
      "n", "unset order", "set $order.headers.etag = \"old\"", "info", "set $order.body.id = 9", "p request",
      "unset $order", "info", "p $order.body.id", "n")
    #expect(outcome.screen.contains("the response of \"order\" is what was received"), "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "200 OK, changed here").count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("if-match  old") || outcome.screen.contains("If-Match: old"), "\(outcome.screen)")
    #expect(outcome.requests.last?.headers[.ifMatch] == "\"v1\"", "\(outcome.screen)")
    #expect(outcome.screen.contains("\n6\n"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("p make.body", "make is a step, so its name has a $"), ("del", "which breakpoint?"), ("unset", "which response?"),
    ("help e", "$EDITOR"), ("help set", "unset"), ("help nonsense", "there is no command \"nonsense\""),
    ("restart", "back STEP"), ("show request", "https://b.example/i-1"), (":show", "201 Created"),
    ("disable 1", "del N"),
  ])
  func `what is typed by habit has its hint`(line: String, hint: String) async {
    let outcome = await session().debug("n", line)
    #expect(outcome.screen.contains(hint), "\(outcome.screen)")
  }

  /// A step that was sent with `s` is over: `c` stops at the next one, if there is a breakpoint.
  @Test(arguments: ["b look", "b look if $make.status == 201", "b look if $make.status == 200"])
  func `c after s stops at a breakpoint of the next step`(breakpoint: String) async {
    let script = "make: GET https://a.example/items\nlook: GET https://a.example/look\n"
    let outcome = await session(script, [.json("{}"), .json("{}")]).debug(breakpoint, "s", "c", "info")
    let stops = !breakpoint.contains("201")
    #expect(outcome.requests.count == (stops ? 1 : 2), "\(outcome.screen)")
  }

  @Test func `a name can be set, and only what depends on it is sent again`() async {
    let outcome = await session().debug("n", "set size = 2", "p $size")
    #expect(outcome.screen.contains("kept 0 of 1 response"), "\(outcome.screen)")
    #expect(outcome.screen.contains("(step 1/3 make, before)"))
    #expect(outcome.requests.count == 1)
  }

  @Test func `an edited request is sent in place of the old one`() async {
    let outcome = await session().debug("n", "e PUT https://b.example/other text \"changed\"", "n")
    #expect(outcome.requests.last?.url == "https://b.example/other")
    #expect(outcome.screen.contains("kept 1 of 1 response"))
  }

  @Test(arguments: [
    ("PUT https://b.example/other text \"x\"", "with expect 200, as before"),
    ("curl -X PUT https://b.example/other -d x", "with expect 200, as before"),
    ("PUT https://b.example/other text \"x\" expect 201", nil),
    ("POST https://b.example/other text \"x\"", "without expect 200, which the step had"),
  ])
  func `a typed request expects what the step did, and what it no longer does is said`(
    request: String, remark: String?
  ) async {
    let script = Self.chain.replacing("text \"hello\"", with: "text \"hello\" expect 200")
    let outcome = await session(script).debug("n", "e \(request)", "l")
    for sentence in ["with expect 200, as before", "without expect 200, which the step had"] {
      #expect(outcome.screen.contains(sentence) == (remark == sentence), "\(outcome.screen)")
    }
    let isKept = outcome.screen.split(separator: "debug> l").last?.contains("expect 200") ?? false
    #expect(isKept == (remark?.hasPrefix("with ") ?? false), "\(outcome.screen)")
  }

  @Test func `an edited request with a label of its own has only that`() async {
    let outcome = await session().debug("e o: POST https://b.example/other", "l")
    #expect(outcome.screen.contains("o: POST https://b.example/other"), "\(outcome.screen)")
    #expect(!outcome.screen.contains("make: o:"), "\(outcome.screen)")
  }

  @Test(arguments: [("tls { insecure: true }", 1), ("", 0)])
  func `an edited request takes -k where the profile accepts any certificate`(setting: String, requests: Int) async {
    let script = "profile p { base https://a.example \(setting) }\nlook: GET /x\n"
    let outcome = await session(script, [.json("{}")]).debug("e GET /y -k", requests == 0 ? "q" : "n")
    #expect(outcome.requests.count { $0.url == "https://a.example/y" } == requests, "\(outcome.screen)")
    #expect(outcome.screen.contains("-k is refused") == (requests == 0), "\(outcome.screen)")
  }

  @Test func `the editor gets the step's text, and its response's body`() async {
    let outcome = await session(edit: { text in
      text.replacing("hello", with: "edited").replacing("\"i-1\"", with: "\"i-9\"")
    }).debug("s", "e response", "e", "n")
    #expect(outcome.requests.last?.url == "https://b.example/i-9", "\(outcome.screen)")
    #expect(outcome.requests.last?.body == [.bytes(Array("edited".utf8))])
  }

  @Test(arguments: [
    "e PUT https://b.example/x header X-Key: $env.TOKEN text \"x\"",
    "e PUT https://b.example/x text $env.TOKEN",
    "e PUT https://b.example/{$env.TOKEN} text \"x\"",
    "set $make.body.id = $env.TOKEN",
  ])
  func `an edited request takes no secret to another origin`(line: String) async {
    let outcome = await session().debug("n", line, "n")
    #expect(outcome.screen.contains("may go to https://a.example only"), "\(outcome.screen)")
    let abroad = outcome.requests.filter { !$0.url.hasPrefix("https://a.example") }
    #expect(abroad.allSatisfy { !"\($0)".contains(Self.token) })
    #expect(!outcome.screen.contains(Self.token))
  }

  @Test func `a step can be skipped, or given a response by hand`() async {
    let outcome = await session().debug("k 201 {\"id\": \"by hand\"}", "k", "n")
    #expect(outcome.requests.map(\.url) == ["https://a.example/items/by%20hand"], "\(outcome.screen)")
    #expect(outcome.code == .success)
  }

  @Test func `a skipped step has the response that this very request had, if that was as expected`() async {
    let same = await session().debug("n", "back", "k")
    #expect(same.screen.contains("took the response it had"), "\(same.screen)")
    let edited = await session().debug("n", "back", "e POST /items json { size: 5 }", "k")
    let refused = await session(Self.chain, [.json(#"{"id":"i-1"}"#, status: 403)]).debug("n", "k")
    for outcome in [edited, refused] {
      #expect(!outcome.screen.contains("took the response it had"), "\(outcome.screen)")
      #expect(outcome.screen.contains("no response is given for it"))
    }
    #expect([same, edited, refused].map(\.requests.count) == [1, 1, 1])
  }

  @Test func `what was found can be kept`() async {
    let outcome = await session().debug(
      "s", "save response response.json", "n", "e PUT https://b.example/new text \"x\"", "save fixed.wb")
    #expect(outcome.written["response.json"].map { String(decoding: $0, as: UTF8.self) } == #"{"id":"i-1"}"#)
    let script = outcome.written["fixed.wb"].map { String(decoding: $0, as: UTF8.self) } ?? ""
    #expect(script.contains("put: PUT https://b.example/new text \"x\"\nlook: GET"), "\(script)")
  }

  @Test func `diff shows what is new since the last attempt`() async {
    let answers: [Response] = [.json(#"{"id":"i-1"}"#), .json(#"{"id":"i-2"}"#), .json("{}")]
    let outcome = await session(Self.chain, answers).debug(
      "s", "back", "e POST /items json { size: 5 }", "diff", "s", "diff")
    #expect(outcome.screen.contains("size\n  - 1\n  + 5\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("i-1") && outcome.screen.contains("i-2"))
  }

  // MARK: Once is once

  @Test func `who does not want the last step again is where they were`() async {
    let answers = [Response](repeating: .json(#"{"id":"i-1"}"#), count: 3)
    let outcome = await session(Self.chain, answers).debug(typing: "n\nw\nr\nno\nw\ninfo\nq\n")
    #expect(outcome.screen.ranges(of: "not sent").count == 1, "\(outcome.screen)")
    #expect(outcome.requests.map(\.method) == [.post])
    let places = outcome.screen.split(separator: "\n").filter { $0.contains("before step") }
    #expect(Set(places).count == 1 && places.count == 2, "\(outcome.screen)")
  }

  @Test func `on a terminal it asks before a request that happens once is sent again`() async {
    let answers = [Response](repeating: .json(#"{"id":"i-1"}"#), count: 3)
    let outcome = await session(Self.chain, answers).debug(typing: "n\nback\nn\nno\nn\n\nn\ny\nq\n")
    #expect(outcome.screen.contains("warning: make happened and is not undone by this"), "\(outcome.screen)")
    // Return alone is not a yes.
    #expect(outcome.screen.ranges(of: "send it again? [y/N]").count == 3)
    #expect(outcome.screen.ranges(of: "not sent").count == 2)
    #expect(outcome.requests.map(\.method) == [.post, .post])
  }

  @Test func `on a terminal it says how to send a step again that failed, and n at the end does not leave`() async {
    let answers: [Response] = [.json("{}", status: 500), .json(#"{"id":"i-1"}"#)]
    let outcome = await session(Self.chain, answers).debug(typing: "n\nn\nn\nc\nback make\nn\ny\nq\n")
    let screen = outcome.screen
    #expect(
      screen.contains("(step 1/3 make, after)  r sends it again, e changes it, back goes before it\n"), "\(screen)")
    #expect(screen.contains("(the end) a step failed: to send it again, back make, then n\n"), "\(screen)")
    #expect(screen.ranges(of: "(the end) nothing is left to send: back goes back, q leaves\n").count == 2, "\(screen)")
    #expect(screen.contains("(step 2/3 put, before)"), "\(screen)")
    #expect(outcome.requests.map(\.method) == [.post, .post])
  }

  @Test func `what is neither yes nor no is asked for again, and y without a question is told so`() async {
    let answers = [Response](repeating: .json(#"{"id":"i-1"}"#), count: 3)
    let outcome = await session(Self.chain, answers).debug(typing: "n\nback\nn\ninfo\na\nno\ny\nq\n")
    #expect(outcome.screen.ranges(of: "y sends it, n does not").count == 2, "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "not sent").count == 1, "\(outcome.screen)")
    #expect(outcome.screen.contains("the reply to a question; n sends this step"), "\(outcome.screen)")
    #expect(outcome.requests.map(\.method) == [.post])
  }

  @Test(arguments: [("a", 1), ("y", 2)]) func `all is a reply that holds for what c sends`(reply: String, count: Int)
    async
  {
    let script = Self.profiles + "one: POST /a json {}\ntwo: POST /b json {}\n"
    let keys = "n\nn\nback 2\nc\n\(reply)\n\(reply)\nq\n"
    let outcome = await session(script, [Response](repeating: .json("{}"), count: 4)).debug(typing: keys)
    #expect(outcome.screen.ranges(of: "send it again? [y/N, a for all] ").count == count, "\(outcome.screen)")
    #expect(outcome.screen.contains("two was sent before and may have taken effect"), "\(outcome.screen)")
    #expect(outcome.requests.count == 4, "\(outcome.screen)")
  }

  @Test(arguments: ["json name = \"x\"", "body.name = \"x\"", "title = 1"])
  func `who sets a part of the request is told of e`(setting: String) async {
    let outcome = await session().debug("set \(setting)")
    #expect(outcome.screen.contains("the request is changed with e"), "\(outcome.screen)")
  }

  @Test func `a command may have the colon of the prompt's`() async {
    let outcome = await session().debug(":help", ":n", ":p $make.status", ":nothing")
    #expect(outcome.screen.contains("send this step and go to the next stop"), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> :p $make.status\n201\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("there is no command \":nothing\""), "\(outcome.screen)")
  }

  @Test func `from a pipe it warns and goes on`() async {
    let answers = [Response](repeating: .json(#"{"id":"i-1"}"#), count: 3)
    let outcome = await session(Self.chain, answers).debug("n", "back", "n")
    #expect(outcome.screen.contains("warning: make was sent before and may have taken effect; sending it again"))
    #expect(outcome.requests.map(\.method) == [.post, .post])
  }

  @Test func `^C ends the transfer but not the debugger`() async {
    let transport = InterruptedTransport()
    let outcome = await session().debug(typing: "n\nw\nq\n", with: transport)
    #expect(outcome.screen.contains("interrupted: the request may have arrived"), "\(outcome.screen)")
    #expect(outcome.screen.contains("before step 1/3 make"))
  }

  @Test func `after a step that failed, its response has the names of the step`() async {
    var session = PromptSession(answers: [.json(#"{"error":"gone"}"#, status: 404), .json("{}")])
    session.files["chain.wb"] = Array("one: GET https://a.example/1\nGET https://a.example/2\n".utf8)
    let outcome = await session.debug("n", "p $one.body.error", "p $1.status", "p $_.body", "n", "p $one.status")
    #expect(outcome.screen.contains("debug> p $one.body.error\n\"gone\"\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> p $1.status\n404\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> p $_.body\n{\n"), "\(outcome.screen)")
  }

  @Test func `after ^C the run continues as if the step had not been sent`() async {
    let transport = InterruptedTransport(then: Self.answers)
    let outcome = await session().debug(typing: "n\nn\ny\nn\nn\nw\n", with: transport)
    #expect(outcome.screen.contains("interrupted: the request may have arrived"), "\(outcome.screen)")
    #expect(
      transport.answering.requests.map(\.url) == [
        "https://a.example/items", "https://b.example/i-1", "https://a.example/items/i-1",
      ], "\(outcome.screen)")
    #expect(outcome.code == .success, "\(outcome.screen)")
  }

  // MARK: Breakpoints

  @Test(arguments: [
    ("b look", "(step 3/3 look, before)"),
    ("b $2", "(step 2/3 put, before)"),
    ("b put if $make.body.id == \"i-1\"", "(step 2/3 put, before)"),
    ("b put if $make.body.id == \"other\"", "(the end)"),
    ("b on status 201", "(step 1/3 make, after)"),
    ("b on status 2xx", "(step 1/3 make, after)"),
    ("b on status 4xx 500", "(the end)"),
    ("b on origin-change", "(step 2/3 put, before)"),
    ("b on fail", "(the end)"),
  ])
  func `continue stops at breakpoints`(breakpoint: String, stop: String) async {
    let outcome = await session().debug(breakpoint, "c")
    let last = outcome.screen.split(separator: "\n").last { $0.hasPrefix("(") } ?? ""
    #expect(last.hasPrefix(stop), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("b on fire", "\"on fire\" is not a breakpoint"), ("b put when", "is not a breakpoint"),
    ("b put if 1 +", "error"), ("del 3", "there is no breakpoint \"3\""),
  ])
  func `what is not a breakpoint is reported`(line: String, message: String) async {
    #expect(await session().debug(line).screen.contains(message))
  }

  @Test func `a request is a line for curl before it is sent, and after it`() async {
    let outcome = await session().debug("p curl", "c", "p curl", "q")
    let own = "-H \"Authorization: Bearer ${TOKEN}\" \\\n  --data-raw '{\"size\":1}'"
    #expect(outcome.screen.contains(own), "\(outcome.screen)")
    #expect(outcome.screen.contains("curl https://a.example/items/i-1 \\\n  -H \"Authoriz"), "\(outcome.screen)")
    #expect(!outcome.screen.contains(Self.token))
  }

  @Test func `at the end the last step is compared with the time before, and any by its name`() async {
    let answers: [Response] = [
      .json(#"{"id":"i-1"}"#, status: 201), .json("{}"), .json("{}", status: 428), .json("{}"),
    ]
    let outcome = await session(Self.chain, answers).debug("n", "n", "n", "r", "c", "diff", "diff make", "diff look")
    #expect(outcome.screen.contains("(the end)\n"), "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "428").count >= 3, "\(outcome.screen)")
    #expect(outcome.screen.contains("make was sent only once"), "\(outcome.screen)")
  }

  @Test func `a response that was taken back is taken again before it is changed`() async {
    let outcome = await session().debug(
      "s", "back make", "set $make.body.id = \"x\"", "k", "set $make.body.id = \"x\"", "q")
    #expect(outcome.screen.contains("k takes the one it had before, and set changes that"), "\(outcome.screen)")
    #expect(outcome.screen.contains("https://b.example/x"), "\(outcome.screen)")
  }

  @Test func `it is said which breakpoint stops`() async {
    let before = await session().debug("b put", "b look", "del 1", "c", "q")
    #expect(before.screen.contains("breakpoint 2, before look\n(step 3/3 look, before)"), "\(before.screen)")
    #expect(!before.screen.contains("breakpoint 1,"), "\(before.screen)")
    let after = await session().debug("b on status 2xx", "c", "q")
    #expect(after.screen.contains("breakpoint 1, on status 2xx\n(step 1/3 make, after)"), "\(after.screen)")
  }

  /// As at the prompt, the quotes are those of a shell.
  @Test(arguments: [
    ("e POST /items note=\"size {$size}\" tags:='[\"a\"]'", #"{"note":"size 1","tags":["a"]}"#),
    ("e POST /items note=\"size $size\"", #"{"note":"size 1"}"#),
    ("e POST /items note='size $size'", #"{"note":"size $size"}"#),
    ("e POST /items note=\"cost $other\"", #"{"note":"cost $other"}"#),
    ("e curl https://a.example/items --json \"{\\\"note\\\": \\\"$own-name\\\"}\"", #"{"note": "mine"}"#),
    ("e http POST https://a.example/items note=\"$own-name\" tags:='[1]'", #"{"note":"mine","tags":[1]}"#),
  ])
  func `what is typed in place of a step means what it means at the prompt`(line: String, body: String) async {
    let script = Self.profiles + "let own-name = \"mine\"\nlet size = 1\nmake: POST /items json { size: $size }\n"
    let outcome = await session(script).debug(line, "s", "q")
    let sent = outcome.requests.map { request in
      (request.body ?? []).map { segment in
        if case .bytes(let bytes) = segment { String(decoding: bytes, as: UTF8.self) } else { "" }
      }.joined()
    }
    #expect(sent == [body], "\(outcome.screen)")
  }

  @Test func `a parameter and the value of a loop are names there, too`() async {
    let script = """
      sequence send(kind) { for $part in ["x"] { put: PUT https://b.example/{$part} text $kind } }
      run send(kind: "k")
      """
    let outcome = await session(script, [.json("{}")]).debug(
      "e PUT https://b.example/y text \"$kind of $part\"", "s", "q")
    #expect(outcome.requests.first?.body == [.bytes(Array("k of x".utf8))], "\(outcome.screen)")
  }

  @Test func `breakpoints are listed and deleted`() async {
    let outcome = await session().debug("b put", "b on fail", "info", "del 1", "info", "c")
    #expect(outcome.screen.contains("1  stop before put\n2  stop on fail\n"))
    // The numbers on the screen stay true.
    #expect(outcome.screen.contains("deleted  stop before put\ndebug> info\n2  stop on fail\n"), "\(outcome.screen)")
    #expect(outcome.requests.count == 3)
    let again = await session().debug("b put", "del 1", "b look", "info").screen
    #expect(again.hasSuffix("2  stop before look\n"), "\(again)")
  }

  @Test(arguments: [
    ("b :LINE", "stop before put"), ("b chain.wb:LINE", "stop before put"),
    ("b LINE if true", "stop before put if true"),
    ("b 3", "stop before 3"), ("b other.wb:1", "no step is called"), ("b :1", "no step with a name is in line 1"),
  ])
  func `a breakpoint may be a line of the script`(line: String, shown: String) async {
    let text = Self.chain.split(separator: "\n", omittingEmptySubsequences: false)
    let number = (text.firstIndex { $0.hasPrefix("put:") } ?? 0) + 1
    let outcome = await session().debug(line.replacing("LINE", with: "\(number)"))
    #expect(outcome.screen.contains(shown), "\(outcome.screen)")
  }

  @Test func `a response is shown by its name, and its parts without it`() async {
    let outcome = await session().debug("n", "p $make", "p headers", "p body.id", "p status")
    #expect(outcome.screen.contains("debug> p $make\nPOST https://a.example/items\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> p body.id\n\"i-1\"\ndebug> p status\n201\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("debug> p headers\n{\n"), "\(outcome.screen)")
  }

  @Test func `the request that comes next is shown as a whole, and a step that was taken back is not unsent`() async {
    let outcome = await session().debug("n", "p request.url", "n", "back 2", "p $make", "g look")
    #expect(outcome.screen.contains("p request shows it, with its URL"), "\(outcome.screen)")
    #expect(outcome.screen.contains("step \"make\" was taken back"), "\(outcome.screen)")
    #expect(outcome.screen.contains("k takes the response that the step here had"), "\(outcome.screen)")
  }

  @Test func `the whole request says what is withheld, and a query has its own line`() async {
    let script = Self.profiles + "GET https://c.example/x?a=1&b=2\n"
    let outcome = await session(script).debug("p request")
    #expect(outcome.screen.ranges(of: "withheld authorization").count == 2, "\(outcome.screen)")
    #expect(outcome.screen.contains("url") && outcome.screen.contains("  ?a=1&b=2\n"), "\(outcome.screen)")
  }

  @Test func `what the editor was left with and is refused is not written again`() async {
    let texts = Recorder<[String]>([])
    let outcome = await session(edit: { text in
      texts.update { $0.append(text) }
      return texts.value.count == 1 ? "make: POST /items nonsense {" : "make: POST /other json {}"
    }).debug("e", "e", "n")
    #expect(texts.value.last == "make: POST /items nonsense {", "\(outcome.screen)")
    #expect(outcome.requests.map(\.url) == ["https://a.example/other"], "\(outcome.screen)")
  }

  @Test func `at the end nothing can be changed, and that is said`() async {
    let outcome = await session().debug("c", "e PUT /x")
    #expect(outcome.screen.contains("there is no step here to change"), "\(outcome.screen)")
  }

  @Test(arguments: [("n\n", 1), ("s\n", 1), ("c\n", 3)])
  func `who goes step by step sees each failure, and c retries as a run does`(keys: String, count: Int) async {
    let script = "one: GET https://a.example/1\n"
    let answers = [Response](repeating: .json("{}", status: 503), count: 3)
    let outcome = await session(script, answers).debug(typing: keys + "q\n")
    #expect(outcome.requests.count == count, "\(outcome.screen)")
  }

  @Test(arguments: [("y", "/items"), ("n", "/other")])
  func `reload asks before it discards a change`(reply: String, path: String) async {
    let outcome = await session().debug(typing: "e POST /other json {}\nreload\n\(reply)\nn\nq\n")
    #expect(outcome.screen.contains("what was changed here is discarded"), "\(outcome.screen)")
    #expect(outcome.requests.map(\.url) == ["https://a.example\(path)"], "\(outcome.screen)")
  }

  @Test func `a secret that is set is told where it comes from`() async {
    let script = "secret pw = $env.PW for a\nprofile a { base https://a.example auth bearer $pw }\nGET /x\n"
    var session = session(script)
    session.environment["PW"] = Canary.secret("set-in-debugger")
    let outcome = await session.debug("set pw = \"other-one\"")
    #expect(outcome.screen.contains("q, set it where it comes from"), "\(outcome.screen)")
  }

  @Test func `info has what was left out, too`() async {
    let outcome = await session().debug("n", "k", "info", "q")
    #expect(
      outcome.screen.contains("✓ make  201 Created\n- put  skipped: in the debugger\n"),
      "\(outcome.screen)")
  }

  @Test func `with break-on the run continues on its own to what is wanted`() async {
    let answers: [Response] = [Self.answers[0], .json("{}", status: 403), Self.answers[2]]
    let outcome = await session(Self.chain, answers).debug(breakpoints: ["fail"])
    #expect(outcome.screen.contains("(step 2/3 put, after)"), "\(outcome.screen)")
    #expect(outcome.code == .failed)
    #expect(await session().debug(breakpoints: ["fail"]).code == .success)
    #expect(await session().debug(breakpoints: ["on fire"]).code == .usage)
  }

  // MARK: Ends

  @Test func `a failure that was put right does not count`() async {
    let answers: [Response] = [
      .json("{}", status: 500), .json(#"{"id":"i-1"}"#, status: 201), .json("{}"), .json("{}"),
    ]
    let failed = await session(Self.chain, answers).debug("c")
    #expect(failed.code == .failed)
    let righted = await session(Self.chain, answers).debug("c", "r", "c")
    #expect(righted.code == .success, "\(righted.screen)")
    #expect(righted.requests.count == 4)
  }

  @Test func `after a failure it also stops at what is done finally`() async {
    let script = Self.chain + "\nfinally { clean: DELETE /items/1 }"
    let answers: [Response] = [.json("{}", status: 500), .json("{}")]
    let outcome = await session(script, answers).debug("n", "n", "n")
    #expect(outcome.screen.contains("clean, "), "\(outcome.screen)")
    #expect(outcome.requests.map(\.method) == [.post, .delete])
    #expect(outcome.code == .failed)
  }

  @Test func `goto skips those between, also those that need one that is skipped`() async {
    let script =
      Self.profiles + """
        make: POST /items
        let id = $make.body.id
        look: GET /items/{$id}
        for $part in $look.body.parts { piece: GET /parts/{$part} }
        last: GET /last
        end: GET /end/{$look.body.id}

        """
    let outcome = await session(script, [.json("{}")]).debug("g end", "g look", "g last", "n", "back", "back", "q")
    #expect(outcome.requests.map(\.url) == ["https://a.example/last"], "\(outcome.screen)")
    for name in ["end", "look"] {
      #expect(
        outcome.screen.contains(
          "error: \"\(name)\" needs a step that would be skipped\n = b \(name), then c, sends those before it\n"),
        "\(outcome.screen)")
    }
    #expect(outcome.screen.contains("-- look  skipped: it needs what was skipped"), "\(outcome.screen)")
    #expect(outcome.screen.contains("last, before) GET https://a.example/last"), "\(outcome.screen)")
  }

  @Test(arguments: [
    ("contnue", "did you mean continue?"), ("re", "could be resend, reload"), ("back 9", "no step has run yet"),
    ("g nowhere", "there is no step \"nowhere\""), ("set x", "a name and a value are needed"),
    ("k 2000", "a response is a status"),
    ("k 200 {\"json\": {\"n\": 9}", "expected \",\" or \"}\" at line 1, column 18"), ("k 200 [1, x]", "but is not"),
    ("save", "a file is missing"), ("e", "no terminal for an editor"),
    ("diff", "not sent before"), ("lint nothing", "no step \"nothing\" was sent"),
  ])
  func `what cannot be done is reported`(line: String, message: String) async {
    #expect(await session().debug(line).screen.contains(message))
  }

  // MARK: From the prompt

  @Test func `a script can be debugged at the prompt, which continues after it`() async {
    var prompt = session()
    prompt.answers.append(.json("{}"))
    let outcome = await prompt.pipe([":debug chain.wb", "n", "c", "q", "GET https://c.example/after"])
    #expect(
      outcome.requests.map(\.url) == [
        "https://a.example/items", "https://b.example/i-1", "https://a.example/items/i-1", "https://c.example/after",
      ], "\(outcome.screen)")
    #expect(outcome.screen.contains("$1  200 OK  c.example"))
    #expect(outcome.code == .success)
  }

  @Test func `a sequence of the session sees its names and responses`() async {
    let outcome = await session(Self.chain, [.json(#"{"id":"i-1"}"#), .json("{}"), .json("{}")]).pipe([
      "profile api { base https://a.example }", "sequence again(id) {", "  look: GET /items/{$id}",
      "  end: DELETE /items/{$id}", "}",
      "GET /items", ":debug again(id: $1.body.id)", "n", "w", "n", "q",
    ])
    #expect(outcome.requests.map(\.url).last == "https://a.example/items/i-1", "\(outcome.screen)")
    #expect(outcome.requests.map(\.method) == [.get, .get, .delete])
    #expect(outcome.screen.contains("before step 2/2 end"))
  }

  @Test func `what cannot be debugged is reported`() async {
    let outcome = await session().pipe([":debug", ":debug nothing.wb", ":debug nothing(1)"])
    #expect(outcome.screen.contains("a file or a sequence is missing"))
    #expect(outcome.screen.contains("nothing.wb"))
    #expect(outcome.code == .failed)
  }

  // MARK: Lint

  private static let refused = Response(
    status: .ok, headers: [.contentType: "application/xml"],
    body: ResponseBody(Array("<Error><Code>InternalError</Code><Message>We failed.</Message></Error>".utf8)))

  @Test func `a plain run reports what is wrong with an upload under the error`() async {
    let script = "put: PUT https://b.example/x text \"x\" expect 204"
    let outcome = await session(script, [Self.refused]).runScript()
    #expect(outcome.screen.contains("lint  the response is 200, and its body reports a failure"), "\(outcome.screen)")
    #expect(outcome.screen.contains("InternalError: We failed."))
  }

  @Test func `the prompt reports what is wrong with an upload on its own, and when asked`() async {
    let outcome = await session("", [Self.refused, .json("{}")]).pipe([
      "PUT https://b.example/x text \"x\"", "GET https://b.example/y", ":lint", ":lint $1",
    ])
    #expect(outcome.screen.ranges(of: "lint  the response is 200").count == 3, "\(outcome.screen)")
  }

  @Test func `who asks about a step that is no upload is led to the last one`() async {
    let outcome = await session("", [.json("{}"), Self.refused, .json("{}"), .json("{}")]).pipe([
      "GET https://b.example/y", ":lint", "up: PUT https://b.example/x text \"x\"", "GET https://b.example/y", ":lint",
      ":lint $_", ":lint $3", "PUT https://b.example/x?X-Amz-Signature=00ff00ff&X-Amz-Algorithm=a text \"x\"", ":lint",
    ])
    #expect(outcome.screen.contains("lint: $1 is not an upload\n"), "\(outcome.screen)")
    let led = "lint: $3 is not an upload; the last one before it is $up"
    #expect(outcome.screen.ranges(of: "\(led):\n  lint  the response is 200").count == 2, "\(outcome.screen)")
    #expect(outcome.screen.contains("\(led)\n"), "\(outcome.screen)")
    #expect(outcome.screen.hasSuffix("lint: nothing is wrong that can be seen from here\n"), "\(outcome.screen)")
  }

  @Test func `an upload comes from the response with its own URL, never from a later one`() async {
    let form = Response.json(##"{"url":"https://s.example/p","fields":{"key":"a","policy":"e30="}}"##)
    let signed =
      "https://s.example/p/a?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20200101T000000Z&X-Amz-Expires=1"
      + "&X-Amz-SignedHeaders=host&X-Amz-Signature=abc123"
    let refused = Response(status: .forbidden, headers: [.date: "Fri, 02 Jan 2026 03:24:05 GMT"])
    let outcome = await session("", [form, .json(#"{"url":"\#(signed)"}"#), refused, form, refused]).pipe([
      "POST https://b.example/allocate", "POST https://b.example/put", "PUT $2.body.url text \"x\"",
      "POST https://b.example/allocate", "PUT \(signed.replacing("abc123", with: "def456")) text \"x\"", ":lint $3",
      ":lint $5",
    ])
    // As soon as it fails, and when asked.
    #expect(outcome.screen.ranges(of: "ask for a new URL: go back to $2, which").count == 2, "\(outcome.screen)")
    #expect(outcome.screen.ranges(of: "go back to the step that returned it").count == 2, "\(outcome.screen)")
  }

  @Test func `a request of many parts fits on a screen, and all of it can be shown`() async {
    let fields = (1...40).map { "field\($0): \($0)" }.joined(separator: ", ")
    let outcome = await session("put: POST https://b.example/x json { \(fields) }", [.json("{}")]).debug("p request")
    let stop = outcome.screen.split(separator: "debug> ").first ?? ""
    #expect(stop.split(separator: "\n").count <= 20)
    #expect(stop.contains("more, p request shows all") && !stop.contains("field40"))
    #expect(outcome.screen.contains("field40  40"))
  }

  @Test func `a script that cannot be run does not start a session`() async {
    #expect(await session("make: POST /items json {").debug("n").code == .usage)
    #expect(await session("sequence a() { GET https://a.example }").debug("n").code == .usage)
    #expect(await PromptSession().debug("n").code == .file)
  }
}

/// Does not respond to the first request, which has been sent when it is interrupted.
final class InterruptedTransport: OfflineTransport {
  let interrupts = Interrupts()
  let answering: AnsweringTransport
  private let wasInterrupted = Recorder(false)

  init(then answers: [Response] = []) { answering = AnsweringTransport(answers) }

  func send(
    _ request: TransportRequest, progress: @escaping @Sendable (TransferProgress) -> Void
  ) async throws(TransportError) -> TransportResponse {
    if wasInterrupted.value { return try await answering.send(request, progress: progress) }
    wasInterrupted.update { $0 = true }
    interrupts.interrupt()
    try? await Task.sleep(for: .seconds(60))
    throw TransportError(.cancelled, requestWasSent: true)
  }
}
