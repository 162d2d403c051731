import Requests
import Testing

/// What of a stream is kept for the condition that is to end it.
@Suite struct StreamConditionTests {
  @Test(arguments: [
    ("status == 500", StreamReading.head), ("headers.x-a == \"b\"", .head),
    ("body[-1].data.done", .items(1)), ("body[-2].id == \"7\"", .items(2)),
    ("body[-1].n > 3 and status == 200 or body[-3].n == 1", .items(3)), ("not (body[-1].n < 3)", .items(1)),
    ("(body[-1].n ?? 0) > 3", .items(1)), ("(body | last).n == 3", .items(1)), ("body[*].n | last == 3", .everything),
    ("body[-1].data is { done: true, ... }", .items(1)),
    ("some $e in body satisfies $e.event == \"done\"", .items(1)),
    ("status == 200 and (body[*].event contains \"done\")", .items(1)), ("\"done\" in body[*].event", .items(1)),
    ("body[?@.n > 3] contains { n: 4 }", .items(1)),
    ("text contains \"BUILD\"", .bytes(20)), ("text ends-with \"> \"", .bytes(8)),
    ("body | count == 3", .everything), ("size > 9", .everything), ("text matches 'a'", .everything),
    ("every $e in body satisfies $e.n > 1", .everything), ("not (body[*].n contains 1)", .everything),
    ("some $e in body satisfies $e.n == (body | count)", .everything), ("body[0].n == 1", .everything),
    ("body[*].n contains 1 and body[*].n contains 2", .everything),
    ("body[?@.n == $[0].n] contains 1", .everything), ("body[-1].jobs[?@.n == $[0].n] contains 1", .everything),
    ("text contains \"{$env.X}\"", .everything), ("text contains \"a\" or body[-1].n == 1", .everything),
  ])
  func `no more than it reads`(condition: String, reading: StreamReading) {
    let outcome = ScriptHarness(variables: ["X": "a"]).run("s: GET http://a.test/events stream until \(condition)")
    #expect(outcome.requests.first?.head.stream?.condition == reading)
  }
}
