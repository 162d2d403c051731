import Canaries
import HTTPTypes
import Requests
import Sessions
import Testing

/// What is said about a response of 401, by what was sent and what is asked for.
@Suite struct UnauthorizedTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let request: String
    var challenges: [String] = []
    var status = 401
    var body = "0"
    var type = "application/json"
    let notes: [String]

    var testDescription: String { "\(request) \(challenges.joined(separator: " | "))" }
  }

  static let profile = "profile api { base https://a.example auth bearer $env.TOKEN }"

  static let cases: [Case] = [
    Case(
      request: "GET https://a.example/ Authorization:'Bearer {$1.body.token}'",
      notes: [
        "the server did not accept the credential in the request itself",
        "a reference in it was sent as it is written: in single quotes it is a text",
      ]),
    Case(
      request: "GET https://a.example/",
      notes: [
        "no credential was sent",
        "it does not say which: auth bearer $env.TOKEN, auth basic …, or a login in a profile with cookies on",
      ]),
    Case(
      request: "GET https://a.example/", body: "<form>", type: "text/html; charset=utf-8",
      notes: [
        "no credential was sent",
        "the response is a page: it may want a login, which is a form sent in a profile with cookies on",
      ]),
    Case(
      request: "GET https://a.example/", challenges: [#"Basic realm="the, back office", charset="UTF-8""#],
      notes: [
        "no credential was sent",
        #"it asks for Basic (realm "the, back office"): auth basic "user", $env.PASSWORD, in the request or in a profile"#,
      ]),
    Case(
      request: "GET https://a.example/",
      challenges: [#"Digest realm="x", nonce="y", qop="auth,auth-int""#, "Negotiate"],
      notes: [
        "no credential was sent",
        #"it asks for Digest (realm "x"): auth digest "user", $env.PASSWORD, in the request or in a profile"#,
      ]),
    Case(
      request: "GET https://a.example/", challenges: ["Hawk", "Negotiate"],
      notes: ["no credential was sent", "it asks for Hawk or Negotiate, which auth cannot do"]),
    Case(
      request: "GET https://a.example/", challenges: [#"Negotiate, Bearer scope="read write", Basic realm=a"#],
      notes: [
        "no credential was sent",
        #"it asks for Bearer (scope "read write"): auth bearer $env.TOKEN, in the request or in a profile"#,
        #"it asks for Basic (realm "a"): auth basic "user", $env.PASSWORD, in the request or in a profile"#,
      ]),
    // A wrong password in a form is not a missing credential.
    Case(
      request: "POST https://a.example/login form user=ann password=$env.TOKEN",
      notes: [#"the server did not accept "password" in the body"#]),
    Case(
      request: "POST https://a.example/login user=ann password=$env.TOKEN",
      notes: [#"the server did not accept "password" in the body"#]),
    Case(
      request: "POST https://a.example/login multipart { user: \"ann\", passwd: $env.TOKEN }",
      notes: [#"the server did not accept "passwd" in the body"#]),
    Case(
      request: "POST https://a.example/login form user=ann password=$env.TOKEN", challenges: ["Bearer"],
      notes: [#"the server did not accept "password" in the body"#]),
    Case(
      request: "POST https://a.example/users form user=ann password=$env.TOKEN", challenges: ["Bearer"],
      notes: [
        #"the server did not accept "password" in the body"#,
        "it asks for Bearer: auth bearer $env.TOKEN, in the request or in a profile",
      ]),
    Case(
      request: "GET https://a.example/?api_key={$env.TOKEN}",
      notes: [#"the server did not accept "api_key" in the query"#]),
    Case(
      request: "GET https://a.example/ X-Api-Key:$env.TOKEN", notes: ["the server did not accept the header X-Api-Key"]),
    Case(
      request: "GET https://a.example/ Cookie:a=b",
      notes: ["the server did not accept the cookies, and no other credential was sent"]),
    // A step's own credential is not the profile's.
    Case(
      request: "GET https://a.example/ auth bearer $env.TOKEN",
      challenges: [#"Bearer realm="x", error="invalid_token", error_description="it expired""#],
      notes: [
        "the server did not accept the credential in the request itself", #"it says "invalid_token", "it expired""#,
      ]),
    Case(
      request: "GET https://a.example/ auth bearer $env.TOKEN", challenges: ["Basic realm=x"],
      notes: [
        "the server did not accept the credential in the request itself", "Bearer was sent",
        #"it asks for Basic (realm "x"): auth basic "user", $env.PASSWORD, in the request or in a profile"#,
      ]),
    // A token without its scheme is not taken for one.
    Case(
      request: "GET https://a.example/ header Authorization: $env.TOKEN", challenges: ["Bearer realm=x"],
      notes: [
        "the server did not accept the credential in the request itself",
        "it was sent without a known scheme before it",
        #"it asks for Bearer (realm "x"): auth bearer $env.TOKEN, in the request or in a profile"#,
      ]),
    Case(
      request: "GET https://a.example/ header Authorization: \"{$env.TOKEN} x\"", challenges: ["Bearer realm=x"],
      notes: [
        "the server did not accept the credential in the request itself",
        "it was sent without a known scheme before it",
        #"it asks for Bearer (realm "x"): auth bearer $env.TOKEN, in the request or in a profile"#,
      ]),
    Case(
      request: "GET https://a.example/ auth basic \"ann\", $env.TOKEN", challenges: ["Basic realm=x"],
      notes: ["the server did not accept the credential in the request itself"]),
    Case(
      request: "GET https://a.example/ auth bearer $env.TOKEN",
      challenges: [#"Bearer error="insufficient_scope", scope="admin""#], status: 403,
      notes: [
        "the server did not accept the credential in the request itself",
        #"it says "insufficient_scope", scope "admin""#,
      ]),
    Case(
      request: "GET https://a.example/ auth bearer $env.TOKEN", challenges: [], status: 403, type: "text/html",
      notes: ["the credential in the request itself was sent: it may not be allowed to do this"]),
    // What the server says of it is there to be read.
    Case(
      request: "GET https://a.example/ auth bearer $env.TOKEN", challenges: [], status: 403,
      body: #"{"detail": "only admin"}"#, notes: []),
    Case(
      request: "GET https://a.example/ auth bearer $env.TOKEN", challenges: [], status: 403,
      body: #""CSRF token missing or incorrect""#,
      notes: [
        "the response speaks of CSRF: the request lacks the token of the page or of the cookie, or has an old one"
      ]),
    Case(
      request: "\(profile)\nGET api:/", challenges: ["Bearer"],
      notes: ["the server did not accept the credential of profile \"api\""]),
    Case(
      request: "\(profile)\nGET api:/ auth basic \"ann\", $env.TOKEN",
      notes: ["the server did not accept the credential in the request itself"]),
    Case(
      request: "\(profile)\nGET https://b.example/", challenges: ["Bearer"],
      notes: ["no credential was sent: it belongs to another origin"]),
    Case(
      request: "GET http://a.example/", status: 407,
      notes: ["the proxy asks for a credential: proxy http://user:password@proxy.example.com:3128, in the profile"]),
  ]

  @Test(arguments: cases) func `the notes say whose credential it was, and what is asked for`(_ example: Case) async {
    var response = Response.json(example.body, status: example.status)
    response.headers[.contentType] = example.type
    for value in example.challenges { response.headers.append(HTTPField(name: .wwwAuthenticate, value: value)) }
    var session = PromptSession(answers: [response])
    session.environment = ["TOKEN": Canary.secret("unauthorized")]
    let sent = await session.send(example.request)
    #expect(sent.code == .failed)
    #expect(Self.notes(sent.outcome.screen) == example.notes, "\(sent.outcome.screen)")
    let typed = await session.pipe(example.request.split(separator: "\n").map(String.init))
    #expect(Self.notes(typed.screen) == example.notes, "\(typed.screen)")
  }

  @Test func `what a server writes there is cut and shown as text`() async {
    var response = Response.json("0", status: 401)
    response.headers.append(
      HTTPField(name: .wwwAuthenticate, value: "Basic realm=\"\(String(repeating: "x", count: 300))\""))
    let sent = await PromptSession(answers: [response]).send("GET https://a.example/")
    #expect(sent.outcome.screen.contains("(realm \"\(String(repeating: "x", count: 80))…\")"), "\(sent.outcome.screen)")
  }

  private static func notes(_ screen: String) -> [String] {
    screen.split(separator: "\n").compactMap { line in
      let text = line.drop { $0 == " " }
      return text.hasPrefix("= ") ? String(text.dropFirst(2)) : nil
    }
  }
}
