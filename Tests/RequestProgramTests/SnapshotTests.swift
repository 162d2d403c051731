import Canaries
import Diagnostics
import JSONValue
import RequestProgram
import RequestSyntax
import Requests
import Synchronization
import Testing

/// `is snapshot`: what its file says, and what is written into it.
@Suite struct SnapshotTests {
  /// Runs scripts over the same files.
  private final class Place: Sendable {
    let files: Mutex<[String: String]>
    let secrets: [String]

    init(_ files: [String: String] = [:], hiding secrets: [String] = []) {
      self.files = Mutex(files)
      self.secrets = secrets
    }

    subscript(path: String) -> String? { files.withLock { $0["t/a.wb.snapshots/\(path)"] } }

    func run(
      _ script: String, updates: Bool = false, variables: [String: String] = [:], answers: [String]
    ) -> ScriptHarness.Outcome {
      var harness = ScriptHarness(variables: variables)
      harness.fileName = "t/a.wb"
      harness.readFile = { [self] path throws(FileError) in
        guard let text = files.withLock({ $0[path] }) else {
          throw .unreadable(path: path, reason: SystemError(number: 2))
        }
        return Array(text.utf8)
      }
      if updates {
        harness.environment.snapshots = SnapshotUpdates(.init()) { [secrets] text in
          secrets.contains { text.contains($0) }
        } write: { [self] path, _, text in
          files.withLock { $0[path] = text }
        }
      }
      harness.answer = { _, index in .make(200, json: answers[index % answers.count]) }
      return harness.run(script, directory: "t")
    }
  }

  private static let script = "one: GET https://a.test/x\n  expect body is snapshot\n"

  @Test func `what is missing fails, is written when asked for, and fits then`() throws {
    let place = Place()
    let answer =
      #"{"id": 7, "name": "a\"b{$x}", "ok": true, "none": null, "price": -1.50, "tags": ["a", "b"], "no": [], "odd key": 1e3}"#
    let missing = place.run(Self.script, answers: [answer])
    #expect(missing.unmet.count == 1 && missing.unmet[0].actual.contains("--update-snapshots"), "\(missing.unmet)")
    #expect(missing.unmet.first?.actual.contains("t/a.wb.snapshots/one.shape") == true)
    #expect(place.run(Self.script, updates: true, answers: [answer]).unmet == [])
    let text = try #require(place["one.shape"])
    #expect(
      text == """
        {
          id: 7,
          name: "a\\"b\\{$x}",
          ok: true,
          none: null,
          price: -1.50,
          tags: ["a" | "b"],
          no: [],
          "odd key": 1e3
        }

        """, "\(text)")
    #expect(place.run(Self.script, answers: [answer]).unmet == [])
    let other = place.run(Self.script, answers: [answer.replacing("7", with: "8").replacing("[]", with: "[1]")])
    #expect(other.unmet.map(\.subject) == ["body.id", "body.no"], "\(other.unmet)")
    #expect(other.unmet.first?.expected == "7" && other.unmet.first?.actual == "8")
  }

  @Test func `only what does not fit is written again, and comments stay`() throws {
    let kept = """
      # What a job is.
      {
        id: int,  # volatile
        at: datetime,
        state: "open",
        owner: { name: "Ann", age: 5 }
      }

      """
    let place = Place(["t/a.wb.snapshots/one.shape": kept])
    let answer = #"{"id": 9, "at": "2026-01-02T03:04:05Z", "state": "closed", "owner": {"name": "Ann", "mail": "x"}}"#
    #expect(place.run(Self.script, updates: true, answers: [answer]).unmet == [])
    #expect(
      place["one.shape"]
        == kept.replacing("\"open\"", with: "\"closed\"").replacing("age: 5", with: "mail: \"x\""),
      "\(place["one.shape"] ?? "")")
    let fitting = Place(["t/a.wb.snapshots/one.shape": kept])
    _ = fitting.run(
      Self.script, updates: true,
      answers: [#"{"id": 1, "at": "2026-01-02T03:04:05Z", "state": "open", "owner": {"name": "Ann", "age": 5}}"#])
    #expect(fitting["one.shape"] == kept)
  }

  @Test func `rounds and iterations share a file, which fits all of them`() throws {
    let place = Place()
    let script = "for $n in range-of { each: GET https://a.test/{$n}\n  expect body is snapshot }\n"
      .replacing("range-of", with: "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]")
    let answers = (1...10).map { "{\"id\": \($0), \"kind\": \"a\"\($0 > 5 ? ", \"more\": [\($0)]" : "")}" }
    #expect(place.run(script, updates: true, answers: answers).unmet == [])
    #expect(
      place["each.shape"] == "{ id: int, kind: \"a\", more?: [6 | 7 | 8 | 9 | 10] }\n", "\(place["each.shape"] ?? "")")
    #expect(place.run(script, answers: answers).unmet == [])
  }

  @Test func `a file is named after the sequence, the step and which of its snapshots it is`() throws {
    let place = Place()
    let script = """
      sequence s() {
        one: GET https://a.test/x
          expect body.a is snapshot and body.b is snapshot
      }
      run s()
      one: GET https://a.test/y
        expect body.a is snapshot
      """
    #expect(place.run(script, updates: true, answers: [#"{"a": 1, "b": "x"}"#]).unmet == [])
    let names = place.files.withLock { $0.keys.sorted() }
    #expect(names == ["one", "s.one-2", "s.one"].map { "t/a.wb.snapshots/\($0).shape" }, "\(names)")
    #expect(place["s.one-2.shape"] == "\"x\"\n")
  }

  @Test func `what fails otherwise is no example`() {
    let place = Place()
    let outcome = place.run(Self.script + "  expect body.id == 1\n", updates: true, answers: [#"{"id": 2}"#])
    #expect(outcome.unmet.count == 1 && place.files.withLock(\.isEmpty), "\(outcome.unmet)")
  }

  @Test func `a secret is written as its kind`() throws {
    let token = Canary.secret("snapshot-token")
    let late = Canary.secret("snapshot-late")
    let place = Place(hiding: [])
    let script = """
      secret given = $env.TOKEN for api
      profile api { base https://a.test }
      one: GET api:/x
        expect body is snapshot
      secret at = $one.body.late for api
      """
    let answer = """
      {"echo": "Bearer \(token)", "late": "\(late)", "again": {"x": ["\(late)"]}, "password": "p-a-s-s", "\(token)": 1,
       "access_token": 12345678, "n": 1}
      """
    let outcome = place.run(script, updates: true, variables: ["TOKEN": token], answers: [answer])
    #expect(outcome.unmet == [], "\(outcome.unmet) \(outcome.text)")
    let text = try #require(place["one.shape"])
    #expect(!text.contains(token) && !text.contains(late) && !text.contains("p-a-s-s") && !text.contains("12345678"))
    #expect(text.contains("late: string") && text.contains("x: [string]") && text.contains("..."), "\(text)")
    #expect(place.run(script, variables: ["TOKEN": token], answers: [answer]).unmet == [])
  }

  @Test func `what the outside takes for a secret is not written`() {
    let signed = Canary.secret("snapshot-outside")
    let place = Place(hiding: [signed])
    _ = place.run(Self.script, updates: true, answers: ["{\"url\": \"https://b.test/?sig=\(signed)\"}"])
    #expect(place["one.shape"] == "{ url: string }\n")
  }

  @Test(arguments: [
    ("GET https://a.test/x\n  expect body is snapshot\n", "named after its step"),
    ("one: GET https://a.test/x\n  expect not body is snapshot\n", "is snapshot is only for expect"),
    ("one: GET https://a.test/x\n  expect body is snapshot or status == 200\n", "is snapshot is only for expect"),
    ("one: GET https://a.test/x\nlet n = $one.body is snapshot\n", "is snapshot is only for expect"),
    ("one: GET https://a.test/x\n  repeat every 1s for 2s until body is snapshot\n", "only for expect"),
    ("one: GET https://a.test/x\n  expect body is { a: snapshot }\n", "a snapshot is a whole shape"),
    ("one: GET https://a.test/x\n  expect body is snapshot | null\n", "a snapshot is a whole shape"),
  ])
  func `where it cannot be, check says so`(script: String, message: String) {
    let outcome = Place().run(script, answers: ["{}"])
    #expect(outcome.text.contains(message) && outcome.requests.isEmpty, "\(outcome.text)")
  }

  @Test func `a file that is not a shape is an error before anything is sent`() {
    let place = Place(["t/a.wb.snapshots/one.shape": "{\n  id: inn\n}\n"])
    let outcome = place.run(Self.script, answers: ["{}"])
    #expect(outcome.text.contains("t/a.wb.snapshots/one.shape:2: ") && outcome.requests.isEmpty, "\(outcome.text)")
  }
}
