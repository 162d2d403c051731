import Diagnostics
import HTTPTypes
import JSONValue
import RequestSyntax
import Requests

/// What a step of another tool says about its own message: that is what is sent, or it is a note. One place for all
/// readers.
extension StepSyntax {
  /// Takes out headers that decide how a message ends, or that name another host than the one it goes to, and writes
  /// the method as methods are written.
  ///
  /// - Returns: what is different, or not sent at all, with what is left out.
  mutating func makeSound() -> [(note: ImportNote, text: String?)] {
    var notes: [(note: ImportNote, text: String?)] = []
    let place = method.range
    let capitals = method.text.uppercased()
    if capitals != method.text {
      notes.append((ImportNote(.warning, "the method \(method.text) is sent as \(capitals)", at: place), nil))
      method = NameSyntax(text: capitals, range: method.range)
    }
    guard clauses.contains(where: { if case .header = $0.kind { true } else { false } }) else { return notes }
    let (size, origin) = (literalBodySize, target.literalOrigin)
    for index in clauses.indices {
      guard case .header(let fields) = clauses[index].kind else { continue }
      let range = clauses[index].range.or(place)
      clauses[index].kind = .header(
        fields.filter { name, value in
          guard let found = Self.note(on: name, value, bodySize: size, origin, at: range) else { return true }
          let text = "\(name): \(value?.plainText ?? "")"
          notes += found.map { ($0, $0.grade == .refused ? text : nil) }
          return false
        })
    }
    clauses.removeAll { if case .header(.object(let object)) = $0.kind { object.members.isEmpty } else { false } }
    if notes.contains(where: { $0.note.grade == .refused }), !clauses.contains(where: \.isNever) {
      let end = clauses.firstIndex { $0.isExpectation } ?? clauses.endIndex
      clauses.insert(ClauseSyntax.never.placed(at: place), at: end)
    }
    return notes
  }

  /// What is said of a header that is not sent as it is written; nil: it is sent.
  ///
  /// - Parameter value: nil: it is left out.
  private static func note(
    on name: String, _ value: ExpressionSyntax?, bodySize: Int?, _ origin: Origin?, at range: SourceRange
  ) -> [ImportNote]? {
    guard let field = HTTPField.Name(name) else {
      return [
        ImportNote(.refused, "\"\(name)\" is not a header name", hint: "it has letters, digits and -", at: range)
      ]
    }
    guard let value else {
      // Neither is sent where there is nothing to send.
      if field == .transferEncoding || field == .contentLength && bodySize == 0 { return [] }
      return FramingFault(omitting: field).map { [refusal($0, range)] }
    }
    let text = value.plainText
    if let text, text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) {
      return [ImportNote(.refused, "the value of \(name) has several lines, and a header has one", at: range)]
    }
    switch field {
    case .contentLength:
      if let bodySize, text == "\(bodySize)" { return [] }
      if bodySize == nil, text.flatMap({ Int($0) }) ?? 0 >= 0 {
        return [ImportNote(.warning, "Content-Length is what the body is long", at: range)]
      }
    case .transferEncoding where text?.lowercased() == "chunked":
      return [ImportNote(.warning, "the body is sent with its length, not in chunks", at: range)]
    default: break
    }
    return FramingFault(field, value: text, bodySize: bodySize, origin: origin).map { [refusal($0, range)] }
  }

  private static func refusal(_ fault: FramingFault, _ range: SourceRange) -> ImportNote {
    ImportNote(.refused, fault.description, hint: fault.advice, at: range)
  }

  /// The length of the body in bytes, if it is literal.
  private var literalBodySize: Int? {
    let bodies = clauses.filter(\.isBody)
    guard let body = bodies.first else { return 0 }
    guard bodies.count == 1, case .body(.string(let string), _) = body.kind else { return nil }
    return string.plainText?.utf8.count
  }
}

extension FieldsSyntax {
  /// Those that are wanted.
  ///
  /// - Parameter isWanted: is asked with the name, and the value; nil: it is left out.
  fileprivate func filter(_ isWanted: (String, ExpressionSyntax?) -> Bool) -> FieldsSyntax {
    let none = FieldsSyntax.object(ObjectSyntax([]))
    switch self {
    case .field(let name, let value): return isWanted(name.text, value) ? self : none
    case .omitted(let name): return isWanted(name.text, nil) ? self : none
    case .object(var object):
      object.members.removeAll { member in
        guard case .field(let key, let value, _) = member, let name = key.plainText else { return false }
        if case .literal(let literal) = value, literal.kind == .null { return !isWanted(name, nil) }
        return !isWanted(name, value)
      }
      return .object(object)
    }
  }
}

extension ClauseSyntax {
  /// `when false`
  static let never = ClauseSyntax(.when(ExpressionSyntax(false)))

  fileprivate var isNever: Bool {
    if case .when(let condition) = kind { condition == ExpressionSyntax(false) } else { false }
  }

  fileprivate var isExpectation: Bool {
    switch kind {
    case .expect, .expectStatus: true
    default: false
    }
  }
}

extension TargetSyntax {
  /// Where it goes, if that is written in it.
  fileprivate var literalOrigin: Origin? {
    let (start, isWhole): (String, Bool)
    switch self {
    case .word(let word):
      guard case .text(let text)? = word.pieces.first else { return nil }
      (start, isWhole) = (text, word.pieces.count == 1)
    case .string(let string):
      guard case .text(let text)? = string.pieces.first else { return nil }
      (start, isWhole) = (text, string.pieces.count == 1)
    case .reference, .expression: return nil
    }
    guard let scheme = start.firstRange(of: "://") else { return nil }
    let end = start[scheme.upperBound...].firstIndex { "/?#".contains($0) }
    guard let end = end ?? (isWhole ? start.endIndex : nil) else { return nil }
    return try? Origin(String(start[..<end]))
  }
}

extension SourceRange {
  /// This one, or another if nothing is there.
  fileprivate func or(_ other: SourceRange) -> SourceRange { isEmpty ? other : self }
}
