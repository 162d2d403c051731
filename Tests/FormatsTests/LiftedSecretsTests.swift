import Diagnostics
import Imports
import RequestProgram
import RequestSyntax
import Testing

@testable import Formats

/// Passwords and tokens of other tools' files are in no script, however short they are.
@Suite struct LiftedSecretsTests {
  private static func lifted(_ imported: ImportedScript) -> (text: String, variables: [String: String]) {
    let lifted = LiftedSecrets(imported, environment: [:])
    return (SyntaxPrinter.format(lifted.script), lifted.variables)
  }

  private static let token = "ghp_" + String(repeating: "a1B2", count: 9)

  @Test(arguments: ["bc", "p", "pw1", "a longer one"])
  func `a password is the environment's`(password: String) {
    let hurl = ForeignScript.hurl.read(
      SourceText(name: "x.hurl", text: "GET http://a.test/\n[BasicAuth]\nann: \(password)\n"))
    let http = ForeignScript.http.read(
      SourceText(name: "x.http", text: "GET http://a.test/\nAuthorization: Basic ann \(password)\n"))
    let curl = CurlFile.read(SourceText(name: "x.sh", text: "curl -u 'ann:\(password)' http://a.test/\n"))
    for (imported, variable) in [(hurl, "HURL_PASSWORD"), (http, "HTTP_PASSWORD"), (curl, "CURL_PASSWORD")] {
      let (text, variables) = Self.lifted(imported)
      #expect(variables[variable] == password, "\(variables)")
      #expect(text.contains("$password\n") && !text.contains("\"\(password)\""), "\(text)")
      // So short, it would be found in everything.
      #expect(text.contains(password.utf8.count < 4 ? "let password = $env" : "secret password = $env"), "\(text)")
    }
  }

  @Test(arguments: [
    ("password", #"{"password": "{{password}}"}"#), ("token", "{{token}}"), ("apiKey", "{{apiKey}}"),
    ("client_secret", "{{client_secret}}"),
  ])
  func `a variable that is called like a secret is the environment's`(name: String, body: String) {
    let source = "@host = http://a.test\n@\(name) = Abc-9-xyz-Q\n@made = x{{\(name)}}\n\n"
    let (text, variables) = Self.lifted(
      ForeignScript.http.read(
        SourceText(name: "x.http", text: source + "POST {{host}}/login\nX-Made: {{made}}\n\n\(body)\n")))
    #expect(variables == ["HTTP_\(name.uppercased())": "Abc-9-xyz-Q"], "\(text)")
    #expect(!text.contains("Abc-9"), "\(text)")
    #expect(text.contains("secret \(name) = $env.HTTP_\(name.uppercased()) for http\n"), "\(text)")
    #expect(text.contains("let host = \"http://a.test\""), "\(text)")
    // What is made of it comes after it.
    let place = text.firstRange(of: "secret \(name)")?.lowerBound
    #expect(place.map { text[$0...].contains("let made = ") } ?? false, "\(text)")
    var program = Program()
    let errors = program.add(Parser.parse(SourceText(name: "x.wb", text: text)))
    #expect(!errors.contains { $0.severity == .error }, "\(text) \(errors)")
  }

  @Test func `a variable that is sent as a credential is the environment's, whatever it is called`() {
    let (text, variables) = Self.lifted(
      ForeignScript.http.read(
        SourceText(
          name: "x.http", text: "@mine = tok_live_99\n\nGET http://a.test/\nAuthorization: Bearer {{mine}}\n")))
    #expect(variables == ["HTTP_MINE": "tok_live_99"] && !text.contains("tok_live"), "\(text)")
  }

  @Test func `a variable that a profile is made of stays before it, without its text`() {
    let (text, variables) = Self.lifted(
      ForeignScript.http.read(SourceText(name: "x.http", text: "@token = abc-host\n\nGET http://{{token}}.test/\n")))
    #expect(Array(variables.values) == ["abc-host"] && !text.contains("abc-host"), "\(text)")
    #expect(text.contains("let token = $env."), "\(text)")
  }

  @Test func `a token that says what it is becomes the environment's, whatever the header is called`() {
    let hurl = ForeignScript.hurl.read(
      SourceText(name: "x.hurl", text: "GET http://a.test/\nX-Foo: \(Self.token)\n"))
    let curl = CurlFile.read(
      SourceText(name: "x.sh", text: "curl -H 'X-Foo: \(Self.token)' http://a.test/?q=\(Self.token)\n"))
    for imported in [hurl, curl] {
      let (text, variables) = Self.lifted(imported)
      #expect(Array(variables.values) == [Self.token] && !text.contains("ghp_"), "\(text)")
    }
    #expect(TypedSecrets.masked("GET http://a.test/ X-Foo:\(Self.token)").contains(TypedSecrets.mask))
    #expect(
      !TypedSecrets.masked("GET http://a.test/risk-free-and-other-long-words-of-a-path").contains(TypedSecrets.mask))
  }

  /// Each letter was looked at as the beginning of a name once.
  @Test(.timeLimit(.minutes(1))) func `a long word takes no time`() {
    #expect(TypedText.places(in: String(repeating: "a", count: 200_000)).isEmpty)
  }
}
