internal import Diagnostics
internal import HTTPTypes
internal import Imports
package import RequestProgram
package import RequestSyntax
package import Requests
internal import Sessions
internal import UploaderCore

/// Makes a script from what was explored at a prompt: one that sends the same requests again, with whatever the
/// responses bring then.
package struct ScriptSaver {
  /// A script to be written, and what to tell about it.
  package struct Script {
    package var pieces: [ScriptSyntax] = []
    /// The steps with their responses, in the order of the file.
    package var steps: [SavedStep] = []
    /// What is written of each of them.
    package var written: [ScriptSyntax] = []
    /// Environment variables that it reads, with their values here.
    package var variables: [String: String] = [:]
    /// What reads those that only a number tells apart: a step's label, a profile.
    package var readers: [String: String] = [:]
    package var notes: [String] = []
    /// The numbers of responses that failed, and are in it since something refers to them.
    package var neededFailures: [Int] = []
    /// What was taken to be a secret: no form of it may be in the text.
    package var secrets: Set<Secret> = []
    /// `A_PASSWORD (login), A_PASSWORD_2 (post-login-2)`
    package func list(_ variables: [String]) -> String {
      variables.map { name in name + (readers[name].map { " (\($0))" } ?? "") }.joined(separator: ", ")
    }
    /// What was typed where it asks a question, by the questions: nobody is asked again to see whether it is right.
    package var replies: [String: String] = [:]

    /// The numbers of the first step that is written with one of these in it.
    package func numbers(ofStepWriting secrets: Set<Secret>) -> [Int] {
      let index = written.firstIndex { step in
        WrittenSecrets(SyntaxPrinter.print(step), variables: variables.keys).leak(of: secrets) != nil
      }
      return index.map { steps[$0].numbers } ?? []
    }

    /// In the canonical style.
    package var text: String {
      let text = SyntaxPrinter.print(pieces)
      let parsed = Parser.parse(SourceText(name: "", text: text))
      return parsed.errors.isEmpty ? SyntaxPrinter.format(parsed.script) : text
    }
  }

  private let selection: SaveSelection
  private let environment: [String: String]
  private let session: ProgramRequestSequence
  /// The responses that ended a step that failed.
  private let failed: Set<Int>
  private var context: SavingContext
  private var steps: [SavedStep] = []
  /// The lists of a loop's responses that the last draft refers to, in the order of the loops.
  private var rounds: [SavedRounds] = []
  private var notes: [String] = []
  private var neededFailures: [Int] = []
  /// The responses that are referred to in place of ones that failed, by the numbers of those.
  private var replacements: [Int: Int] = [:]
  /// The steps that failed and are not saved, unless another needs them.
  private var leftOut: [LeftOut] = []
  /// The numbers of the responses that set each cookie, in order.
  private let cookieSetters: [SentCookie: [Int]]
  /// What is to be said of a step that got an end, if it is kept.
  private var bounds: [Int: String] = [:]

  package init(
    _ selection: SaveSelection, exchanges: [Exchange], failed: Set<Int> = [], log: SessionLog,
    session: ProgramRequestSequence,
    secrets: some Sequence<Secret>, environment: [String: String], workingDirectory: String
  ) {
    self.selection = selection
    self.environment = environment
    self.session = session
    self.failed = failed
    var setters: [SentCookie: [Int]] = [:]
    for (index, exchange) in exchanges.enumerated() {
      for cookie in exchange.setCookies { setters[cookie, default: []].append(index + 1) }
    }
    cookieSetters = setters
    context = SavingContext(
      exchanges: exchanges, log: log, values: AnsweredValues(exchanges),
      secrets: secrets.sorted { ($0.withExposedText(\.count), $1.name) > ($1.withExposedText(\.count), $0.name) },
      directory: ScriptFile.directory(of: selection.file), workingDirectory: workingDirectory)
  }

  /// What a response that failed has brought comes from one that did not fail, if there is one with which the script
  /// is right: the form that a wrong password brings again was there before.
  ///
  /// What only looks like the value of a response, so that a request would be another, is written as it was typed.
  ///
  /// - Parameter differences: those between what a script sends and what was sent.
  package mutating func script(checkedBy differences: (Script) -> [SavedScriptProof.Difference]) -> Script {
    var best = self
    var script = best.script()
    let found = differences(script)
    let mistaken = Set(found.compactMap(\.number))
    if !mistaken.isEmpty {
      var attempt = self
      attempt.context.values.literal = mistaken
      let candidate = attempt.script()
      if differences(candidate).count < found.count {
        context.values.literal = mistaken
        (best, script) = (attempt, candidate)
      }
    }
    for number in script.neededFailures {
      for other in alternatives(to: number) {
        var attempt = self
        attempt.replacements[number] = other
        let candidate = attempt.script()
        guard !candidate.steps.contains(where: { $0.numbers.contains(number) }), differences(candidate).isEmpty else {
          continue
        }
        replacements[number] = other
        (best, script) = (attempt, candidate)
        break
      }
    }
    self = best
    return script
  }

  /// Those before it that did not fail and have a body of the same type, the last one first.
  private func alternatives(to number: Int) -> some Sequence<Int> {
    let type = context.exchanges[number - 1].response.headers[.contentType]
    return (1..<number).reversed().lazy.filter { other in
      context.exchanges[other - 1].response.headers[.contentType] == type && failure(of: stepAsWritten(other)) == nil
    }
    .prefix(Self.mostAlternatives)
  }

  private static let mostAlternatives = 8

  package mutating func script() -> Script {
    context.replacements = replacements
    choose()
    collapse()
    // Each pass may find another response that is needed; the last one finds none.
    while true {
      name()
      let draft = written()
      let kept = Set(steps.flatMap(\.numbers))
      let missing = draft.answers.union(cookieSetters(besides: kept)).subtracting(kept)
      let isSettled =
        missing.isEmpty && draft.bareProfile == context.bareProfile && draft.rounds.count == rounds.count
        && draft.declared == context.declared && draft.secretVariables == context.secretVariables
      context.secretVariables = draft.secretVariables
      context.bareProfile = draft.bareProfile
      context.declared = draft.declared
      rounds = draft.rounds
      if isSettled {
        var script = draft.script
        script.notes = leftOutNotes + script.notes
        script.neededFailures = neededFailures
        for (failed, other) in replacements.sorted(by: { $0.key < $1.key }) {
          script.notes.append("what $\(failed) brought is taken from $\(other), which brought the same")
        }
        script.notes += steps.compactMap { undeclared(in: $0, besides: script.secrets) }
        return script
      }
      for number in missing.sorted() {
        steps.append(step(number))
        notes += [bounds[number]].compactMap(\.self)
        let failed = leftOut.first { $0.numbers.contains(number) }
        leftOut.removeAll { $0.numbers.contains(number) }
        let failure = failed?.failure ?? self.failure(of: stepAsWritten(number))
        if failure != nil, draft.answers.contains(number) { neededFailures.append(number) }
        let which = failure.map { "$\(number), which \($0)" } ?? "$\(number)"
        notes.append("added \(which): its \(draft.answers.contains(number) ? "response" : "cookie") is needed")
      }
      steps.sort { $0.number < $1.number }
    }
  }

  /// What a response calls a credential, and nobody used: nothing in the script makes a secret of it.
  private func undeclared(in step: SavedStep, besides secrets: Set<Secret>) -> String? {
    let response = step.exchange.response
    guard let number = step.numbers.last, let label = context.labels[number], response.isJSON,
      response.body.count <= Self.longestSignIn, let bytes = try? response.body.bytes(),
      SensitiveName.mayOccur(inJSON: bytes)
    else { return nil }
    let known = secrets.union(context.secrets)
    let found = NamedSecrets.values(inBody: String(decoding: bytes, as: UTF8.self)).first { value in
      value.text.utf8.count >= Secret.fewestBytesOfLong && SensitiveName.isCredential(value.name)
        && !context.values.isSent(value.text) && !known.contains { $0.withExposedText { $0 == value.text } }
    }
    guard let found, let origin = context.values.origin(ofSecret: found.text, before: number + 1),
      origin.number == number
    else { return nil }
    let path = SyntaxPrinter.print(ExpressionSyntax.reference(ReferenceSyntax(label, origin.path)))
    return "a run records the \(found.name) that \(label) brings, unless it is declared: secret name = \(path) for …"
  }

  /// Nobody signs in with a response that is longer, in bytes.
  private static let longestSignIn = 64 << 10

  // MARK: Which steps

  private func stepAsWritten(_ number: Int) -> SavedStep {
    SavedStep(
      number, context.exchanges[number - 1], log: context.log, used: session.program.usedSources, session: session)
  }

  private mutating func step(_ number: Int) -> SavedStep {
    var step = stepAsWritten(number)
    step.normalize()
    if let time = step.boundStream() {
      bounds[number] =
        "$\(number) was stopped before its end: it is looked at for \(time); \"stream until …\" ends it by what comes"
    }
    return step
  }

  private var sessionProfiles: SessionProfiles { session.profiles ?? SessionProfiles() }

  /// All rounds of the step that one of them is of: a script has the step with its repetition.
  private func rounds(with number: Int) -> ClosedRange<Int> {
    var (first, last) = (number, number)
    while continues(first) { first -= 1 }
    while last < context.exchanges.count, continues(last + 1) { last += 1 }
    return first...last
  }

  /// Whether it is a later round of the step before it. Most are none, which their descriptions say.
  private func continues(_ number: Int) -> Bool {
    number > 1 && context.exchanges[number - 1].description.head.round ?? 1 > 1
      && stepAsWritten(number - 1).isRound(before: stepAsWritten(number))
  }

  private mutating func choose() {
    var chosen: [SavedStep] = []
    var numbers: [Int] = []
    for number in selection.numbers where number > numbers.last ?? 0 { numbers += rounds(with: number) }
    for number in numbers {
      let step = step(number)
      if let last = chosen.last, last.isRound(before: step) {
        chosen[chosen.count - 1].numbers.append(number)
        chosen[chosen.count - 1].exchange = step.exchange
        continue
      }
      chosen.append(step)
    }
    for step in chosen {
      guard let failure = failure(of: step), selection.named.isDisjoint(with: step.numbers) else {
        steps.append(step)
        notes += step.numbers.compactMap { bounds[$0] }
        continue
      }
      leftOut.append(LeftOut(numbers: step.numbers, failure: failure))
    }
  }

  /// All rounds of a step that is not saved, and what went wrong with it.
  private struct LeftOut {
    var numbers: [Int]
    var failure: String
  }

  /// What is said of the steps that are not saved, and how to save them.
  private var leftOutNotes: [String] {
    var stretches: [LeftOut] = []
    for step in leftOut where !step.numbers.isEmpty {
      if let last = stretches.last, last.failure == step.failure, last.numbers.last.map({ $0 + 1 }) == step.numbers[0] {
        stretches[stretches.count - 1].numbers += step.numbers
      } else {
        stretches.append(step)
      }
    }
    var notes = stretches.map { stretch in
      let (first, last) = (stretch.numbers[0], stretch.numbers[stretch.numbers.count - 1])
      return "left out \(first == last ? "$\(last)" : "$\(first)..$\(last)"), which \(stretch.failure)"
    }
    if let last = leftOut.last?.numbers.last {
      let which = leftOut.count == 1 ? "to keep it" : "to keep one of them, name it, such as $\(last)"
      notes.append("\(which): :save \(selection.keeping(last))")
    }
    return notes
  }

  /// What went wrong with it; nil if it is as it should be.
  private func failure(of step: SavedStep) -> String? {
    let status = step.exchange.response.status.code
    let isExpected = step.step.expectedStatuses.map { $0.contains { $0.contains(status) } } ?? (status < 400)
    if !isExpected { return "failed with \(status)" }
    guard let last = step.numbers.last, failed.contains(last) else { return nil }
    if step.step.repetition != nil { return "was repeated without getting there" }
    return switch step.exchange.response.cut {
    case .interrupted: "was ended before all of it came"
    case nil: "was not as expected"
    default: "was cut short"
    }
  }

  /// The same read-only request, sent several times, is one step; if it waited for something, it repeats until that
  /// holds.
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
      let awaited = PollCondition(numbers.map { context.exchanges[$0 - 1] }, secrets: context.secrets)
      collapsed[index].repetition = awaited?.repetition
      let list = "\(numbers.dropLast().map { "$\($0)" }.joined(separator: ", ")) and $\(numbers[numbers.count - 1])"
      notes.append(
        awaited.map { "\(list) became one step that repeats until \(SyntaxPrinter.print($0.repetition.condition))" }
          ?? "\(list) are the same request: saved once")
    }
    steps = collapsed
  }

  /// The responses that set the cookies with which the steps were sent, if they are not among these.
  private func cookieSetters(besides kept: Set<Int>) -> Set<Int> {
    var setters: Set<Int> = []
    for number in kept {
      for cookie in context.exchanges[number - 1].keptCookies(in: sessionProfiles) {
        // One that failed may only have set it again.
        let all = cookieSetters[cookie]?.filter { $0 < number } ?? []
        guard let last = all.last, !all.contains(where: kept.contains) else { continue }
        let setter = all.last { failure(of: stepAsWritten($0)) == nil } ?? last
        // One that failed is needed only if no other brings a cookie of that name.
        let isElsewhere = cookieSetters.contains { other, numbers in
          other.name == cookie.name && numbers.contains { $0 < number && kept.contains($0) }
        }
        if !isElsewhere || failure(of: stepAsWritten(setter)) == nil { setters.insert(setter) }
      }
    }
    return setters
  }

  // MARK: Names

  private mutating func name() {
    context.labels = [:]
    var taken = Set(context.log.entries.compactMap(\.node.declaredName)).union(context.declared.values)
    func unique(_ wanted: String, isNumbered: Bool = false) -> String {
      var count = 1
      var name = isNumbered ? "\(wanted)-1" : wanted
      while !taken.insert(name).inserted {
        count += 1
        name = "\(wanted)-\(count)"
      }
      return name
    }
    for list in rounds { context.rounds[list.key] = unique(list.key.label) }
    let redactor = Redactor(Set(context.secrets))
    for step in steps {
      let list = rounds.first { !$0.numbers.isDisjoint(with: step.numbers) }
      let label =
        list.flatMap { context.rounds[$0.key] }.map { unique($0, isNumbered: true) }
        ?? unique(step.step.label?.text ?? StepName.name(of: step.exchange, hiding: redactor))
      for number in step.numbers { context.labels[number] = label }
    }
  }

  // MARK: The text

  private struct Draft {
    var script: Script
    var answers: Set<Int>
    var bareProfile: String?
    var rounds: [SavedRounds]
    /// What declarations have to be called, so that each name is declared once.
    var declared: [Int: String]
    /// The variables that its secrets are made from.
    var secretVariables: Set<String>
  }

  /// What is said of texts that were typed and that earlier responses have, too.
  private static func note(on texts: [String], of number: Int) -> String? {
    guard let first = texts.first else { return nil }
    let one = "$\(number): \"\(CutText.cut(first, to: 40))\""
    return texts.count == 1
      ? "\(one) is taken from the earlier response that has it, too"
      : "\(one) and \(texts.count - 1) more are taken from the earlier responses that have them, too"
  }

  private func written() -> Draft {
    var profiles = SavedProfiles(session: sessionProfiles)
    let declared = context.log.entries.compactMap(\.node.declaredName)
    var secrets = SavedSecrets(
      names: Set(declared).union(context.labels.values).union(context.declared.values), environment: environment)
    var answers: Set<Int> = []
    var names: Set<Int> = []
    var rounds: [SavedRounds.Key: SavedRounds] = [:]
    /// The profiles that need the declarations.
    var users: [Int: Set<String>] = [:]
    /// The variables of secrets that are read elsewhere, with the profile there.
    var sharing: [(variable: String, profile: String)] = []
    var written: [ScriptSyntax] = []
    var coincidences: [String] = []
    for step in steps {
      var rewriter = StepRewriter(step, context, profiles: profiles, secrets: secrets)
      let script = rewriter.script()
      written.append(
        rewriter.references.answers.isEmpty || context.values.literal.contains(step.number)
          ? script
          : SameResource(after: zip(steps, written)).target(
            of: step, as: script, referringTo: rewriter.references.answers))
      let shared = rewriter.references.variables.intersection(context.secretVariables)
      if !shared.isEmpty || rewriter.references.names.contains(where: context.log.mayBeMadeFromSecrets) {
        rewriter.needProfile()
      }
      if let note = Self.note(on: rewriter.coincidences, of: step.number) { coincidences.append(note) }
      profiles = rewriter.profiles
      secrets = rewriter.secrets
      answers.formUnion(rewriter.references.answers)
      names.formUnion(rewriter.references.names)
      rounds.merge(rewriter.references.rounds) { $1 }
      for name in rewriter.references.names { users[name, default: []].formUnion(rewriter.profile.map { [$0] } ?? []) }
      for variable in rewriter.references.variables { secrets.need(variable: variable) }
      for variable in shared.sorted() { sharing += rewriter.profile.map { [(variable, $0)] } ?? [] }
    }
    let exchanges = steps.flatMap(\.numbers).map { context.exchanges[$0 - 1] }
    let keepers = Set(exchanges.filter { !$0.keptCookies(in: sessionProfiles).isEmpty }.map(\.profile))
    var pieces: [ScriptSyntax] = []
    for name in profiles.used {
      var writer = ProfileWriter(
        name, context, session: sessionProfiles, secrets: secrets, keepsCookies: keepers.contains(name))
      pieces.append(writer.script())
      secrets = writer.secrets
      answers.formUnion(writer.answers)
      names.formUnion(writer.names)
      rounds.merge(writer.rounds) { $1 }
      for declaration in writer.names { users[declaration, default: []].insert(name) }
    }
    pieces += profiles.hosts.map { host in
      let address = ExpressionSyntax.value("\(host.origin)")
      return ScriptSyntax([.profile(ProfileSyntax(host.name, [host.hasBase ? .base(address) : .origin(address)]))])
    }
    var declarations: [Declaration] = []
    var replies: [String: String] = [:]
    var seen: Set<Int> = []
    while let index = names.subtracting(seen).max() {
      seen.insert(index)
      let declaration = Declaration(index, context, for: users[index, default: []].sorted(), secrets: &secrets)
      declarations.append(declaration)
      replies.merge(declaration.reply.map { [$0.question: $0.text] } ?? [:]) { $1 }
      answers.formUnion(declaration.answers)
      names.formUnion(declaration.names)
      rounds.merge(declaration.rounds) { $1 }
      for name in declaration.names { users[name, default: []].formUnion(users[index, default: []]) }
    }
    for (variable, profile) in sharing { secrets.share(variable, with: profile) }
    secrets.shareParts()
    declarations.sort { $0.index < $1.index }
    let (apart, repeated) = distinctNames(of: declarations, besides: secrets.names.union(context.rounds.values))
    declarations.removeAll { repeated.contains($0.index) }
    // What is made from a name comes after what that is made from.
    var brought: [Int: Set<Int>] = [:]
    for position in declarations.indices {
      for name in declarations[position].names { declarations[position].answers.formUnion(brought[name] ?? []) }
      brought[declarations[position].index] = declarations[position].answers
    }

    pieces.append(ScriptSyntax(secrets.lines.filter { $0.number == nil }.map(\.statement)))
    pieces += declarations.filter { $0.answers.isEmpty }.map(\.script)
    let lists = rounds.values.sorted { $0.key < $1.key }
    for (step, script) in zip(steps, written) {
      pieces.append(script)
      for list in lists where list.numbers.max().map(step.numbers.contains) ?? false {
        let name = context.rounds[list.key] ?? list.key.label
        pieces.append(ScriptSyntax([list.declaration(named: name, in: context)]))
      }
      pieces.append(
        ScriptSyntax(secrets.lines.filter { $0.number.map(step.numbers.contains) ?? false }.map(\.statement)))
      pieces += declarations.filter { $0.answers.max().map(step.numbers.contains) ?? false }.map(\.script)
    }
    let lost = steps.flatMap { step in
      step.lost.map {
        "$\(step.number): left out, since its names are known only in its block: \(SyntaxPrinter.print($0))"
      }
        + step.lostSnapshots.map {
          "$\(step.number): left out, since its file is beside another script: \(SyntaxPrinter.print($0))"
        }
    }
    var script = Script(
      pieces: pieces, steps: steps, written: written, variables: secrets.variables, notes: notes + lost + coincidences)
    script.readers = Self.readers(of: secrets, in: written + pieces)
    if !secrets.variables.isEmpty {
      let text = "Needs in the environment: \(script.list(secrets.variables.keys.sorted()))"
      let comment = CommentSyntax(text, standsAlone: true, endsParagraph: true)
      script.pieces.insert(ScriptSyntax([], comments: [comment]), at: 0)
    }
    script.replies = replies
    // What the history would hide and has no name here: it is not written.
    let typed = TypedStatement(script.text)
    script.secrets = Set(
      secrets.texts.union(typed.values)
        // A reference that was written as a text, `"Bearer $token"`, says nothing.
        .filter { $0.utf8.count >= Secret.fewestBytes && $0.wholeMatch(of: /\$[A-Za-z_][\w-]*/) == nil }
        .map { Secret($0, name: secrets.name(ofText: $0) ?? typed.names[$0] ?? "a secret", for: []) })
    // In a comment nothing has to stay as it is.
    let redactor = Redactor(script.secrets.union(context.secrets))
    for index in script.pieces.indices.dropFirst(secrets.variables.isEmpty ? 0 : 1) {
      script.pieces[index].comments = script.pieces[index].comments.map { $0.redacted(by: redactor) }
    }
    return Draft(
      script: script, answers: answers, bareProfile: profiles.bareProfile, rounds: lists, declared: apart,
      secretVariables: secrets.ownVariables)
  }

  /// At the prompt a name may be declared again; in a file, another declaration has another name.
  ///
  /// - Parameters:
  ///   - declarations: in the order of the log.
  ///   - taken: names of something else.
  /// - Returns: the names of those that are not called as they were, and those that say the same as one before them.
  private func distinctNames(
    of declarations: [Declaration], besides taken: Set<String>
  ) -> (apart: [Int: String], repeated: Set<Int>) {
    var known: [String: [(content: StatementSyntax, name: String)]] = [:]
    var (apart, repeated): ([Int: String], Set<Int>) = ([:], [])
    var taken = taken
    for declaration in declarations {
      let name = declaration.name
      if let same = known[name]?.first(where: { $0.content == declaration.content }) {
        repeated.insert(declaration.index)
        if same.name != name { apart[declaration.index] = same.name }
        continue
      }
      var own = name
      if known[name] != nil {
        // What it was called in the draft before stays its own.
        own = context.declared[declaration.index].flatMap { apart.values.contains($0) ? nil : $0 } ?? name
        var count = 1
        while own == name || (taken.contains(own) && own != context.declared[declaration.index]) {
          count += 1
          own = "\(name)-\(count)"
        }
        apart[declaration.index] = own
        taken.insert(own)
      }
      known[name, default: []].append((declaration.content, own))
    }
    return (apart, repeated)
  }

  /// What reads the variables that only a number tells apart.
  ///
  /// - Parameter pieces: the steps first.
  private static func readers(of secrets: SavedSecrets, in pieces: [ScriptSyntax]) -> [String: String] {
    let groups = Dictionary(grouping: secrets.variables.keys) { $0.replacing(/_[0-9]+$/, with: "") }
    let numbered = groups.filter { $0.value != [$0.key] }.values.joined()
    if numbered.isEmpty { return [:] }
    let texts = pieces.compactMap { piece in piece.readerName.map { ($0, SyntaxPrinter.print(piece)) } }
    var readers: [String: String] = [:]
    for variable in numbered {
      let source = ExpressionSyntax.environment(variable)
      let names = ["env.\(variable)"] + secrets.lines.filter { $0.source == source }.map(\.name)
      readers[variable] =
        texts.first { _, text in
          names.contains { name in
            text.ranges(of: "$\(name)").contains { range in
              let next = text[range.upperBound...].first
              return next.map { !($0.isLetter || $0.isNumber || "-_".contains($0)) } ?? true
            }
          }
        }?.0
    }
    return readers
  }

  /// A `let` or `secret` that the script takes over.
  private struct Declaration {
    let index: Int
    /// As it was declared.
    let name: String
    let script: ScriptSyntax
    /// The same, whatever it is called and wherever it was written.
    let content: StatementSyntax
    /// The responses that it needs.
    var answers: Set<Int>
    let names: Set<Int>
    let rounds: [SavedRounds.Key: SavedRounds]
    /// What was typed, if it asks a question.
    let reply: (question: String, text: String)?

    /// - Parameter profiles: those of the steps that need it.
    init(_ index: Int, _ context: SavingContext, for profiles: [String], secrets: inout SavedSecrets) {
      self.index = index
      let entry = context.log.entries[index]
      var references = ReferenceRewriter(
        context, number: context.number(atLogIndex: index), logIndex: index, directory: entry.directory)
      var node = entry.node
      node.rewriteEach { references.rewrite(&$0) }
      answers = references.answers
      var names = references.names
      rounds = references.rounds
      for variable in references.variables { secrets.need(variable: variable) }
      reply = Self.reply(in: entry.node, context)
      if case .secret(var declaration) = node, declaration.isKnownHere,
        let secret = context.secrets.first(where: { $0.name == declaration.name.text })
      {
        declaration.value = secrets.environment(
          holding: declaration.value.plainText ?? secret.withExposedText { $0 }, of: declaration)
        node = .secret(declaration)
      } else if !profiles.isEmpty {
        let literals = LiteralSecrets(node)
        node.rewriteEach { value in
          literals.rewrite(&value) { text, hint in
            let known = context.log.secret(for: profiles, before: index) { secrets.isHeld(text, in: $0) }
            guard let known, let name = context.name(atLogIndex: known) else {
              return secrets.reference(toText: text, hint: hint, for: profiles)
            }
            names.insert(known)
            return .reference(name)
          }
        }
      }
      self.names = names
      name = entry.node.declaredName ?? ""
      content = node.named("")
      node = node.named(context.name(atLogIndex: index) ?? name)
      script = ScriptSyntax([node], comments: entry.comments.map(\.withoutSecrets))
    }

    private static func reply(in node: StatementSyntax, _ context: SavingContext) -> (question: String, text: String)? {
      guard case .secret(let declaration) = node, case .call(let call) = declaration.value, call.name.text == "ask",
        let question = call.arguments.first?.value.plainText,
        let secret = context.secrets.first(where: { $0.name == declaration.name.text })
      else { return nil }
      return (question, secret.withExposedText { $0 })
    }
  }
}

extension CommentSyntax {
  fileprivate func redacted(by redactor: Redactor) -> CommentSyntax {
    var comment = self
    comment.text = redactor.redact(text)
    return comment
  }
}

extension SavedStep {
  /// Whether the other is the next round of the same step.
  fileprivate func isRound(before other: SavedStep) -> Bool {
    let (one, two) = (exchange.description.head, other.exchange.description.head)
    return other.step.repetition != nil && one.place != nil && one.place == two.place && one.items == two.items
      && (two.round ?? 1) > 1
  }
}

extension SessionLog {
  /// Whether the declaration, or one before it, has something in it that the history would hide.
  fileprivate func mayBeMadeFromSecrets(_ index: Int) -> Bool {
    entries[...index].contains { entry in
      if case .binding = entry.node {
        !TypedStatement(SyntaxPrinter.print(ScriptSyntax([entry.node]))).names.isEmpty
      } else {
        false
      }
    }
  }
}

extension SecretSyntax {
  /// Whether its value may not be in a file, or cannot be had from one: it is written there, or a program says it.
  fileprivate var isKnownHere: Bool {
    if case .call(let call) = value { return call.name.text == "command" }
    var (isWritten, isRead) = (false, false)
    value.forEach { node in
      switch node {
      case .string(let string): isWritten = isWritten || string.plainText?.isEmpty == false
      case .reference, .call, .member: isRead = true
      default: break
      }
    }
    return isWritten && !isRead
  }
}

extension StatementSyntax {
  /// The same `let` or `secret` under another name.
  fileprivate func named(_ name: String) -> StatementSyntax {
    switch self {
    case .binding(var node):
      node.name.text = name
      return .binding(node)
    case .secret(var node):
      node.name.text = name
      return .secret(node)
    default: return self
    }
  }
}

extension SavedSecrets {
  /// What stands in a declaration for a text.
  fileprivate mutating func reference(toText text: String, hint: String, for profiles: [String]) -> ExpressionSyntax {
    // A text this short cannot be a secret here: hiding it would hide everything.
    text.utf8.count < Secret.fewestBytes
      ? .environment(variable(holding: text, hint: hint, profile: profiles.first ?? ""))
      : .reference(name(ofText: text, hint: hint, beforeResponsesFor: profiles))
  }
}

extension ScriptSyntax {
  /// How a reader finds it: the label of its step, or its profile.
  fileprivate var readerName: String? {
    for statement in statements {
      switch statement {
      case .step(let step): return step.label?.text
      case .profile(let profile): return "profile \(profile.name.text)"
      default: continue
      }
    }
    return nil
  }
}
