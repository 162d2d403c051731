package import Diagnostics
package import RequestSyntax

/// Where each part of a request was written: its text in the script, if that is more than a literal.
package struct RequestProvenance {
  private(set) var url: String?
  private(set) var body: String?
  private var headers: [String: String] = [:]
  private var fields: [String: String] = [:]
  /// What is spread into the body, for the fields that are not named otherwise.
  private var spreads: [String] = []
  /// The same for the headers of the step.
  private var headerSpreads: [String] = []
  private let source: SourceText

  package init(_ step: StepSyntax, in source: SourceText) {
    self.source = source
    url = text(step.target.range)
    for clause in step.clauses {
      switch clause.kind {
      case .header(let syntax): note(syntax)
      case .json(let expression), .form(let expression), .multipart(let expression): note(body: expression)
      case .text(let expression), .body(let expression, _): body = text(expression.range)
      case .auth(.scheme(_, let values)):
        if let secret = values.last { headers["authorization"] = text(secret.range) }
      case .graphql, .query, .auth, .expectStatus, .expect, .when, .repetition, .stream, .retry, .timeout, .limit,
        .redirects,
        .save,
        .effect, .profile, .wait:
        continue
      }
    }
    for item in step.items {
      switch item.kind {
      case .header: headers[item.key.text.lowercased()] = text(item.value.range)
      case .text, .json, .file: fields[item.key.text] = text(item.value.range)
      case .query: continue
      }
    }
  }

  /// The expression of a header, or the member of what was spread.
  package func header(_ name: String) -> String? {
    headers[name.lowercased()] ?? headerSpreads.last.map { "\($0).\(name.lowercased())" }
  }

  /// The expression of a field, or the member of what was spread.
  package func field(_ name: String) -> String? {
    if let expression = fields[name] { return expression }
    return spreads.last.map { "\($0).\(name)" }
  }

  private mutating func note(_ syntax: FieldsSyntax) {
    switch syntax {
    case .field(let name, let value): headers[name.text.lowercased()] = text(value.range)
    case .omitted: break
    case .object(let object):
      for member in object.members {
        switch member {
        case .field(let key, let value, _): headers[name(of: key).lowercased()] = text(value.range)
        case .spread(let expression): headerSpreads.append(source[expression.range])
        }
      }
    }
  }

  private mutating func note(body expression: ExpressionSyntax) {
    body = text(expression.range)
    guard case .object(let object) = expression else {
      if let body { spreads.append(body) }
      return
    }
    for member in object.members {
      switch member {
      case .field(let key, let value, _): fields[name(of: key)] = text(value.range)
      case .spread(let expression): spreads.append(source[expression.range])
      }
    }
  }

  private func name(of key: KeySyntax) -> String {
    switch key {
    case .name(let name): return name.text
    case .string(let string): return source[string.range].filter { $0 != "\"" && $0 != "'" }
    }
  }

  /// The text as it was written, on one line; nil if it reads no value.
  private func text(_ range: SourceRange) -> String? {
    let text = source[range]
    guard text.contains("$") || text.contains("(") else { return nil }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
