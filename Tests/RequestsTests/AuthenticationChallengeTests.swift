import HTTPTypes
import Requests
import Testing

@Suite struct AuthenticationChallengeTests {
  private typealias Challenge = AuthenticationChallenge

  struct Case: Sendable, CustomTestStringConvertible {
    let values: [String]
    let challenges: [AuthenticationChallenge]

    init(_ values: String..., means challenges: AuthenticationChallenge...) {
      self.values = values
      self.challenges = challenges
    }

    var testDescription: String { values.joined(separator: " | ") }
  }

  static let cases: [Case] = [
    Case("Basic", means: Challenge("Basic")),
    Case(#"Basic realm="a""#, means: Challenge("Basic", parameters: ["realm": "a"])),
    Case(#"basic Realm=a"#, means: Challenge("basic", parameters: ["realm": "a"])),
    // The example of RFC 9110 §11.6.1.
    Case(
      #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
      means: Challenge("Basic", parameters: ["realm": "simple"]),
      Challenge("Newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#])),
    Case(
      #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
      means: Challenge("Newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
      Challenge("Basic", parameters: ["realm": "simple"])),
    Case("Negotiate, Basic realm=a", means: Challenge("Negotiate"), Challenge("Basic", parameters: ["realm": "a"])),
    Case(
      #"Negotiate YIIabc/+==, NTLM"#, means: Challenge("Negotiate", token: "YIIabc/+=="), Challenge("NTLM")),
    Case(
      "Basic realm=a", #"Bearer error="invalid_token", error_description="expired, ask again""#,
      means: Challenge("Basic", parameters: ["realm": "a"]),
      Challenge("Bearer", parameters: ["error": "invalid_token", "error_description": "expired, ask again"])),
    Case(
      #"Digest realm="a, b", qop="auth,auth-int", nonce="x=y", algorithm=SHA-256, Basic realm="=,""#,
      means: Challenge(
        "Digest", parameters: ["realm": "a, b", "qop": "auth,auth-int", "nonce": "x=y", "algorithm": "SHA-256"]),
      Challenge("Basic", parameters: ["realm": "=,"])),
    Case(
      #" ,, Bearer , ,Basic  realm = "a" ,"#,
      means: Challenge("Bearer"), Challenge("Basic", parameters: ["realm": "a"])),
    Case(
      #"Basic realm="a", realm="b", charset="UTF-8""#,
      means: Challenge("Basic", parameters: ["realm": "a", "charset": "UTF-8"])),
    Case(#"Basic realm="not closed, Bearer"#, means: Challenge("Basic", parameters: ["realm": "not closed, Bearer"])),
    Case(#"Basic realm="ends with \"#, means: Challenge("Basic", parameters: ["realm": #"ends with \"#])),
    // Not challenges, up to the next comma.
    Case(#"realm="x", Basic"#, means: Challenge("Basic")),
    Case(#""quoted, Bearer", Basic"#, means: Challenge("Basic")),
    Case("Basic what else=1, Bearer", means: Challenge("Basic"), Challenge("Bearer")),
    Case("Basic ?, Bearer", means: Challenge("Basic"), Challenge("Bearer")),
    Case(""),
    Case(",,,"),
  ]

  @Test(arguments: cases) func `challenges are read as they are written`(_ example: Case) {
    var headers: HTTPFields = [:]
    for value in example.values { headers.append(HTTPField(name: .wwwAuthenticate, value: value)) }
    #expect(AuthenticationChallenge.all(.wwwAuthenticate, of: headers) == example.challenges)
  }

  @Test func `any bytes end in some list`() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array(#"Ba= ",\;/é"#)
    for _ in 0..<2_000 {
      let text = String((0..<Int.random(in: 0..<24, using: &random)).map { _ in alphabet.randomElement() ?? "," })
      var headers: HTTPFields = [:]
      headers.append(HTTPField(name: .wwwAuthenticate, value: text))
      let found = AuthenticationChallenge.all(.wwwAuthenticate, of: headers)
      #expect(found.allSatisfy { !$0.scheme.isEmpty && !$0.scheme.contains(",") }, "\(text)")
    }
  }
}
