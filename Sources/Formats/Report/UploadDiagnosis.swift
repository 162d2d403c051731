package import Presentation
package import Requests
package import UploadLint
package import UploaderCore

/// What the rules for uploads say about what was sent, and about what would be sent.
package struct UploadDiagnosis {
  /// All exchanges so far, oldest first.
  private let exchanges: [Exchange]

  package init(exchanges: [Exchange]) {
    self.exchanges = exchanges
  }

  package func findings(of exchange: Exchange) -> [UploadFinding] {
    UploadLint(after: exchanges).findings(in: UploadAttempt(exchange))
  }

  /// - Parameter time: when it is or was sent, since 1970.
  package func findings(of prepared: PreparedRequest, at time: Duration) -> [UploadFinding] {
    UploadLint(after: exchanges).findings(in: UploadAttempt(prepared, at: time))
  }

  /// What may have made a step fail: what is wrong with it, or else with the last upload before it, which it may depend
  /// on.
  ///
  /// - Parameters:
  ///   - answer: the response to the step that failed, if there is one.
  ///   - unanswered: what was sent, if there is none.
  package func cause(of exchange: Exchange?, unanswered: (request: PreparedRequest, time: Duration)? = nil)
    -> StyledText
  {
    let own = exchange.map(findings) ?? unanswered.map { findings(of: $0.request, at: $0.time) } ?? []
    if !own.isEmpty { return Self.text(own) }
    for earlier in exchanges.reversed() where earlier != exchange {
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
}
