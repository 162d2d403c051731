import Foundation
import Imports
import Testing

/// What a file captures and sends as a credential becomes a secret of the places that it is sent to.
struct CapturedCredentialTests {
  private static let login =
    "POST https://a.test/login\nHTTP 200\n[Captures]\nx: jsonpath \"$.x\"\nid: jsonpath \"$.id\"\n\n"

  @Test(arguments: [
    "GET https://a.test/me/{{id}}\nAuthorization: Bearer {{x}}\nHTTP 200\n",
    "GET https://a.test/me/{{id}}\nX-Api-Key: {{x}}\nHTTP 200\n",
    "GET https://a.test/me/{{id}}\n[BasicAuth]\n{{id}}: {{x}}\nHTTP 200\n",
    "GET https://a.test/me/{{id}}?access_token={{x}}\n[Query]\nrefresh-token: {{x}}\nHTTP 200\n",
    "GET https://a.test/me/{{id}}\n[Cookies]\nsid: {{x}}\nHTTP 200\n",
    "GET https://a.test/me/{{id}}\nAuthorization: Bearer {{y}}\n[Options]\nvariable: y={{x}}\nHTTP 200\n",
    "PUT https://a.test/me/{{id}}\n[Form]\nsession_token: {{x}}\nHTTP 200\n",
  ])
  func `what is sent as a credential is one`(text: String) {
    let imported = Imported(Self.login + text)
    #expect(imported.text.contains("secret x = $post-login.body.x for hurl\n"), "\(imported.text)")
    #expect(imported.text.contains("let id = $post-login.body.id\n"), "\(imported.text)")
    #expect(imported.faults.isEmpty && imported.notes.isEmpty, "\(imported.text)\(imported.notes)")
  }

  @Test func `so is what is called like one, and what nobody sends stays as it is`() {
    let imported = Imported(
      "GET https://a.test/\nHTTP 200\n[Captures]\ncsrf_token: jsonpath \"$.a\"\nb: jsonpath \"$.b\"\n")
    #expect(imported.text.contains("secret csrf_token = $get.body.a for hurl\n"), "\(imported.text)")
    #expect(imported.text.contains("let b = $get.body.b\n"), "\(imported.text)")
    // Where requests go is nothing secret.
    let address = Imported(Self.login + "GET {{x}}/me\nX-Token: {{x}}\nHTTP 200\n")
    #expect(address.text.contains("let x = $post-login.body.x\n"), "\(address.text)")
  }

  @Test func `it goes to every place that the file sends to`() {
    let two = Imported(
      Self.login + "GET https://b.test/\nAuthorization: Bearer {{x}}\n[Options]\ninsecure: true\nHTTP 200\n")
    #expect(two.text.contains("secret x = $post-login.body.x for hurl, hurl-2\n"), "\(two.text)")
    let redacted = Imported(
      "POST https://a.test/\nHTTP 200\n[Captures]\nz: jsonpath \"$.x\" redact\n\n"
        + "GET https://b.test/{{z}}\n[Options]\ninsecure: true\nHTTP 200\n")
    #expect(redacted.text.contains("secret z = $post.body.x for hurl, hurl-2\n"), "\(redacted.text)")
  }

  @Test func `a variable of the environment that is sent as one is one`() {
    let imported = Imported("GET https://a.test/\nAuthorization: Bearer {{who}}\nHTTP 200\n")
    #expect(imported.text.contains("secret who = $env.HURL_VARIABLE_who for hurl\n"), "\(imported.text)")
  }

  @Test func `a response that a header refers to gets a name for its part`() {
    let text = """
      # @name login
      POST https://a.test/login

      ###
      GET https://a.test/me
      Authorization: Bearer {{login.response.body.access.token}}

      ###
      GET https://a.test/you?x={{login.response.body.id}}
      Authorization: Bearer {{login.response.body.access.token}}
      """
    let imported = Imported(text, as: .http)
    let parts = imported.text.components(separatedBy: "secret token = $login.body.access.token for http\n")
    #expect(parts.count == 2 && parts[0].contains("login: POST") && !parts[0].contains("GET"), "\(imported.text)")
    #expect(imported.text.components(separatedBy: "auth bearer $token\n").count == 3, "\(imported.text)")
    #expect(imported.text.contains("{$login.body.id}"), "\(imported.text)")
    #expect(imported.faults.isEmpty, "\(imported.faults)")
  }
}

/// Variables of a `.http` file that are made of something computed.
struct ComputedVariableTests {
  @Test(arguments: ["@id = {{$guid}}", "@id = a-{{$randomInt 1 9}}-{{$guid}}", "@x = {{$guid}}\n@id = b-{{x}}"])
  func `what a variable is made of is there before it`(variables: String) {
    let imported = Imported("\(variables)\n\nPOST https://a.test/{{id}}?again={{id}}\n", as: .http)
    #expect(imported.faults.isEmpty && imported.notes.isEmpty, "\(imported.text)\(imported.faults)")
    // One value, wherever it is used.
    #expect(imported.text.ranges(of: "uuid()").count == 1, "\(imported.text)")
  }
}
