internal import HTTPTypes
internal import Imports
internal import RequestProgram
package import RequestSyntax
package import Requests

/// What a saved script is made from.
package struct SavingContext {
  /// All responses of the session, `$1` first.
  package var exchanges: [Exchange]
  package var log: SessionLog
  package var values: AnsweredValues
  /// Secrets of the session, longest first.
  package var secrets: [Secret]
  /// The directory of the file, relative to the working directory.
  package var directory: String
  package var workingDirectory: String
  /// The labels of responses in the file, by their numbers.
  package var labels: [Int: String] = [:]
  /// The profile that bare paths take in the file.
  package var bareProfile: String?
  /// What declarations are called in the file, by their positions in the log, where that is not their own name.
  package var declared: [Int: String] = [:]
  /// Variables of the environment that secrets of the file are made from.
  package var secretVariables: Set<String> = []
  /// The responses that are referred to in place of others, by the numbers of those.
  package var replacements: [Int: Int] = [:]
  /// What the rounds of loops are called in the file, together.
  package var rounds: [SavedRounds.Key: String] = [:]

  /// For text that is written down as it is: nothing is derived from responses.
  ///
  /// - Parameter labels: the labels of responses.
  package init(
    exchanges: [Exchange], log: SessionLog, workingDirectory: String, labels: [Int: String] = [:]
  ) {
    self.init(
      exchanges: exchanges, log: log, values: AnsweredValues([]), secrets: [], directory: "",
      workingDirectory: workingDirectory)
    self.labels = labels
  }

  package init(
    exchanges: [Exchange], log: SessionLog, values: AnsweredValues, secrets: [Secret], directory: String,
    workingDirectory: String
  ) {
    self.exchanges = exchanges
    self.log = log
    self.values = values
    self.secrets = secrets
    self.directory = directory
    self.workingDirectory = workingDirectory
  }

  /// Whether a text was sent, and the response was 401 each time.
  func isRefused(_ text: String) -> Bool {
    let search = FormSearch([Secret(hidden: text, name: "")])
    func isSent(in exchange: Exchange) -> Bool {
      let sent = exchange.firstRequest
      if search.isMatched(in: Array(sent.url.utf8)) { return true }
      if sent.headers.contains(where: { search.isMatched(in: Array($0.value.utf8)) }) { return true }
      return exchange.description.bodySegments(boundary: "-")?.contains { segment in
        if case .bytes(let bytes) = segment { search.isMatched(in: bytes) } else { false }
      } ?? false
    }
    let refused = exchanges.filter { $0.response.status == .unauthorized }
    return refused.contains(where: isSent)
      && !exchanges.contains { $0.response.status != .unauthorized && isSent(in: $0) }
  }

  /// What the declaration at this position in the log is called in the file.
  func name(atLogIndex index: Int) -> String? { declared[index] ?? log.entries[index].node.declaredName }

  package func label(_ number: Int) -> String { labels[number] ?? "step-\(number)" }

  /// The number that the next response had when the statement at `index` of the log was typed.
  package func number(atLogIndex index: Int) -> Int {
    var number = log.entries[index].answersBefore + 1
    while number <= exchanges.count,
      let step = log.step(at: exchanges[number - 1].description.head.place)?.logIndex, step < index
    {
      number += 1
    }
    return number
  }
}

/// Finds what an expression refers to, and writes it by its name in the file.
package struct ReferenceRewriter {
  package let context: SavingContext
  /// The number of the response that the text led to, or would have led to.
  package let number: Int
  /// The position of the text in the log; nil if it came from a block.
  package let logIndex: Int?
  /// The directory that its relative paths start from; empty: the working directory.
  package let directory: String
  /// The label by which a step that repeats refers to the previous round.
  package let ownLabel: String?

  /// Answers that are referred to.
  package private(set) var answers: Set<Int> = []
  /// Positions in the log of the `let`s and `secret`s that are referred to.
  private(set) var names: Set<Int> = []
  /// The rounds of loops that are referred to as a list.
  private(set) var rounds: [SavedRounds.Key: SavedRounds] = [:]
  /// Environment variables that are read.
  private(set) var variables: Set<String> = []

  package init(
    _ context: SavingContext, number: Int, logIndex: Int?, directory: String, ownLabel: String? = nil
  ) {
    self.context = context
    self.number = number
    self.logIndex = logIndex
    self.directory = directory
    self.ownLabel = ownLabel
  }

  /// Changes one expression, but not its parts.
  package mutating func rewrite(_ expression: inout ExpressionSyntax) {
    switch expression {
    case .reference(var node):
      follow(&node)
      expression = .reference(node)
    case .call(var call) where call.name.text == "file":
      guard let path = call.arguments.first?.value.plainText else { return }
      call.arguments[0].value = movedPath(path) ?? call.arguments[0].value
      expression = .call(call)
    default: break
    }
  }

  /// The file that a body is saved to is relative to the script, too.
  package mutating func movePath(in clause: inout ClauseSyntax) {
    guard case .save(let value) = clause.kind, let path = value.plainText, path != "-", let moved = movedPath(path)
    else {
      return
    }
    clause.kind = .save(moved)
  }

  package mutating func need(name index: Int) { names.insert(index) }

  /// `$login.path…`, for a response that is needed from now on.
  package mutating func reference(to answer: Int, _ path: [SegmentSyntax]) -> ReferenceSyntax {
    answers.insert(answer)
    return ReferenceSyntax(context.label(answer), path)
  }

  private mutating func follow(_ node: inout ReferenceSyntax) {
    let name = node.root.text
    if name == "env" {
      if case .name(let variable)? = node.segments.first?.kind { variables.insert(variable) }
      return
    }
    if name == ownLabel { return node.root.text = context.label(number) }
    let answer =
      name == "_"
      ? number - 1
      : Int(name) ?? context.exchanges.prefix(number - 1).lastIndex { $0.label == name }.map { $0 + 1 }
    let declaration = context.log.declaration(of: name, before: logIndex ?? context.log.entries.count)
    if let declaration, answer.map({ context.log.entries[declaration].answersBefore >= $0 }) ?? true {
      names.insert(declaration)
      node.root.text = context.name(atLogIndex: declaration) ?? name
    } else if Int(name) == nil, let list = SavedRounds(named: name, before: number, in: context) {
      rounds[list.key] = list
      answers.formUnion(list.numbers)
      node.root.text = context.rounds[list.key] ?? name
    } else if let found = answer, found >= 1, found < number {
      let answer = context.replacements[found] ?? found
      answers.insert(answer)
      node.root.text = context.label(answer)
    }
  }

  /// A path relative to the working directory as one relative to the file's; nil where they are the same.
  private func movedPath(_ path: String) -> ExpressionSyntax? {
    let moved = RelativePath.path(
      of: path, in: directory, seenFrom: context.directory, workingDirectory: context.workingDirectory)
    return moved == path ? nil : .text(moved)
  }
}
