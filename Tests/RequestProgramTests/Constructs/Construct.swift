import Canaries
import Testing

/// One construct of the language, with a script that sends it and one that gets it wrong.
///
/// `{url}` is the server, `{port}` its port. A name starts with the construct's kind, so that anything that the code
/// knows and no script here sends is found.
struct Construct: Sendable, CustomTestStringConvertible {
  /// `clause json`
  var name: String
  var script: String
  /// Each of them appears in what the server received, all requests joined.
  var sent: [String]
  /// Texts that did not reach the server.
  var unsent: String?
  /// A script in which it is wrong; nil: it cannot be.
  var mistake: String?
  /// The message about it.
  var problem: String

  var testDescription: String { name }

  init(
    _ name: String, _ script: String, sends sent: String..., never unsent: String? = nil, wrong mistake: String?,
    says problem: String = ""
  ) {
    self.name = name
    self.script = script
    self.sent = sent
    self.unsent = unsent
    self.mistake = mistake
    self.problem = problem
  }

  /// An expression that is sent as JSON, after the step `$one`.
  static func value(
    _ name: String, _ expression: String, _ json: String, wrong mistake: String?, says problem: String = ""
  ) -> Construct {
    var construct = Construct(
      name, "one: GET {url}/\nPOST {url}/sent json [\(expression)]", sends: "", wrong: nil, says: problem)
    construct.sent = ["\r\n\r\n[\(json)]"]
    construct.mistake = mistake.map { "one: GET {url}/\nPOST {url}/sent json [\($0)]" }
    return construct
  }

  /// A condition that the server's usual response meets.
  static func expectation(
    _ name: String, _ condition: String, wrong mistake: String?, says problem: String = ""
  ) -> Construct {
    Construct(
      name, "GET {url}/\n  expect \(condition)\nGET {url}/after", sends: "GET /after",
      wrong: mistake.map { "GET {url}/\n  expect \($0)" }, says: problem)
  }

  static let all =
    statements + types + targets + items + bodies + clauses + settings + secrets + paths + expressions
    + functions + shapes
}

/// The secrets of the constructs.
enum ConstructSecret {
  static let environment = Canary.secret("construct-environment")
  static let file = Canary.secret("construct-file")
  static let asked = Canary.secret("construct-asked")
  static let command = Canary.secret("construct-command")
  static let answer = Canary.secret("construct-answer")
  static let literal = Canary.secret("construct-literal")
}
