package import Presentation

/// What the doctor says of one thing.
package struct DoctorFinding: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    case fine
    /// Something works less well than it could.
    case advice
    /// Something does not work.
    case fault
  }

  package var subject: String
  package var verdict: Verdict
  package var text: String
  /// What to do, one line each.
  package var remedies: [String]

  package init(_ subject: String, _ verdict: Verdict, _ text: String, remedies: [String] = []) {
    self.subject = subject
    self.verdict = verdict
    self.text = text
    self.remedies = remedies
  }

  /// As it is printed: the verdict, the subject, what was found; below it what to do.
  package var shown: StyledText {
    var line: StyledText
    switch verdict {
    case .fine: line = StyledText("ok      ", .success)
    case .advice: line = StyledText("advice  ", .warning)
    case .fault: line = StyledText("FAULT   ", .failure)
    }
    line.append(subject + String(repeating: " ", count: max(1, 14 - subject.count)), .strong)
    line.append("\(text)\n")
    for remedy in remedies { line.append("        = \(remedy)\n") }
    return line
  }
}
