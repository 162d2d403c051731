import Canaries
import HTTPTypes
import RequestSyntax
import Requests
import Subcommands
import Testing
import UploaderCore

@testable import Formats

/// A curl line that is pasted at the prompt, and one that it shows.
@Suite struct CurlTests {
  @Test func `a pasted line runs and its token is not shown`() async {
    let token = Canary.onScreen("pasted-curl")
    let session = PromptSession(answers: [.json("1")])
    let outcome = await session.type(
      "curl https://a.example/x \\\n  -H 'Authorization: Bearer \(token)' -d '{\"a\":1}' -H 'Content-Type: application/json'\n:show request\n"
    )
    #expect(outcome.requests.first?.headers[.authorization] == "Bearer \(token)")
    #expect(outcome.requests.first?.body == [.bytes(Array("{\"a\":1}".utf8))])
    #expect(outcome.requests.first?.headers[.contentType] == "application/json")
    #expect(outcome.screen.ranges(of: token).count == 1, "only the typing shows it: \(outcome.screen)")
  }

  @Test func `a pasted token is a variable in the exported line`() async {
    let secret = Canary.onScreen("curl-variable")
    let session = PromptSession(answers: [.json("1")])
    let outcome = await session.pipe(["curl https://a.example -H 'Authorization: Bearer \(secret)'", ":show curl"])
    #expect(outcome.screen.hasSuffix("curl https://a.example \\\n  -H \"Authorization: Bearer ${TOKEN}\"\n"))
  }

  @Test(arguments: [
    "curl -X DELETE https://a.example/x", "curl -g 'https://a.example/x?f[0]=1'", "curl -I https://a.example",
    "curl https://a.example \\\n  -H 'Content-Type: text/x' \\\n  -H 'X-A: it'\\''s $5' \\\n  --data-raw 'a\nb {$c}'",
  ]) func `show curl returns the same line`(line: String) async {
    let session = PromptSession(answers: [.json("")])
    let outcome = await session.type("\(line)\n:show curl\n")
    #expect(outcome.screen.contains("\n\(line)\n(none) $2"), "\(outcome.screen)")
  }

  @Test func `a zero byte in a part's name, file name or type is reported, since no argument can hold one`() async {
    let session = PromptSession(answers: [.json("1")])
    let outcome = await session.pipe([
      #"POST https://a.example/ multipart { "a\u0000b": "x", c: "y" named "d\u0000", e: "z" }"#, ":show curl",
    ])
    for number in 1...2 {
      #expect(
        outcome.screen.contains("part \(number) has a zero byte in its name, file name or type"), "\(outcome.screen)")
    }
    #expect(!outcome.screen.contains("part 3 has"))
  }
}
