import Diagnostics

extension SyntaxPrinter {
  mutating func write(_ step: StepSyntax) {
    writeLabel(step.label)
    output += "\(step.method.text) "
    write(step.target)
    if let body = step.itemBody { output += " \(body.rawValue)" }
    for item in step.items {
      output += " \(item.key.text)\(item.kind.rawValue)"
      write(item.value)
    }
    write(step.clauses)
  }

  private mutating func write(_ target: TargetSyntax) {
    switch target {
    case .word(let word): write(word)
    case .reference(let reference, let tail):
      write(reference)
      if let tail { write(tail) }
    case .expression(let expression): write(expression)
    case .string(let string): write(string)
    }
  }

  mutating func write(_ clauses: [ClauseSyntax]) {
    indented { printer in
      for clause in clauses {
        printer.startLine(at: clause.range.lowerBound)
        printer.write(clause)
      }
    }
  }

  mutating func write(_ clause: ClauseSyntax) {
    output += clause.keyword.text
    if case .expectStatus(let statuses) = clause.kind { return write(statuses) }
    if case .stream(let stream) = clause.kind { return write(stream) }
    output += " "
    switch clause.kind {
    case .json(let value), .form(let value), .multipart(let value), .text(let value), .expect(let value),
      .when(let value), .timeout(let value), .limit(let value), .wait(let value):
      write(value)
    case .body(let value, let typed):
      write(value)
      write(typed)
    case .graphql(let query, let variables):
      write(query)
      if let variables {
        output += " variables "
        write(variables)
      }
    case .header(let fields), .query(let fields): write(fields)
    case .auth(.none): output += "none"
    case .auth(.scheme(let scheme, let values)):
      output += "\(scheme.name) "
      for (index, value) in values.enumerated() {
        if index > 0 { output += ", " }
        write(value)
      }
    case .expectStatus, .stream: break
    case .repetition(let repetition):
      if let rounds = repetition.rounds {
        write(rounds)
        output += " times "
      }
      if let interval = repetition.interval {
        output += "every "
        write(interval)
        output += " "
      }
      if let limit = repetition.limit {
        output += "for "
        write(limit)
        output += " "
      }
      output += "until "
      write(repetition.condition)
    case .retry(.none): output += "none"
    case .retry(.attempts(let attempts, let statuses)):
      output += "\(attempts)"
      if !statuses.isEmpty {
        output += " on"
        write(statuses)
      }
    case .redirects(let count): output += count.map(String.init) ?? "none"
    case .save(let value):
      output += "body to "
      write(value)
    case .effect(let effect): output += effect.rawValue
    case .profile(let name): output += "profile \(name.text)"
    }
  }

  private mutating func write(_ stream: StreamSyntax) {
    if let limit = stream.limit {
      output += " for "
      write(limit)
    }
    if let condition = stream.condition {
      output += " until "
      write(condition)
    }
  }

  private mutating func write(_ statuses: [StatusSyntax]) {
    output += " " + statuses.map(\.description).joined(separator: " | ")
  }

  private mutating func write(_ fields: FieldsSyntax) {
    switch fields {
    case .field(let name, let value):
      output += "\(name.text):"
      if case .word(let word) = value {
        writeAfterColon(word)
      } else {
        output += " "
        write(value)
      }
    case .omitted(let name): output += "\(name.text):"
    case .object(let object): write(object)
    }
  }

  mutating func write(_ typed: TypedSyntax) {
    if let type = typed.type {
      output += " as "
      write(type)
    }
    if let name = typed.fileName {
      output += " named "
      write(name)
    }
  }

  mutating func write(_ setting: SettingSyntax) {
    switch setting.kind {
    case .clause(let clause): write(clause)
    case .base(let value): write("base", value)
    case .origin(let value): write("origin", value)
    case .proxy(let value): write("proxy", value)
    case .http(let value): write("http", value)
    case .unixSocket(let value): write("unix-socket", value)
    case .cookies(let isOn): output += isOn ? "cookies on" : "cookies off"
    case .tls(let object):
      output += "tls "
      write(object)
    case .resolve(let host, let address):
      output += "resolve \(host): "
      write(address)
    }
  }

  /// After a space, a word that starts with `#` would be a comment.
  private mutating func writeAfterColon(_ word: WordSyntax) {
    if case .text(let text)? = word.pieces.first, text.hasPrefix("#") {} else { output += " " }
    write(word)
  }

  private mutating func write(_ keyword: String, _ value: ExpressionSyntax) {
    output += "\(keyword) "
    write(value)
  }
}
