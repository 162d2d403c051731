internal import Diagnostics
internal import RequestSyntax
internal import Requests

/// What a saved script is made of.
struct SavingContext {
  /// All answers of the session, `$1` first.
  var exchanges: [Exchange]
  var log: SessionLog
  var values: AnsweredValues
  /// Secrets of the session, longest first.
  var secrets: [Secret]
  /// The directory of the file, as it is called from the working directory.
  var directory: String
  var workingDirectory: String
  /// What answers are called in the file, by their numbers.
  var labels: [Int: String] = [:]
  /// The profile that bare paths take in the file.
  var bareProfile: String?

  func label(_ number: Int) -> String { labels[number] ?? "step-\(number)" }

  /// The number that the next answer had when the statement at `index` of the log was typed.
  func number(atLogIndex index: Int) -> Int {
    var number = log.entries[index].answersBefore + 1
    while number <= exchanges.count, let (step, _) = log.step(at: exchanges[number - 1].description.head.place),
      step < index
    {
      number += 1
    }
    return number
  }
}

/// Finds what an expression refers to, and writes it as the file calls it.
struct ReferenceRewriter {
  let context: SavingContext
  let source: SourceText
  /// The number of the answer that the text led to, or would have led to.
  let number: Int
  /// Where the text stands in the log; nil if a sequence brought it.
  let logIndex: Int?
  /// Where its relative paths begin; empty: the working directory.
  let directory: String
  /// The label by which a step that repeats calls the round before.
  var ownLabel: String?

  private(set) var edits = TextEdits()
  /// Answers that are referred to.
  private(set) var answers: Set<Int> = []
  /// Places in the log of the `let`s and `secret`s that are referred to.
  private(set) var names: Set<Int> = []
  /// Environment variables that are read.
  private(set) var variables: Set<String> = []

  init(
    _ context: SavingContext, source: SourceText, number: Int, logIndex: Int?, directory: String,
    ownLabel: String? = nil
  ) {
    self.context = context
    self.source = source
    self.number = number
    self.logIndex = logIndex
    self.directory = directory
    self.ownLabel = ownLabel
  }

  /// The text of the range with references as the file calls them.
  func text(_ range: SourceRange) -> String {
    edits.applied(to: source, in: range)
  }

  /// Looks at one expression, but not into it.
  mutating func visit(_ expression: ExpressionSyntax) {
    switch expression {
    case .reference(let node): follow(node)
    case .call(let call) where call.name.text == "file": movePath(call)
    default: break
    }
  }

  mutating func need(name index: Int) { names.insert(index) }

  /// `$login`, for an answer that is needed from now on.
  mutating func reference(to answer: Int) -> String {
    answers.insert(answer)
    return "$\(context.label(answer))"
  }

  private mutating func follow(_ node: ReferenceSyntax) {
    let name = node.root.text
    if name == "env" {
      if case .name(let variable)? = node.segments.first?.kind { variables.insert(variable) }
      return
    }
    if name == ownLabel { return edits.replace(node.root.range, with: "$\(context.label(number))") }
    let answer =
      name == "_"
      ? number - 1
      : Int(name) ?? context.exchanges.prefix(number - 1).lastIndex { $0.label == name }.map { $0 + 1 }
    let declaration = logIndex.flatMap { context.log.declaration(of: name, before: $0) }
    if let declaration, answer.map({ context.log.entries[declaration].answersBefore >= $0 }) ?? true {
      names.insert(declaration)
    } else if let answer, answer >= 1, answer < number {
      edits.replace(node.root.range, with: reference(to: answer))
    }
  }

  /// A path from the working directory becomes one from the file's.
  private mutating func movePath(_ call: CallSyntax) {
    guard let argument = call.arguments.first?.value, case .string(let string) = argument, let path = string.plainText
    else { return }
    let moved = RelativePath.path(
      of: path, in: directory, seenFrom: context.directory, workingDirectory: context.workingDirectory)
    if moved != path { edits.replace(string.range, with: StatementText.literal(moved)) }
  }
}
