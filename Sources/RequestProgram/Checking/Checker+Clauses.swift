import Diagnostics
import HTTPTypes
import JSONValue
import RequestSyntax

/// Clauses alone and together: header names, one body, nothing given twice.
extension Checker {
  mutating func check(_ clause: ClauseSyntax) {
    switch clause.kind {
    case .expect, .repetition, .stream: allowsMembers = true
    default: allowsMembers = false
    }
    // What a step's own credential is given is a secret for the step's origin.
    if case .auth(.scheme) = clause.kind { isInOwnCredential = true }
    if case .save = clause.kind { isInFileName = true }
    clause.forEachInside { check($0) }
    allowsMembers = false
    isInOwnCredential = false
    isInFileName = false
    checkContent(clause)
    switch clause.kind {
    case .repetition(let node): checkAwaited(node.condition)
    case .stream(let node): if let condition = node.condition { checkAwaited(condition) }
    default: break
    }
    if case .profile(let name) = clause.kind { checkProfile(name.text, name.range) }
  }

  /// A condition that is awaited has to read something of what comes.
  private mutating func checkAwaited(_ condition: ExpressionSyntax) {
    var last: ReferenceSyntax?
    var readsOwn = false
    condition.forEach { node in
      switch node {
      case .reference(let reference) where reference.root.text == "_": last = last ?? reference
      case .member: readsOwn = true
      case .reference(let reference): readsOwn = readsOwn || reference.root.text == ownLabel?.name
      default: break
      }
    }
    guard let last, !readsOwn else { return }
    let path = last.segments.first.map { source[SourceRange($0.range.lowerBound, last.range.upperBound)] } ?? ""
    report(.untilReadsLast(path: String(path.drop { $0 == "." })), last.range)
  }

  /// The content of a clause, in a step and in a profile.
  mutating func checkContent(_ clause: ClauseSyntax) {
    checkTypes(clause)
    switch clause.kind {
    case .header(.field(let name, _)), .header(.omitted(let name)):
      if HTTPField.Name(name.text) == nil { report(.invalidHeaderName(name.text), name.range) }
    case .auth(.scheme(.basic, let values)) where values.count != 2: report(.basicNeedsTwo, clause.range)
    case .auth(.scheme(.digest, let values)) where values.count != 2: report(.digestNeedsTwo, clause.range)
    case .auth(.scheme(.bearer, let values)) where values.count != 1: report(.bearerNeedsOne, clause.range)
    case .auth(.scheme(.signer(let name), let values)): checkSigner(name, values, clause.range)
    default: return
    }
  }

  mutating func checkBodies(_ step: StepSyntax) {
    let method = step.method.text
    let isReading = method == "GET" || method == "HEAD"
    if isReading, let item = step.items.first(where: \.isBody), step.itemBody == nil {
      report(.bodyItemOnGet(item.key.text, method: method), item.range)
    }
    for item in step.items where item.kind == .json {
      // At the prompt; in a file it is an error of the syntax.
      guard item.isQuotedJSON, let text = item.value.plainText else { continue }
      report(.jsonInQuotes(item.key.text, text: text), item.range)
    }
    for item in step.items {
      guard case .word(let word) = item.value, case .text(let text)? = word.pieces.first, let first = text.first,
        "“”„‘".contains(first)
      else { continue }
      report(.typographicQuotes(item.key.text), item.range)
    }
    let hasItems = step.items.contains(where: \.isBody)
    var hasBody = hasItems
    for clause in step.clauses where clause.isBody {
      if hasBody { report(.twoBodies, clause.keyword.range) }
      if isReading, !hasBody { report(.bodyOnGet(method), clause.keyword.range) }
      hasBody = true
    }
  }

  /// All but headers, query items and expectations are given only once.
  mutating func checkRepeated(_ clauses: [ClauseSyntax]) {
    var seen: Set<String> = []
    for clause in clauses where !clause.isBody {
      switch clause.kind {
      case .header, .query, .expect, .expectStatus: continue
      default:
        if !seen.insert(clause.keyword.text).inserted {
          report(.repeatedClause(clause.keyword.text), clause.keyword.range)
        }
      }
    }
  }
}
