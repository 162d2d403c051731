internal import Diagnostics
internal import JSONValue
internal import RequestSyntax

/// Which value of which step's response a request was made of, as its script says: directly, or by way of `let`,
/// `secret`, loops and arguments.
struct ValueFlows: Sendable {
  /// A value on its way into a request.
  struct Flow: Hashable, Sendable {
    /// The label of the step whose response it is from.
    let step: String
    /// `.body.id`
    let path: String
    /// The part of the request: `URL`, `header If-Match`, `json`.
    let part: String

    var json: JSON { ["from": .string(step), "value": .string(path), "into": .string(part)] }
  }

  /// The value of a response.
  private struct Origin: Hashable {
    var step: String
    var path: String
  }

  private var steps: [Int: [Flow]] = [:]
  private var labels: [String: [Flow]] = [:]
  /// What the credentials, headers and items of a profile are made of.
  private var profiles: [String: [Flow]] = [:]
  private var names: [String: Set<Origin>] = [:]
  private var sequences: [String: SequenceSyntax] = [:]
  /// The labels of what runs a sequence: `$got.out` is the sequence's `$out`.
  private var runs: Set<String> = []

  /// - Parameter source: a script.
  init(_ source: SourceText) {
    let statements = Parser.parse(source).script.statements
    for case .sequence(let node) in statements { sequences[node.name.text] = node }
    // Twice: arguments are known only after what runs a sequence, and what is read of it only after the sequence.
    for _ in 0...(sequences.isEmpty ? 0 : 1) {
      (steps, labels) = ([:], [:])
      walk(statements)
      for node in sequences.values.sorted(by: { $0.name.text < $1.name.text }) { walk(node.body.statements) }
    }
    for case .profile(let node) in statements { note(node) }
  }

  /// Those of the step that begins there.
  func flows(at offset: Int, profile: String?) -> [Flow] { (steps[offset] ?? []) + ofProfile(profile) }

  /// Those of the step with that label.
  func flows(label: String?, profile: String?) -> [Flow] {
    (label.flatMap { labels[$0] } ?? []) + ofProfile(profile)
  }

  private func ofProfile(_ name: String?) -> [Flow] { name.flatMap { profiles[$0] } ?? [] }

  // MARK: Walking

  private mutating func walk(_ statements: [StatementSyntax]) {
    for statement in statements {
      switch statement {
      case .step(let node): note(node)
      case .run(let node): note(node)
      case .binding(let node): bind(node.name.text, to: node.value)
      case .secret(let node): bind(node.name.text, to: node.value)
      case .loop(let node):
        bind(node.name.text, to: node.items)
        walk(node.body.statements)
      case .parallel(let node), .finally(let node): walk(node.statements)
      case .sequence, .use, .tags, .profile: break
      }
    }
  }

  private mutating func bind(_ name: String, to value: ExpressionSyntax) {
    let origins = origins(of: value)
    if !origins.isEmpty { names[name, default: []].formUnion(origins) }
  }

  private mutating func note(_ node: RunSyntax) {
    if let label = node.label?.text { runs.insert(label) }
    let parameters = sequences[node.name.text]?.parameters.map(\.name.text) ?? []
    for (index, argument) in node.arguments.enumerated() {
      let name = argument.name?.text ?? (index < parameters.count ? parameters[index] : nil)
      if let name { bind(name, to: argument.value) }
    }
  }

  private mutating func note(_ step: StepSyntax) {
    var flows: [Flow] = []
    func note(_ holder: some ExpressionHolder, _ part: String) {
      var found: Set<Origin> = []
      holder.forEachReference { found.formUnion(origins(of: $0)) }
      flows += found.sorted { ($0.step, $0.path) < ($1.step, $1.path) }.map {
        Flow(step: $0.step, path: $0.path, part: part)
      }
    }
    var target = step
    (target.items, target.clauses) = ([], [])
    note(target, "URL")
    for item in step.items {
      var one = target
      one.target = .word(WordSyntax([]))
      one.items = [item]
      note(one, item.kind == .header ? "header \(item.key.text)" : item.key.text)
    }
    for clause in step.clauses { if let part = clause.part { note(clause, part) } }
    guard !flows.isEmpty else { return }
    steps[step.range.lowerBound] = flows
    if let label = step.label?.text { labels[label, default: []] += flows }
  }

  private mutating func note(_ profile: ProfileSyntax) {
    var found: Set<Origin> = []
    for setting in profile.settings {
      if case .clause(let clause) = setting.kind, clause.part != nil {
        clause.forEachReference { found.formUnion(origins(of: $0)) }
      }
    }
    profiles[profile.name.text] = found.sorted { ($0.step, $0.path) < ($1.step, $1.path) }.map {
      Flow(step: $0.step, path: $0.path, part: "credential of \(profile.name.text)")
    }
  }

  // MARK: Origins

  private func origins(of expression: ExpressionSyntax) -> Set<Origin> {
    var found: Set<Origin> = []
    expression.forEachReference { found.formUnion(origins(of: $0)) }
    return found
  }

  private func origins(of reference: ReferenceSyntax) -> Set<Origin> {
    var segments = reference.segments[...]
    var root = reference.root.text
    while runs.contains(root), case .name(let inner) = segments.first?.kind {
      root = inner
      segments = segments.dropFirst()
    }
    let path = SyntaxPrinter.print(Array(segments))
    if root == "env" { return [] }
    if let known = names[root] { return Set(known.map { Origin(step: $0.step, path: $0.path + path) }) }
    return [Origin(step: root, path: path)]
  }
}

extension ClauseSyntax {
  /// What it is of a request; nil: it says something else.
  fileprivate var part: String? {
    switch kind {
    case .header(.field(let name, _)): "header \(name.text)"
    case .header: "headers"
    case .json, .form, .multipart, .text, .body, .graphql, .query: keyword.text
    case .auth: "credential"
    case .expectStatus, .expect: "expectation"
    case .when, .wait, .repetition, .stream, .retry, .timeout, .limit, .redirects, .save,
      .effect, .profile:
      nil
    }
  }
}
