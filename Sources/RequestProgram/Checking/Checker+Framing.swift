import Diagnostics
import HTTPTypes
import RequestSyntax
import Requests

/// What would be refused when the request is made, as far as the text shows it: a header that claims something about
/// the message that is not true.
extension Checker {
  mutating func checkFraming(_ step: StepSyntax) {
    func hasHeader(_ step: StepSyntax) -> Bool {
      step.clauses.contains { if case .header = $0.kind { true } else { false } }
    }
    // Mostly there is no header, and it takes long to find out where the step goes.
    guard !step.items.isEmpty || hasHeader(step), case let step = step.withoutItems, hasHeader(step) else { return }
    let (size, origin) = (step.literalBodySize, staticOrigin(of: step))
    for clause in step.clauses { checkFraming(clause, bodySize: size, origin: origin) }
    checkOmitted(step.clauses)
  }

  /// - Parameters:
  ///   - bodySize: nil: it is known only when the request is made.
  ///   - origin: nil: it is known only when the request is made.
  mutating func checkFraming(_ clause: ClauseSyntax, bodySize: Int?, origin: Origin?) {
    guard case .header(let fields) = clause.kind else { return }
    for (name, value) in fields.literalNames {
      guard let name = HTTPField.Name(name) else { continue }
      checkEntityTag(name, value)
      if let fault = FramingFault(name, value: value.literalText, bodySize: bodySize, origin: origin) {
        report(.framing(fault), value.range)
      }
    }
  }

  /// `If-Match: "abc"`: a tag is copied from where it is shown, with the quotes that it has (RFC 9110 §8.8.3).
  private mutating func checkEntityTag(_ name: HTTPField.Name, _ value: ExpressionSyntax) {
    guard name == .ifMatch || name == .ifNoneMatch, let tag = value.plainText, !tag.isEmpty, tag != "*",
      !tag.contains("\"")
    else { return }
    report(.bareEntityTag(name.rawName, tag: tag), value.range)
  }
}

extension FieldsSyntax {
  /// The fields whose names are literal.
  fileprivate var literalNames: [(String, ExpressionSyntax)] {
    switch self {
    case .field(let name, let value): [(name.text, value)]
    case .omitted: []
    case .object(let object):
      object.members.compactMap { member in
        guard case .field(let key, let value, _) = member, !value.isNull else { return nil }
        switch key {
        case .name(let name): return (name.text, value)
        case .string(let string): return string.plainText.map { ($0, value) }
        }
      }
    }
  }
}

extension ExpressionSyntax {
  /// The text that it is sent as, if it is literal.
  fileprivate var literalText: String? {
    if case .number(let number) = self, number.unit == nil { return number.text }
    return plainText
  }
}

extension StepSyntax {
  /// The length of the body in bytes, if it is literal.
  fileprivate var literalBodySize: Int? {
    let bodies = clauses.filter(\.isBody)
    guard let body = bodies.first else { return 0 }
    guard bodies.count == 1 else { return nil }
    switch body.kind {
    case .text(.string(let string)), .body(.string(let string), _): return string.plainText?.utf8.count
    default: return nil
    }
  }
}
