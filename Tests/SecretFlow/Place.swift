/// Where a value is in a script.
package enum Place: String, CaseIterable, Sendable {
  case url, query, header, json, form, text, body, graphql, multipart, partName, fileName, bearer, basic
  case binding, parameter, loopVariable
  case errorLabel, expectation, missingMember, condition, path

  /// Whether it is sent to the target.
  package var isSent: Bool {
    switch self {
    case .url, .query, .header, .json, .form, .text, .body, .graphql, .multipart, .partName, .fileName, .bearer, .basic,
      .binding, .parameter, .loopVariable:
      true
    case .errorLabel, .expectation, .missingMember, .condition, .path: false
    }
  }

  /// Whether its run fails because of it.
  package var fails: Bool {
    switch self {
    case .errorLabel, .expectation, .missingMember, .path: true
    case .url, .query, .header, .json, .form, .text, .body, .graphql, .multipart, .partName, .fileName, .bearer, .basic,
      .binding, .parameter, .loopVariable, .condition:
      false
    }
  }

  /// The statement, with `{e}` for the value, which also has the name `$v`, and `{t}` for its destination.
  package var statement: String {
    switch self {
    case .url: "GET {t}/url/{$v}"
    case .query: "GET {t}/query query { q: {e} }"
    case .header: "GET {t}/header header X-Value: {e}"
    case .json: "POST {t}/json json { a: [{e}] }"
    case .form: "POST {t}/form form { a: {e} }"
    case .text: "POST {t}/text text {e}"
    case .body: "POST {t}/body body \"<{$v}>\" as \"text/plain\""
    case .graphql: "POST {t}/graphql graphql \"query\" variables { v: {e} }"
    case .multipart: "POST {t}/multipart multipart { a: {e} }"
    case .partName: "POST {t}/part multipart { \"{$v}\": \"x\" }"
    case .fileName: "POST {t}/file multipart { a: \"x\" named \"{$v}\" }"
    case .bearer: "GET {t}/bearer auth bearer {e}"
    case .basic: "GET {t}/basic auth basic \"u\", {e}"
    case .binding: "let w = {e}\nGET {t}/binding header X-Value: \"{$w}\""
    case .parameter: "run taking({e})"
    case .loopVariable: "for $i in [{e}] { GET {t}/loop header X-Value: $i }"
    case .errorLabel: "GET https://api.test/error/{$v | to-number}"
    case .expectation: "GET https://api.test/expect expect {e} == \"no\""
    case .missingMember: "GET https://api.test/missing/{$login.body[$v]}"
    case .condition: "GET https://api.test/when when {e} == \"no\""
    case .path: "GET https://api.test/path save body to \"{$v}.txt\""
    }
  }

  /// - Parameters:
  ///   - target: where it is sent.
  ///   - api: the origin of the step that fails, and sends nothing of the value.
  package func statement(_ expression: String, to target: String, api: String = "https://api.test") -> String {
    statement.replacing("{e}", with: expression).replacing("{t}", with: target)
      .replacing("https://api.test", with: api)
  }
}
