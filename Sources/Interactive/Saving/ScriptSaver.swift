internal import Diagnostics
internal import HTTPTypes
internal import JSONValue
internal import RequestSyntax
internal import Requests
internal import Sessions

/// Makes a script of what was explored at a prompt: one that sends the same requests again, with whatever the answers
/// bring then.
struct ScriptSaver {
  /// A script to be written, and what to tell about it.
  struct Script {
    var text = ""
    /// The answers behind each step, in the order of the file.
    var steps: [SavedStep] = []
    /// Environment variables that it reads, with what they held here.
    var variables: [String: String] = [:]
    var notes: [String] = []
    /// What was taken for a secret: no form of it may stand in the text.
    var secrets: Set<Secret> = []
  }

  private let selection: SaveSelection
  private let environment: [String: String]
  private let sessionProfiles: SessionProfiles
  private var context: SavingContext
  private var steps: [SavedStep] = []
  private var notes: [String] = []

  init(
    _ selection: SaveSelection, exchanges: [Exchange], log: SessionLog, profiles: SessionProfiles,
    secrets: some Sequence<Secret>, environment: [String: String], workingDirectory: String
  ) {
    self.selection = selection
    self.environment = environment
    sessionProfiles = profiles
    context = SavingContext(
      exchanges: exchanges, log: log, values: AnsweredValues(exchanges),
      secrets: secrets.sorted { ($0.withExposedText(\.count), $1.name) > ($1.withExposedText(\.count), $0.name) },
      directory: ScriptFile.directory(of: selection.file), workingDirectory: workingDirectory)
  }

  mutating func script() -> Script {
    choose()
    collapse()
    // Each look may find another answer that is needed; the last one finds none.
    while true {
      name()
      let draft = written()
      let missing = draft.answers.filter { number in !steps.contains { $0.numbers.contains(number) } }
      let isSettled = missing.isEmpty && draft.bareProfile == context.bareProfile
      context.bareProfile = draft.bareProfile
      if isSettled { return draft.script }
      for number in missing.sorted() {
        guard let step = step(number) else { continue }
        steps.append(step)
        notes.append("added $\(number): its answer is needed")
      }
      steps.sort { $0.number < $1.number }
    }
  }

  // MARK: Which steps

  private func step(_ number: Int) -> SavedStep? {
    SavedStep(number, context.exchanges[number - 1], log: context.log)
  }

  private mutating func choose() {
    for number in selection.numbers {
      guard let step = step(number) else { continue }
      if let last = steps.last, last.logIndex != nil, last.logIndex == step.logIndex, step.step.repetition != nil {
        steps[steps.count - 1].numbers.append(number)
        steps[steps.count - 1].exchange = step.exchange
        continue
      }
      let status = step.exchange.response.status.code
      let isExpected = step.step.expectedStatuses.map { $0.contains { $0.contains(status) } } ?? (status < 400)
      if !isExpected, !selection.named.contains(number) {
        notes.append(
          "left out $\(number), which failed with \(status); name it to keep it: \(selection.file) \(number)")
        continue
      }
      steps.append(step)
    }
  }

  /// The same look, taken several times, is one step; if it waited for something, it repeats until that is so.
  private mutating func collapse() {
    var collapsed: [SavedStep] = []
    for step in steps {
      guard let last = collapsed.last, last.isSameLook(as: step) else {
        collapsed.append(step)
        continue
      }
      var merged = step
      merged.numbers = last.numbers + step.numbers
      collapsed[collapsed.count - 1] = merged
    }
    for index in collapsed.indices where collapsed[index].numbers.count > 1 && collapsed[index].step.repetition == nil {
      let numbers = collapsed[index].numbers
      let awaited = AwaitedChange(numbers.map { context.exchanges[$0 - 1] }, secrets: context.secrets)
      collapsed[index].repetition = awaited?.clause
      let list = numbers.map { "$\($0)" }.joined(separator: " ")
      notes.append(
        awaited.map { "\(list) became one step that repeats until \($0.condition)" }
          ?? "\(list) are the same request: saved once")
    }
    steps = collapsed
  }

  // MARK: Names

  private mutating func name() {
    context.labels = [:]
    var taken = Set(context.log.entries.compactMap(\.node.declaredName))
    for step in steps {
      let wanted = step.step.label?.text ?? StepName.name(of: step.exchange)
      var label = wanted
      var count = 1
      while !taken.insert(label).inserted {
        count += 1
        label = "\(wanted)-\(count)"
      }
      for number in step.numbers { context.labels[number] = label }
    }
  }

  // MARK: The text

  private struct Draft {
    var script: Script
    var answers: Set<Int>
    var bareProfile: String?
  }

  private func written() -> Draft {
    var profiles = SavedProfiles(session: sessionProfiles)
    let declared = context.log.entries.compactMap(\.node.declaredName)
    var secrets = SavedSecrets(names: Set(declared).union(context.labels.values), environment: environment)
    var answers: Set<Int> = []
    var names: Set<Int> = []
    var texts: [String] = []
    for step in steps {
      var rewriter = StepRewriter(step, context, profiles: profiles, secrets: secrets)
      texts.append(rewriter.text())
      profiles = rewriter.profiles
      secrets = rewriter.secrets
      answers.formUnion(rewriter.references.answers)
      names.formUnion(rewriter.references.names)
      for variable in rewriter.references.variables { secrets.need(variable: variable) }
    }
    var profileTexts: [String] = []
    for name in profiles.used {
      var writer = ProfileWriter(name, context, session: sessionProfiles, secrets: secrets)
      profileTexts.append(writer.text())
      secrets = writer.secrets
      answers.formUnion(writer.answers)
      names.formUnion(writer.names)
    }
    profileTexts += profiles.hosts.map {
      "profile \($0.name) {\n  \($0.hasBase ? "base" : "origin") \($0.origin)\n}"
    }
    var declarations: [Declaration] = []
    var seen: Set<Int> = []
    while let index = names.subtracting(seen).max() {
      seen.insert(index)
      let declaration = Declaration(index, context, secrets: &secrets)
      declarations.append(declaration)
      answers.formUnion(declaration.answers)
      names.formUnion(declaration.names)
    }
    declarations.sort { $0.index < $1.index }

    var pieces = profileTexts
    pieces += block(
      secrets.lines.filter { $0.number == nil }.map(\.text) + declarations.filter { $0.answers.isEmpty }.map(\.text))
    for (step, text) in zip(steps, texts) {
      pieces.append(text)
      let brought = secrets.lines.filter { $0.number.map(step.numbers.contains) ?? false }.map(\.text)
      let after = declarations.filter { $0.answers.max().map(step.numbers.contains) ?? false }.map(\.text)
      pieces += block(brought + after)
    }
    var script = Script(steps: steps, variables: secrets.variables, notes: notes)
    let parsed = Parser.parse(
      SourceText(
        name: selection.file, text: heading(secrets.variables.keys.sorted()) + pieces.joined(separator: "\n\n")))
    script.text = SyntaxPrinter.print(parsed.script)
    script.secrets = Set(
      secrets.texts.filter { $0.utf8.count >= Secret.fewestBytes }.map { Secret($0, name: "a secret", for: []) })
    return Draft(script: script, answers: answers, bareProfile: profiles.bareProfile)
  }

  private func block(_ lines: [String]) -> [String] {
    lines.isEmpty ? [] : [lines.joined(separator: "\n")]
  }

  private func heading(_ variables: [String]) -> String {
    variables.isEmpty ? "" : "# Needs in the environment: \(variables.joined(separator: ", "))\n\n"
  }

  /// A `let` or `secret` that the script takes over.
  private struct Declaration {
    let index: Int
    let text: String
    let answers: Set<Int>
    let names: Set<Int>

    init(_ index: Int, _ context: SavingContext, secrets: inout SavedSecrets) {
      self.index = index
      let entry = context.log.entries[index]
      var references = ReferenceRewriter(
        context, source: entry.source, number: context.number(atLogIndex: index), logIndex: index,
        directory: entry.directory)
      entry.node.declaredValue?.forEach { references.visit($0) }
      answers = references.answers
      names = references.names
      for variable in references.variables { secrets.need(variable: variable) }
      if case .secret(let node) = entry.node, case .call(let call) = node.value, call.name.text == "command",
        let secret = context.secrets.first(where: { $0.name == node.name.text })
      {
        // A script never runs a program.
        let profiles = node.profiles.map(\.text)
        let variable = secret.withExposedText {
          secrets.variable(holding: $0, hint: node.name.text, profile: profiles.first ?? "")
        }
        text = "secret \(node.name.text) = $env.\(variable) for \(profiles.joined(separator: ", "))"
      } else {
        text = references.text(entry.node.range)
      }
    }
  }
}

extension SavedSecrets.Line {
  fileprivate var text: String { "secret \(name) = \(source) for \(profile)" }
}

extension RequestSyntax.StatementSyntax {
  fileprivate var declaredValue: ExpressionSyntax? {
    switch self {
    case .binding(let node): node.value
    case .secret(let node): node.value
    case .step, .run, .sequence, .loop, .parallel, .finally, .use, .profile: nil
    }
  }

  /// The name that a `let` or `secret` gives.
  var declaredName: String? {
    switch self {
    case .binding(let node): node.name.text
    case .secret(let node): node.name.text
    case .step, .run, .sequence, .loop, .parallel, .finally, .use, .profile: nil
    }
  }
}
