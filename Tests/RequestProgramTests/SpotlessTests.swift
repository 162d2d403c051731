import Diagnostics
import RequestProgram
import RequestSyntax
import Requests
import Testing

/// What is told of a large text without keeping it, beside what the check of the whole says.
struct SpotlessTests {
  /// So many lines of comment that the request after them is in another stretch.
  private static let far = "\n" + String(repeating: "# a comment, so that there is something to read\n", count: 3_000)
  private static let profile = "profile api { base http://a.test auth bearer $env.TOKEN }\n"

  private func check(_ parts: [String]) -> (isSpotless: Bool, found: [String]) {
    let source = SourceText(name: "test.wb", text: parts.joined(separator: Self.far))
    let program = Program { path throws(FileError) in
      guard path == "shared.wb" else { throw .notAFile(path: path) }
      return Array(Self.profile.utf8)
    }
    var whole = program
    return (
      program.isSpotless(source, directory: "", mayRunCommands: false) { _ in true },
      whole.add(Parser.parse(source)).map(\.message)
    )
  }

  @Test(arguments: [
    [profile, "a: GET api:/x\n", "b: GET api:/{$a.body.id}\n", "GET /{$b.body.id}?n={$2.status}"],
    ["use \"shared.wb\"\n", "a: GET api:/x\n", "GET api:/y"],
    [profile + "sequence s(x) { GET api:/{$x} }\n", "run s(x: 1)\n", "a: run s(x: 2)\n", "GET api:/{$a.status}"],
    ["a: GET http://a.test/\n", "GET http://a.test/\nlet b = $a.body\n", "GET http://a.test/{$b}"],
    [
      "GET http://a.test/\n", "parallel {\n  a: GET http://a.test/\n}\n",
      "for $x in $a.body { GET http://a.test/{$x} }",
    ],
    ["GET http://a.test/\n", "POST http://a.test/\n  text \"\"\"\n", "GET http://b.test/\n\"\"\"\n", "GET http://a/"],
  ])
  func `a text without a fault is spotless`(parts: [String]) {
    let (isSpotless, found) = check(parts)
    #expect(found.isEmpty)
    #expect(isSpotless)
  }

  @Test(arguments: [
    ["a: GET http://a.test/\n", "GET http://a.test/{$b}\n", "b: GET http://a.test/\n"],
    ["a: GET http://a.test/\n", "GET http://a.test/\n", "a: GET http://a.test/\n"],
    [profile, "GET /x\n", "GET /x\n" + "profile other { base http://b.test }\n"],
    ["GET http://a.test/x\n", "GET http://a.test/\n" + profile + profile.replacing("profile api", with: "profile b")],
    ["GET api:/x\n", "GET http://a.test/\nprofile api { base http://a.test auth bearer $t }\n"]
      + ["GET http://a.test/\nsecret t = $1.body for api\n"],
    ["s: GET http://a.test/\n" + profile, "GET http://b.test/{$s.body.token}\n"]
      + ["GET http://a.test/\nsecret t = $s.body.token for api\n"],
    [profile + "s: GET http://a.test/\nsecret t = $v for api\n", "GET http://b.test/{$s.body.token}\n"]
      + ["GET http://a.test/\nlet v = $s.body.token\n"],
    ["s: GET http://a.test/\n", "GET http://b.test/{$s.body.token}\n"]
      + ["GET http://c.test/\n  auth bearer $s.body.token\n"],
    ["GET http://a.test/\n", "GET http://a.test/\ntags late\n"],
    ["GET http://a.test/\n", "GET http://a.test/\nuse \"missing.wb\"\n"],
    ["use \"missing.wb\"\nGET http://a.test/\n", "GET http://a.test/\n"],
    ["GET http://a.test/\n", "GET http://a.test/ timeout 5\n"],
    ["GET http://a.test/\n", "GET http://a.test/ timout 5s\n"],
    ["GET http://a.test/ timeout 5\n", "GET http://a.test/\n", "GET http://a.test/\n"],
    [profile, "POST api:/x form { file: \"shared.wb\" } timeout 5\n", "GET api:/x"],
  ])
  func `a fault is not missed`(parts: [String]) {
    let (isSpotless, found) = check(parts)
    #expect(!found.isEmpty)
    #expect(!isSpotless)
  }

  @Test(arguments: [
    [
      "sequence s(x) { GET http://a.test/{$y}/{$x} }\nGET http://a.test/\n",
      "GET http://a.test/\nlet y = 1\nrun s(x: 1)",
    ],
    ["GET http://a.test/\n", "GET http://a.test/\n" + profile],
    ["GET http://a.test/\n", "GET http://a.test/\n  auth bearer $env.TOKEN\n"],
  ])
  func `what is declared late may matter before, and only the whole tells`(parts: [String]) {
    let (isSpotless, found) = check(parts)
    #expect(found.isEmpty)
    #expect(!isSpotless)
  }
}
