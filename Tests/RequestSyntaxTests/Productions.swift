@testable import RequestSyntax

/// The cases of all syntax enums that a statement is made of. The switches have no default, so that the compiler asks
/// for a new case here, and `all` then asks for it in what is generated.
struct Productions {
  private(set) var names: Set<String> = []

  init(_ statement: StatementSyntax) {
    visit(statement)
  }

  static let all: Set<String> = [
    "step", "run", "let", "secret", "sequence", "for", "parallel", "finally", "use", "tags", "profile",
    "target word", "target reference", "target expression", "target string", "items form", "items multipart", "item =",
    "item :=", "item ==", "item :", "item @",
    "json", "form", "multipart", "text", "body", "graphql", "header field", "header object",
    "header omitted", "auth none", "auth bearer",
    "auth basic", "auth sigv4", "auth digest", "expect status code", "expect status class", "expect", "when", "repeat",
    "stream",
    "retry none",
    "retry attempts", "timeout", "limit", "redirects", "redirects none", "save", "effect once", "effect idempotent",
    "with profile", "wait", "expect any status",
    "setting clause", "base", "origin", "proxy", "http", "unix-socket", "cookies", "tls", "resolve",
    "reference", "member", "call", "path", "parentheses", "number", "number with unit", "string", "string raw",
    "string quoted", "string block", "string expression", "word", "word expression", "object", "object field",
    "object spread", "key name", "key string", "array", "array value", "array spread", "literal", "negate", "not",
    "binary", "pipe", "fallback", "shape test", "conditional", "quantified",
    "segment name", "segment wildcard", "segment descendant name", "segment descendant wildcard", "segment bracket",
    "selector wildcard", "selector index", "selector slice", "selector name", "selector filter", "selector reference",
    "shape named", "shape boolean", "shape string", "shape number", "shape array", "shape empty array", "shape object",
    "shape either", "shape snapshot",
  ]

  private mutating func see(_ name: String) { names.insert(name) }

  private mutating func visit(_ statement: StatementSyntax) {
    var expressions: [ExpressionSyntax] = []
    switch statement {
    case .step(let step):
      see("step")
      visit(step)
    case .run(let run):
      see("run")
      for clause in run.clauses { visit(clause) }
    case .binding: see("let")
    case .secret: see("secret")
    case .sequence(let node):
      see("sequence")
      for inner in node.body.statements { visit(inner) }
    case .loop(let node):
      see("for")
      for inner in node.body.statements { visit(inner) }
    case .parallel(let block):
      see("parallel")
      for inner in block.statements { visit(inner) }
    case .finally(let block):
      see("finally")
      for inner in block.statements { visit(inner) }
    case .use: see("use")
    case .tags: see("tags")
    case .profile(let profile):
      see("profile")
      for setting in profile.settings { visit(setting) }
    }
    statement.forEachExpression { expressions.append($0) }
    for expression in expressions { visit(expression) }
  }

  private mutating func visit(_ step: StepSyntax) {
    switch step.target {
    case .word: see("target word")
    case .reference: see("target reference")
    case .expression: see("target expression")
    case .string: see("target string")
    }
    switch step.itemBody {
    case .form?: see("items form")
    case .multipart?: see("items multipart")
    case nil: break
    }
    for item in step.items {
      switch item.kind {
      case .text, .json, .query, .header, .file: see("item \(item.kind.rawValue)")
      }
    }
    for clause in step.clauses { visit(clause) }
  }

  private mutating func visit(_ clause: ClauseSyntax) {
    switch clause.kind {
    case .json: see("json")
    case .form: see("form")
    case .multipart: see("multipart")
    case .text: see("text")
    case .body: see("body")
    case .graphql: see("graphql")
    case .header(.field), .query(.field): see("header field")
    case .header(.object), .query(.object): see("header object")
    case .header(.omitted), .query(.omitted): see("header omitted")
    case .auth(.none): see("auth none")
    case .auth(.scheme(.bearer, _)): see("auth bearer")
    case .auth(.scheme(.basic, _)): see("auth basic")
    case .auth(.scheme(.signer, _)): see("auth sigv4")
    case .auth(.scheme(.digest, _)): see("auth digest")
    case .expectStatus(let statuses):
      for status in statuses {
        switch status {
        case .code: see("expect status code")
        case .statusClass: see("expect status class")
        case .any: see("expect any status")
        }
      }
    case .expect: see("expect")
    case .when: see("when")
    case .repetition: see("repeat")
    case .stream: see("stream")
    case .retry(.none): see("retry none")
    case .retry(.attempts): see("retry attempts")
    case .timeout: see("timeout")
    case .limit: see("limit")
    case .redirects(let count): see(count == nil ? "redirects none" : "redirects")
    case .save: see("save")
    case .effect(.once): see("effect once")
    case .effect(.idempotent): see("effect idempotent")
    case .profile: see("with profile")
    case .wait: see("wait")
    }
  }

  private mutating func visit(_ setting: SettingSyntax) {
    switch setting.kind {
    case .clause(let clause):
      see("setting clause")
      visit(clause)
    case .base: see("base")
    case .origin: see("origin")
    case .proxy: see("proxy")
    case .http: see("http")
    case .unixSocket: see("unix-socket")
    case .cookies: see("cookies")
    case .tls: see("tls")
    case .resolve: see("resolve")
    }
  }

  private mutating func visit(_ expression: ExpressionSyntax) {
    switch expression {
    case .reference(let node):
      see("reference")
      visit(node.segments)
    case .member: see("member")
    case .call: see("call")
    case .path(let node):
      see("path")
      visit(node.segments)
    case .parenthesized: see("parentheses")
    case .number(let node): see(node.unit == nil ? "number" : "number with unit")
    case .string(let node):
      see("string")
      visit(node)
    case .word(let node):
      see("word")
      for piece in node.pieces {
        switch piece {
        case .text: break
        case .interpolation: see("word expression")
        }
      }
    case .object(let node):
      see("object")
      for member in node.members {
        switch member {
        case .field(.name, _, _):
          see("object field")
          see("key name")
        case .field(.string, _, _): see("key string")
        case .spread: see("object spread")
        }
      }
    case .array(let node):
      see("array")
      for element in node.elements {
        switch element {
        case .value: see("array value")
        case .spread: see("array spread")
        }
      }
    case .literal(let node):
      switch node.kind {
      case .true, .false, .null: see("literal")
      }
    case .unary(let node):
      switch node.operator {
      case .negate: see("negate")
      case .not: see("not")
      }
    case .binary: see("binary")
    case .pipe: see("pipe")
    case .fallback: see("fallback")
    case .shapeTest(let node):
      see("shape test")
      visit(node.shape)
    case .conditional: see("conditional")
    case .quantified: see("quantified")
    }
  }

  private mutating func visit(_ string: StringSyntax) {
    switch string.style {
    case .quoted: see("string quoted")
    case .raw: see("string raw")
    case .block: see("string block")
    }
    for piece in string.pieces {
      switch piece {
      case .text: break
      case .interpolation: see("string expression")
      }
    }
  }

  private mutating func visit(_ segments: [SegmentSyntax]) {
    for segment in segments {
      switch segment.kind {
      case .name: see("segment name")
      case .wildcard: see("segment wildcard")
      case .descendantName: see("segment descendant name")
      case .descendantWildcard: see("segment descendant wildcard")
      case .bracket(let selectors, _):
        see("segment bracket")
        for selector in selectors {
          switch selector.kind {
          case .wildcard: see("selector wildcard")
          case .index: see("selector index")
          case .slice: see("selector slice")
          case .name: see("selector name")
          case .filter: see("selector filter")
          case .reference: see("selector reference")
          }
        }
      }
    }
  }

  private mutating func visit(_ shape: ShapeSyntax) {
    switch shape.kind {
    case .named: see("shape named")
    case .boolean: see("shape boolean")
    case .string: see("shape string")
    case .number: see("shape number")
    case .array(let element):
      see(element == nil ? "shape empty array" : "shape array")
      if let element { visit(element) }
    case .object(let members, _):
      see("shape object")
      for member in members { visit(member.shape) }
    case .either(let choices):
      see("shape either")
      for choice in choices { visit(choice) }
    case .snapshot: see("shape snapshot")
    }
  }
}
