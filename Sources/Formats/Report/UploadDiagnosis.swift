package import Diagnostics
package import Presentation
internal import RequestSyntax
package import Requests
package import UploadLint
package import UploaderCore

/// What the rules for uploads say about what was sent, and about what would be sent.
package struct UploadDiagnosis {
  /// All exchanges so far, oldest first.
  private let exchanges: [Exchange]
  /// The texts in which the steps were written, by their names.
  private let sources: [String: SourceText]

  package init(exchanges: [Exchange], writtenIn sources: [String: SourceText]) {
    self.exchanges = exchanges
    self.sources = sources
  }

  /// - Parameter count: how many of the exchanges came before the upload.
  private func lint(after count: Int) -> UploadLint {
    let sources = sources
    return UploadLint(
      after: Array(exchanges.prefix(count)),
      written: { place in
        guard let source = sources[place.source] else { return nil }
        return Parser.parse(source).script.statements.lazy.compactMap { $0.step(at: place) }.first
          .flatMap { WrittenForm($0, in: source) }
      })
  }

  /// Nothing in an upload came from a response after it: those are not looked at.
  package func findings(of exchange: Exchange) -> [UploadFinding] {
    lint(after: index(of: exchange) ?? exchanges.count).findings(in: UploadAttempt(exchange))
  }

  /// - Parameter time: when it is or was sent, since 1970.
  package func findings(of prepared: PreparedRequest, at time: Duration) -> [UploadFinding] {
    lint(after: exchanges.count).findings(in: UploadAttempt(prepared, at: time))
  }

  /// What may have made a step fail: what is wrong with it, or else with the last upload before it, which it may depend
  /// on.
  ///
  /// - Parameters:
  ///   - answer: the response to the step that failed, if there is one.
  ///   - unanswered: what was sent, if there is none.
  ///   - examined: how many of the exchanges were examined before, when an earlier step failed.
  package func cause(
    of exchange: Exchange?, unanswered: (request: PreparedRequest, time: Duration)? = nil, after examined: Int = 0
  ) -> StyledText {
    let own = exchange.map(findings) ?? unanswered.map { findings(of: $0.request, at: $0.time) } ?? []
    if !own.isEmpty { return Self.text(own) }
    for earlier in exchanges.dropFirst(examined).reversed()
    where UploadAttempt(earlier).isUpload && earlier != exchange {
      let found = findings(of: earlier)
      if !found.isEmpty { return Self.text(found, of: earlier.label) }
    }
    return StyledText()
  }

  /// What is wrong, how that is known, and what to do.
  package static func text(_ findings: [UploadFinding], of step: String? = nil) -> StyledText {
    var text = StyledText()
    for finding in findings {
      text.append("  lint  ", .warning)
      text.append("\(step.map { "\($0): " } ?? "")\(finding.message)\n", .strong)
      for line in finding.evidence { text.append("        \(line)\n") }
      text.append("        → \(finding.advice)\n", .faint)
    }
    return text
  }

  /// The same, for someone who asked.
  package static func report(_ findings: [UploadFinding]) -> StyledText {
    findings.isEmpty ? StyledText("lint: nothing is wrong that can be seen from here\n", .faint) : text(findings)
  }

  /// The same about an exchange; if it is no upload, which one is the last before it.
  ///
  /// - Parameter isNamed: whether this very one was asked for; else the last upload before it is examined instead.
  package func report(on exchange: Exchange, isNamed: Bool) -> StyledText {
    let found = findings(of: exchange)
    if !found.isEmpty || UploadAttempt(exchange).isUpload { return Self.report(found) }
    let index = index(of: exchange) ?? exchanges.count
    let name = name(of: exchange, at: index)
    let earlier = exchanges.indices.prefix(index).last {
      UploadAttempt(exchanges[$0]).isUpload || !findings(of: exchanges[$0]).isEmpty
    }
    guard let earlier else { return StyledText("lint: \(name) is not an upload\n", .faint) }
    let before = self.name(of: exchanges[earlier], at: earlier)
    let last = "lint: \(name) is not an upload; the last one before it is \(before)"
    if isNamed { return StyledText("\(last)\n", .faint) }
    return StyledText("\(last):\n", .faint) + Self.report(findings(of: exchanges[earlier]))
  }

  private func index(of exchange: Exchange) -> Int? {
    exchanges.lastIndex { $0.started == exchange.started && $0 == exchange }
  }

  private func name(of exchange: Exchange, at index: Int) -> String {
    "$\(exchange.label ?? "\(exchange.description.head.number ?? index + 1)")"
  }
}

extension WrittenForm {
  /// That of a step; nil if its body is not an object.
  fileprivate init?(_ step: StepSyntax, in source: SourceText) {
    var fields: [String: String] = [:]
    var spreads: [String] = []
    var whole: String?
    for clause in step.clauses {
      if case .body(let value, _) = clause.kind { whole = source[value.range] }
      guard let body = clause.fieldsOfBody else { continue }
      guard case .object(let object) = body else {
        spreads.append(contentsOf: body.reference.map { [source[$0]] } ?? [])
        continue
      }
      for member in object.members {
        switch member {
        case .field(let key, let value, _):
          if let name = key.plainText { fields[name] = source[value.range] }
        case .spread(let value): spreads += value.reference.map { [source[$0]] } ?? []
        }
      }
    }
    for item in step.items where item.kind == .text || item.kind == .json {
      fields[item.key.text] = source[item.value.range]
    }
    self.init(spreads: spreads, fields: fields, body: whole)
  }
}

extension ClauseSyntax {
  /// What is sent as fields or members.
  fileprivate var fieldsOfBody: ExpressionSyntax? {
    switch kind {
    case .json(let body), .form(let body), .multipart(let body): body
    default: nil
    }
  }
}

extension ExpressionSyntax {
  /// The reference that it is, or that it filters.
  fileprivate var reference: SourceRange? {
    switch self {
    case .reference(let node): node.range
    case .parenthesized(let node): node.inner.reference
    case .pipe(let node): node.input.reference
    case .fallback(let node): node.value.reference
    default: nil
    }
  }
}
