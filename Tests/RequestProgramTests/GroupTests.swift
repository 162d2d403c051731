import Diagnostics
import RequestProgram
import RequestSyntax
import Requests
import Testing
import UploaderCore

struct GroupTests {
  private func urls(_ outcome: ScriptHarness.Outcome) -> [String] {
    outcome.requests.map { String($0.url.dropFirst("http://a.test".count)) }
  }

  @Test func `a loop runs its block for each item, and its names become arrays`() {
    var harness = ScriptHarness()
    harness.answer = { description, number in .make(200, json: "{\"n\": \(number)}", headers: [("ETag", "e\(number)")])
    }
    let outcome = harness.run(
      """
      for $part in ["a", "b", "c"] parallel 2 {
        put: PUT http://a.test/{$part}
          when $part != "b"
        let n = $put.body.n ?? "none"
        put2: PUT http://a.test/2/{$part}
      }
      POST http://a.test/ json { tags: $put[*].headers.etag, n: $n, second: $put2[1].body.n, skipped: $put[1] ?? "x" }
      """)
    #expect(outcome.text == "")
    #expect(urls(outcome) == ["/a", "/2/a", "/2/b", "/c", "/2/c", "/"])
    #expect(outcome.requests.last?.bodyText == #"{"tags":["e0","e3"],"n":[0,"none",3],"second":2,"skipped":"x"}"#)
    #expect(outcome.requests.map(\.head.number) == [nil, nil, nil, nil, nil, 1])
    #expect(outcome.requests.map(\.head.items) == [[0], [0], [1], [2], [2], []])
    #expect(outcome.skipped == ["put"])
  }

  @Test func `loops nest, and so do their arrays`() {
    let outcome = ScriptHarness().run(
      """
      for $a in [1, 2] { for $b in [3, 4] { let sum = $a * 10 + $b
        one: GET http://a.test/{$sum} } }
      POST http://a.test/ json { sums: $sum, status: $one[1][0].status }
      """)
    #expect(outcome.text == "")
    #expect(outcome.requests.last?.bodyText == #"{"sums":[[13,14],[23,24]],"status":200}"#)
    #expect(outcome.requests[3].head.items == [1, 1])
  }

  @Test(arguments: [
    ("for $x in 7 { GET http://a.test/ }", "expected an array, found a number"),
    ("let x = [1]\nfor $y in $x { GET http://a.test/{$y.z} }", "$y has no \"z\""),
    ("sequence s() { run s() }\nrun s()", "sequences run each other too deeply"),
  ])
  func `anything that a group cannot do is an error`(script: String, message: String) {
    let outcome = ScriptHarness().run(script)
    #expect(outcome.requests.isEmpty)
    #expect(outcome.text.hasPrefix("error: \(message)"))
  }

  @Test func `the branches of parallel are known by their labels`() {
    let outcome = ScriptHarness().run(
      """
      sequence s(n) { GET http://a.test/{$n}
        let m = $n * 2 }
      parallel {
        a: GET http://a.test/a
        b: run s(21)
        let c = 7
        for $i in [1] { d: GET http://a.test/d }
      }
      GET http://a.test/{$a.status}/{$b.m}/{$c}/{$d[0].status}
      """)
    #expect(outcome.text == "")
    #expect(urls(outcome) == ["/a", "/21", "/d", "/200/42/7/200"])
  }

  @Test func `finally runs whatever happened, and knows what did`() {
    var harness = ScriptHarness()
    harness.answer = { description, _ in .make(description.url.hasSuffix("/bad") ? 500 : 201) }
    let script = { (second: String) in
      """
      project: POST http://a.test/projects
      sheet: POST http://a.test/\(second)
      later: GET http://a.test/later
      let x = $later.status
      finally {
        DELETE http://a.test/sheets when $sheet.status ?? 0 == 201
        DELETE http://a.test/projects/{$later.status ?? "none"}/{$x ?? "no x"} when $project.status == 201
      }
      finally { DELETE http://a.test/second }
      """
    }
    let fine = harness.run(script("good"))
    #expect(urls(fine) == ["/projects", "/good", "/later", "/sheets", "/projects/201/201", "/second"])
    #expect(fine.text == "" && !fine.history.isFailed)
    let failed = harness.run(script("bad"))
    #expect(urls(failed) == ["/projects", "/bad", "/projects/none/no%20x", "/second"])
    #expect(failed.history.isFailed)
    let broken = harness.run(script("{$project.body.id}"))
    #expect(urls(broken) == ["/projects", "/projects/none/no%20x", "/second"])
    #expect(broken.text.hasPrefix("error: $project has no \"body\""))
  }

  @Test func `a failure in a sequence also ends the one that runs it, after the finally of each`() {
    var harness = ScriptHarness()
    harness.answer = { description, _ in .make(description.url.hasSuffix("/bad") ? 404 : 200) }
    let outcome = harness.run(
      """
      sequence inner() {
        GET http://a.test/bad
        GET http://a.test/never
        finally { GET http://a.test/inner }
      }
      sequence outer() {
        run inner()
        GET http://a.test/never
        finally { GET http://a.test/outer }
      }
      run outer()
      GET http://a.test/never
      """)
    #expect(urls(outcome) == ["/bad", "/inner", "/outer"])
    #expect(outcome.unmet.count == 1)
  }

  @Test func `after a failure no other item starts`() {
    var harness = ScriptHarness()
    harness.answer = { description, _ in .make(description.url.hasSuffix("/2") ? 404 : 200) }
    let outcome = harness.run("for $i in [1, 2, 3] { GET http://a.test/{$i} }\nGET http://a.test/never")
    #expect(urls(outcome) == ["/1", "/2"])
  }

  @Test func `rounds know their number`() {
    var harness = ScriptHarness()
    harness.answer = { _, number in .make(200, json: "{\"n\": \(number)}") }
    let outcome = harness.run(
      "GET http://a.test/x\npoll: GET http://a.test/p repeat until body.n == 3\nGET http://a.test/y")
    #expect(outcome.requests.map(\.head.round) == [nil, 1, 2, 3, nil])
    #expect(outcome.requests.map(\.head.number) == [1, 2, 2, 2, 3])
    #expect(
      outcome.history.records.map { if case .round = $0 { true } else { false } } == [false, true, true, false, false])
  }

  @Test func `a run is reconstructed from its history, at every step of it`() throws {
    let script = """
      let id = uuid()
      sequence s(n) {
        a: POST http://a.test/a/{$n} json { id: $id, u: uuid(), r: random(1, 1000000), t: now() | date }
        let u = uuid()
        GET http://a.test/b/{$u} when $n != 2
      }
      start: GET http://a.test/start/{$id}
      for $i in [1, 2, 3] parallel 2 { one: run s($i)
        p: GET http://a.test/p/{$one.u} repeat until status == 200 }
      parallel { GET http://a.test/x/{uuid()}
        bad: GET http://a.test/bad }
      finally { DELETE http://a.test/{$id}/{random(1, 1000000)} }
      """
    var program = Program()
    #expect(program.add(Parser.parse(SourceText(name: "test.wb", text: script))).isEmpty)
    func start() throws -> SequenceRun<ProgramRequestSequence> {
      SequenceRun(try ProgramRequestSequence(program, environment: .make(), at: .fixed))
    }
    var run = try start()
    var clock = 1_767_322_800
    var seen: [(position: StepPosition, url: String, body: String?, history: RunHistory)] = []
    while let step = try run.next(at: { _ in
      clock += 1
      return StepSeed(time: .seconds(clock))
    }) {
      switch step {
      case .request(let description):
        seen.append((run.position, description.url, description.bodyText, run.history))
        let exchange = Exchange.make(description, .make(description.url.hasSuffix("/bad") ? 500 : 200), number: 0)
        let sequence = run.innermostSequence
        run.record(
          sequence.unmetExpectations(of: exchange).isEmpty
            ? sequence.isRepeated(after: exchange) ? .round(exchange) : .exchange(exchange)
            : .failed(label: nil, exchange))
      case .skipped(let label, let reason): run.record(.skipped(label: label, reason: reason))
      case .group: Issue.record("groups are entered")
      }
    }
    #expect(seen.count == 12)
    for moment in seen {
      var again = SequenceRun(try start().sequence, replaying: moment.history)
      #expect(again.history == moment.history)
      let next = try again.next(at: { _ in StepSeed(time: .zero, seed: 0) })
      guard case .request(let description)? = next else {
        Issue.record("\(moment.position): \(String(describing: next))")
        continue
      }
      #expect(again.position == moment.position)
      #expect(description.url == moment.url && description.bodyText == moment.body)
      // Cut there, the end of the run is at the same place: whatever is asked again is asked from the start.
      let back = SequenceRun(try start().sequence, replaying: run.history.before(moment.position))
      var stepped = back
      _ = try stepped.next(at: { _ in StepSeed(time: .zero, seed: 0) })
      #expect(stepped.position == moment.position)
    }
    #expect(SequenceRun(try start().sequence, replaying: run.history).history == run.history)
  }
}
