import Canaries
import RequestSyntax
import Requests
import Testing

@testable import Formats

@Suite struct CurlCommandTests {
  /// `T` is a token, by its place or its name.
  @Test(arguments: [
    "-u ann:T https://a.example", "-H 'Authorization: Bearer T' https://a.example", "-b sid=T https://a.example",
    "'https://a.example/x?access_token=T'", "-G -d api_key=T https://a.example", "-d password=T https://a.example",
    "--data-urlencode client_secret=T https://a.example", "-H 'X-Api-Key: T' https://a.example",
    "--json '{\"password\":\"T\"}' https://a.example", "-F password=T https://a.example",
  ])
  func `tokens and passwords are known as such`(options: String) throws {
    let token = Canary.secret("curl-line")
    // As it is written in a URL or a form.
    let written = PercentEncoding.component.encode(Array(token.utf8))
    let isEncoded = options.contains("T'") && options.contains("?") || options.contains("-d ")
    let command = try CurlCommand("curl " + options.replacing("T", with: isEncoded ? written : token))
    #expect(command.secrets.contains { $0.withExposedText { [token, written, "sid=\(token)"].contains($0) } })
  }

  @Test(arguments: [
    ("curl https://a.example/x", "GET https://a.example/x"),
    ("curl -sSL 'https://a.example/x?a=1&b=2' -o out", "GET https://a.example/x?a=1&b=2\n  save body to \"out\""),
    ("curl -sO https://a.example/f.zip?v=1", "GET https://a.example/f.zip?v=1\n  save body to \"f.zip\""),
    ("curl https://a.example -o /dev/null", "GET https://a.example"),
    ("curl https://a.example | jq .id", "GET https://a.example  # without: | jq .id"),
    ("curl https://a.example 2>/dev/null > x.json", "GET https://a.example\n  save body to \"x.json\""),
    ("curl > x.json https://a.example -s", "GET https://a.example\n  save body to \"x.json\""),
    ("curl https://a.example 2>&1 >\"x y\" | jq", "GET https://a.example\n  save body to \"x y\"  # without: | jq"),
    ("curl https://a.example &>/dev/null", "GET https://a.example"),
    ("curl https://a.example > x.json", "GET https://a.example\n  save body to \"x.json\""),
    ("curl -T a.png https://a.example", "PUT https://a.example\n  body file(\"a.png\")\n  header Content-Type:"),
    ("curl -XPUT a.example", "PUT http://a.example"),
    (
      "curl a.example -H 'content-type: multipart/form-data' -F k=v", "POST http://a.example\n  multipart { k: \"v\" }"
    ),
    ("curl -i :8080/x", "GET http://localhost:8080/x"), ("curl -k a.example", "GET http://a.example"),
    (
      "curl https://a.example -H 'Content-Type: application/json' -d '{\"a\":1,\"a\":2}'",
      "POST https://a.example\n  body \"{\\\"a\\\":1,\\\"a\\\":2}\" as \"application/json\""
    ),
    ("curl -I https://a.example", "HEAD https://a.example"),
    ("curl -H 'X-A: it'\\''s' https://a.example", "GET https://a.example\n  header X-A: \"it's\""),
    (
      "curl https://a.example -d a=1 -d b=2",
      "POST https://a.example\n  body \"a=1&b=2\" as \"application/x-www-form-urlencoded\""
    ),
    (
      "curl https://a.example --json '{\"a\": \"{$x}\"}'",
      "POST https://a.example\n  body \"{\\\"a\\\": \\\"\\{$x}\\\"}\" as \"application/json\"\n  header Accept: application/json"
    ),
    ("curl -G https://a.example -d a=1 --data-urlencode 'b=x y'", "GET https://a.example?a=1&b=x+y"),
    (
      "curl https://a.example -F 'k=v' -F 'f=@a.png;type=image/png;filename=b.png'",
      "POST https://a.example\n  multipart { k: \"v\", f: file(\"a.png\") as \"image/png\" named \"b.png\" }"
    ),
    (
      "curl https://a.example \\\n  -A $'a\\u0021' -m 5",
      "GET https://a.example\n  header User-Agent: \"a!\"\n  timeout 5s"
    ),
    (
      "curl https://a.example -d $'\\x89PNG'",
      "POST https://a.example\n  body (\"iVBORw==\" | base64-decode) as \"application/x-www-form-urlencoded\""
    ),
    (
      "curl -u u:p https://a.example",
      "GET https://a.example\n  auth basic \"u\", \"p\""
    ),
  ]) func `a curl line is a request`(line: String, expected: String) throws {
    #expect(SyntaxPrinter.print(try CurlCommand(line).script) == expected + "\n")
  }

  @Test(arguments: [
    ("curl", CurlCommand.ParseError.missingURL), ("curl -H", .missingValue(option: "-H")),
    ("curl \"https://a.example/$ID\"", .words(.expansion("$ID"))),
    ("curl https://a.example?a=1&b=2", .words(.operatorFound("&"))), ("curl ^\"https://a.example^\"", .windows),
    ("curl https://a.example >> log", .words(.appended("log"))), ("curl https://a.example >", .words(.noFile(">"))),
    ("curl -m soon https://a.example", .malformedNumber(option: "--max-time", "soon")),
    ("curl -d a=1 -T a.png https://a.example", .twoBodies),
    ("curl 'https://a.example", .words(.open)),
    ("curl https://a.example -d @-", .standardInput), ("curl https://a.example -T -", .standardInput),
    ("curl https://a.example -F f=@-", .standardInput),
    ("curl https://a.example -H $'X-A: \\xe4'", .words(.bytes)), ("curl $'https://a.example/\\xe4'", .words(.bytes)),
    ("curl https://a.example -d $'a=\\xe4' -d @b.txt", .words(.bytes)),
    ("curl a.example b.example", .severalURLs(["a.example", "b.example"])),
  ]) func `what cannot be done is refused`(line: String, expected: CurlCommand.ParseError) {
    #expect(throws: expected) { try CurlCommand(line) }
  }
}
