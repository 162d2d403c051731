import Canaries
import Formats
import HTTPTypes
import OfflineTransport
import Requests
import Sessions
import Testing
import UploaderCore

/// What comes bit by bit, on the screen.
@Suite struct StreamPromptTests {
  private static let cancelled = ResponseEnding.broken(TransportError(.cancelled, requestWasSent: true))

  private func session(_ pieces: [String], type: String = "text/event-stream", ending: ResponseEnding = .complete)
    -> PromptSession
  {
    var session = PromptSession()
    let response = Response(status: .ok, headers: [.contentType: type])
    session.streams = StreamingTransport([.init(response, pieces, ending: ending)])
    return session
  }

  @Test func `it is shown once, between its first line and its last`() async {
    let outcome = await session(["data: 1\n\n", "data: 2\n\n"]).pipe(["GET https://a.test/events"])
    #expect(
      outcome.screen
        == """
        $1  200 OK  https://a.test  text/event-stream, as it comes
        data: 1

        data: 2

        $1  200 OK  https://a.test  0 µs  18 B  event-stream

        """.replacing("https://a.test", with: "a.test"))
  }

  @Test func `where a computed target led is said once, before what comes`() async {
    let screen = await session(["data: 1\n\n"]).pipe(["let u = \"https://a.test/events\"", "GET $u"]).screen
    #expect(screen.hasPrefix("GET https://a.test/events\n$1  200 OK  a.test  text/event-stream, as it"), "\(screen)")
    #expect(screen.ranges(of: "GET https").count == 1, "\(screen)")
  }

  @Test func `the first line comes before what a program makes of it, too`() async {
    var session = session(["data: 1\n\n", "data: 2\n\n"])
    session.program = { command, input in "<\(command)> \(input.count)" }
    let screen = await session.pipe(["GET https://a.test/events | head -3"]).screen
    #expect(screen == "$1  200 OK  a.test  text/event-stream, as it comes\n<head -3> 18\n", "\(screen)")
  }

  @Test func `the debugger shows it once, too`() async {
    var session = session(["data: 1\n\n", "data: 2\n\n"])
    session.files["chain.wb"] = Array("GET https://a.test/events\n".utf8)
    for command in ["n", "s"] {
      session.streams = StreamingTransport([
        .init(Response(status: .ok, headers: [.contentType: "text/event-stream"]), ["data: 1\n\n", "data: 2\n\n"])
      ])
      let outcome = await session.debug(command)
      #expect(outcome.screen.contains("text/event-stream, as it comes\ndata: 1\n\ndata: 2\n\n"), "\(outcome.screen)")
      #expect(outcome.screen.ranges(of: "data: 1").count == 1, "\(outcome.screen)")
    }
  }

  @Test func `what came before ^C is kept, and marked`() async {
    let pieces = (1...100).map { "data: \($0)\n\n" }
    let outcome = await session(pieces + ["data: 1"], ending: Self.cancelled).pipe([
      "GET https://a.test/events", ":print $1.text | split(\"data: \") | count",
    ])
    #expect(outcome.screen.contains("    incomplete: stopped before its end\n"))
    #expect(outcome.screen.hasSuffix("102\n"))
  }

  @Test(arguments: [
    ("GET https://a.test/events", "stream for 1s"), ("GET https://a.test/events stream", "stream for 1s"),
    ("GET https://a.test/events stream for 9s", "stream for 9s"),
    ("GET https://a.test/events stream for 9s until false", "stream for 9s until false"),
  ])
  func `what was ended by ^C is saved with an end`(line: String, clause: String) async {
    let outcome = await session(["data: 1\n\n"], ending: Self.cancelled).pipe([line, ":save s.wb 1"])
    let saved = String(decoding: outcome.written["s.wb"] ?? [], as: UTF8.self)
    #expect(saved.contains(clause) && saved.ranges(of: "stream").count == 1, "\(saved) \(outcome.screen)")
    #expect(outcome.screen.contains("was stopped before its end: it is looked at for") == (clause == "stream for 1s"))
    #expect(clause.hasSuffix("false") || !outcome.screen.contains("not what was sent"), "\(outcome.screen)")
  }

  @Test func `of what is left out, nothing else is said`() async {
    let outcome = await session(["data: 1\n\n"], ending: Self.cancelled).pipe([
      "GET https://a.test/events expect 201", ":save s.wb",
    ])
    let screen = outcome.screen
    #expect(screen.contains("left out $1") && !screen.contains("it is looked at for"), "\(screen)")
  }

  @Test func `what was ended on purpose is not said to be unexpected`() async {
    let outcome = await session(["data: 1\n\n"], ending: Self.cancelled).pipe([
      "GET https://a.test/events", ":save s.wb",
    ])
    let line = "left out $1, which was ended before all of it came\n = to keep it"
    #expect(outcome.screen.contains(line), "\(outcome.screen)")
  }

  @Test func `what ended by itself is saved as it was typed`() async {
    let outcome = await session(["data: 1\n\n"]).pipe(["GET https://a.test/events", ":save s.wb"])
    let saved = String(decoding: outcome.written["s.wb"] ?? [], as: UTF8.self)
    #expect(saved.contains("GET") && !saved.contains("stream"), "\(saved)")
  }

  @Test func `in the debugger, too`() async {
    var session = session((1...100).map { "data: \($0)\n\n" } + ["data: 1"], ending: Self.cancelled)
    session.files["chain.wb"] = Array("events: GET https://a.test/events\nGET https://a.test/next\n".utf8)
    let outcome = await session.debug("n", "p $events.text | split(\"data: \") | count", "w")
    #expect(outcome.screen.contains("    incomplete: stopped before its end\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("\n102\n"), "\(outcome.screen)")
    #expect(outcome.screen.contains("after step 1/2 events"), "\(outcome.screen)")
  }

  @Test func `a secret that two pieces share is hidden, however it is cut`() async {
    let canary = Canary.secret("stream-piece")
    for cut in 1..<canary.utf8.count {
      let text = "the token is \(canary), and so on "
      let at = text.index(text.startIndex, offsetBy: 13 + cut)
      var session = session([String(text[..<at]), String(text[at...])], type: "text/plain")
      session.environment = ["TOKEN": canary]
      let outcome = await session.pipe([
        "profile api { base https://a.test auth bearer $env.TOKEN }", "GET https://a.test/log",
      ])
      #expect(outcome.screen.contains("the token is ••••, and so on \n"), "\(cut): \(outcome.screen)")
    }
  }

  @Test func `a signature that two pieces share is hidden`() async {
    let text = "see https://s3.test/a?X-Amz-Expires=60&X-Amz-Signature=0123456789abcdef&x=1 "
    for cut in 1..<text.utf8.count {
      let at = text.index(text.startIndex, offsetBy: cut)
      let outcome = await session([String(text[..<at]), String(text[at...])], type: "text/plain")
        .pipe(["GET https://a.test/log"])
      #expect(outcome.screen.contains("X-Amz-Signature=••••&x=1"), "\(cut): \(outcome.screen)")
    }
  }

  @Test func `a character that is cut in two, and what a terminal would obey`() async {
    let bytes = Array("für \u{1B}[2J immer\n".utf8)
    for cut in 1..<bytes.count {
      var session = session([], type: "text/plain")
      let response = Response(status: .ok, headers: [.contentType: "text/plain"])
      session.streams = StreamingTransport([.init(response, [bytes[..<cut], bytes[cut...]].map(Array.init))])
      let outcome = await session.pipe(["GET https://a.test/log"])
      #expect(outcome.screen.contains("für ␛[2J immer\n"), "\(cut): \(outcome.screen)")
    }
  }

  @Test func `what comes too fast to be read is counted`() async {
    let outcome = await session((1...1_000).map { "line \($0)\n" }, type: "text/plain").pipe(["GET https://a.test/log"])
    #expect(outcome.screen.contains("line 200\n… 800 lines more of $1; :body $1 shows all\n"))
  }

  @Test func `one line more is one line`() async {
    let outcome = await session((1...201).map { "line \($0)\n" }, type: "text/plain").pipe(["GET https://a.test/log"])
    #expect(outcome.screen.contains("line 200\n… 1 line more of $1; :body $1 shows all\n"), "\(outcome.screen)")
  }

  @Test func `events are values, with the clause and without it`() async {
    let pieces = ["id: 1\nevent: tick\ndata: {\"n\": 1}\n\n", "data: plain\n\n"]
    let values = await session(pieces).pipe([
      "GET https://a.test/events stream until body[-1].data == \"plain\"", ":print $1.body[0].data.n + 1",
      ":print $1.body[1] == { event: \"message\", id: \"1\", data: \"plain\" }",
      ":print $1.text | split(\"data\") | count",
    ])
    #expect(
      values.screen.hasSuffix("2\ntrue\n3\n"), "\(values.screen)")
    let screen = await session(pieces).pipe([
      "GET https://a.test/events", "$1.body[*].event", "$1.body[0].data.n + 1",
      ":print $1.text | split(\"data\") | count",
    ]).screen
    #expect(screen.hasSuffix("[\n  \"tick\",\n  \"message\"\n]\n2\n3\n"), "\(screen)")
  }

  /// A program that reads JSON gets JSON, as the events come and afterwards; any other gets what came.
  @Test(arguments: [
    (["GET https://a.test/events | jq .data"], "<jq .data> {\"event\":\"tick\",\"id\":null,\"data\":{\"n\":1}}\n"),
    (
      ["GET https://a.test/events", "| jq -c .data"],
      "<jq -c .data> {\"event\":\"tick\",\"id\":null,\"data\":{\"n\":1}}\n"
    ),
    (["GET https://a.test/events", "$1 | jq .id"], "<jq .id> {\"event\":\"tick\",\"id\":null,\"data\":{\"n\":1}}\n"),
    (["GET https://a.test/events", "$1.body | jq -c ."], "<jq -c .> [\n  {\n    \"event\": \"tick\","),
    (["GET https://a.test/events | jq -rR ."], "<jq -rR .> event: tick\ndata: {\"n\": 1}\n\ndata: half"),
    (["GET https://a.test/events", "| jq --raw-input ."], "<jq --raw-input .> event: tick\n"),
    (["GET https://a.test/events | grep jq"], "<grep jq> event: tick\n"),
    (["GET https://a.test/events", "| cat | jq ."], "<cat | jq .> event: tick\n"),
  ])
  func `a program that reads JSON gets a line for each event`(lines: [String], shown: String) async {
    var session = session(["event: tick\ndata: {\"n\"", ": 1}\n\ndata: half"])
    session.program = { command, input in "<\(command)> \(String(decoding: input, as: UTF8.self))" }
    session.environment = ["PATH": "/bin"]
    session.files["/bin/jq"] = []
    let screen = await session.pipe(lines).screen
    #expect(screen.contains(shown), "\(screen)")
  }

  @Test func `lines of JSON are values, too`() async {
    let outcome = await session(["{\"a\": 1}\n{\"a\"", ": 2}\n{\"a\": 3}\n"], type: "application/x-ndjson").pipe([
      "GET https://a.test/lines stream until body[-1].a == 2", ":print $1.body | count",
    ])
    #expect(outcome.screen.hasSuffix("2\n"))
  }

  @Test func `a stream that ends before its condition holds fails`() async {
    let outcome = await session(["data: 1\n\n"]).pipe(["GET https://a.test/events stream until body[-1].data == 2"])
    #expect(outcome.screen.contains("expected body[-1].data == 2 before the stream ended, got 1"), "\(outcome.screen)")
    #expect(outcome.code == .failed)
  }

  @Test(arguments: ["", "\n"])
  func `the rest of a line that is not shown is not shown either`(end: String) async {
    let lines = (1...1_000).map { "line \($0) of many" }.joined(separator: "\n") + end
    for size in [7, 64, 1_000] {
      let pieces = stride(from: 0, to: lines.count, by: size).map { String(lines.dropFirst($0).prefix(size)) }
      let outcome = await session(pieces, type: "text/plain; charset=utf-8").pipe(["GET https://a.test/log"])
      let shown = outcome.screen.split(separator: "\n").filter { $0.contains("of") && !$0.contains("more of") }
      #expect(shown.allSatisfy { $0.wholeMatch(of: /line \d+ of many/) != nil }, "\(shown.suffix(3))")
      #expect(
        outcome.screen.contains("… \(1_000 - shown.count) lines more of $1; :body $1 shows all\n"),
        "\(outcome.screen.suffix(200))")
    }
  }

  @Test func `a stream in which nothing is what was waited for says how much came`() async {
    let outcome = await session(["data: 1\n\n", "data: 2\n\ndata: 3\n\n"]).pipe([
      "GET https://a.test/events stream until body[*].data contains 4"
    ])
    let expected = "expected body[*].data contains 4 before the stream ended, got none of 3 items"
    #expect(outcome.screen.contains(expected), "\(outcome.screen)")
  }

  /// Conditions that need not see all of a stream at once.
  private static let conditions = [
    "body[-1].n == 3", "(body | last).n == 3", "body[*].n | last == 3",
    "body[-2].n == 2 and body[-1].n == 3",
    "not (body[-1].n < 3)", "body[-1].n > body[-2].n + 1",
    "some $e in body satisfies $e.n == 3", "some $e in body[*].n satisfies $e == 3", "body[*].n contains 3",
    "3 in body[*].n", "body contains { n: 2 }", "body[?@.n == 3] contains { n: 3 }",
    "body[-1].n == 3 or text contains \"late\"", "text contains \"\\\"n\\\": 3\"", "text ends-with \"3}\\n\"",
    "status == 200 and body[*].n contains 3", "body[*].n contains 2 and body[-1].n == 3",
    "body[*].n contains 2 and body[*].n contains 3", "not (body[*].n contains 1)", "body[-1].n is string",
    "(body[-1].n ?? 0) == 3", "body[-9].n == 1", "status == 500", "body[-1] == 7", "size > 20", "body | count == 3",
    "body[-1].n == $1.body[-1].n + 3",
  ]

  @Test(arguments: conditions, [1, 5, 1_000])
  func `a condition that keeps a part of a stream ends it where one does that keeps it all`(
    condition: String, size: Int
  ) async {
    let text = "{\"n\": 0}\n{\"n\": 1}\n\n{\"x\": 1}\n{\"n\": 2}\n{\"n\": 3}\n{\"n\": 4}\n{\"n\": \"late\"}\n7"
    let pieces = stride(from: 0, to: text.count, by: size).map { String(text.dropFirst($0).prefix(size)) }
    let response = Response(status: .ok, headers: [.contentType: "application/x-ndjson"])
    var ends: [String] = []
    for condition in [condition, "size >= 0 and (\(condition))"] {
      var session = PromptSession()
      session.streams = StreamingTransport([.init(response, ["{\"n\": 0}\n"]), .init(response, pieces)])
      let outcome = await session.pipe([
        "GET https://a.test/one", "GET https://a.test/lines stream until \(condition)",
        ":print $2.size",
      ])
      let result = outcome.screen.split(separator: "\n").last.map(String.init) ?? ""
      ends.append("\(result) \(outcome.code) \(outcome.screen.contains("before the stream ended"))")
    }
    #expect(Int(ends[0].prefix { $0 != " " }) != nil, "\(ends[0])")
    #expect(ends[0] == ends[1])
  }
}
