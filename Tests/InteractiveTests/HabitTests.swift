import Presentation
import Testing

@testable import Interactive

@Suite struct HabitTests {
  @Test(arguments: [
    ("get /items", "GET /items"), ("https://a.example/x?y=1", "GET https://a.example/x?y=1"), ("/items", "GET /items"),
    ("post https://a.example name=x", "POST https://a.example name=x"),
    ("http a.example/x", "GET http://a.example/x"),
    ("https POST a.example/x name=ann age:=3 q==1 X-A:b", "POST https://a.example/x name=ann age:=3 q==1 X-A:b"),
    ("http a.example name='ann lee'", "POST http://a.example name=\"ann lee\""),
    ("http :5000/x", "GET http://localhost:5000/x"), ("http :/x", "GET http://localhost/x"),
    ("http -f put a.example a=1 f@x.png", "PUT http://a.example form a=1 f@x.png"),
    ("http -v -a ann:pw --timeout 3 a.example", "GET http://a.example\n  auth basic \"ann\", \"pw\"\n  timeout 3s"),
    ("$ curl https://a.example", "curl https://a.example"),
  ]) func whatIsMeantIsDone(input: String, statement: String) {
    #expect(Habit(input) == .statement(statement))
  }

  @Test(arguments: [
    ("quit", ":quit"), ("exit", ":quit"), ("help", ":help"), ("?", ":help"), ("help save", ":help save"),
    ("$1.body.id", ":print $1.body.id"),
  ]) func wordsOfOtherPromptsAreCommands(input: String, command: String) {
    #expect(Habit(input) == .command(command))
  }

  @Test(arguments: [
    ("{\"a\": 1}", "a body needs a request before it"), ("example.com/x", "a URL has its scheme here"),
    ("localhost:8080", "a URL has its scheme here"), ("cd https://a.example", "where /paths go is a profile's base"),
    ("ls", "Tab behind a method"), ("set a=1", "a name is given with :set or let"),
    ("http --offline a.example", "--offline is not understood here"), ("http -v", "this line has no URL"),
  ]) func otherwiseThereIsAWayOn(input: String, message: String) {
    guard case .hint(let report)? = Habit(input) else {
      Issue.record("no hint for \(input)")
      return
    }
    #expect(report.message.hasPrefix(message))
  }

  @Test(arguments: [
    "GET /x", "let a = 1", "login: POST /x", "profile a { base https://a.example }", "run up(1)", "exit now",
  ])
  func statementsAreLeftAlone(input: String) {
    #expect(Habit(input) == nil)
  }
}
