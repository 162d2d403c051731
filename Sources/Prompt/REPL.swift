internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import Imports
package import LineEditing
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
package import Sessions
internal import Subcommands
internal import UploadLint
internal import UploaderCore

/// The prompt: requests typed bare become steps of one growing sequence, commands begin with `:`.
package struct REPL {
  var world: World
  let printer: Printer
  var errors: ErrorPrinter
  /// Whether anything has failed, for the exit code of input that is not a terminal.
  var isFailed = false

  let session: Session
  private let progress: ProgressDisplay
  private let streams: StreamDisplay
  let editor: any LineEditor
  let history: History?
  /// How many secrets were known when the history was written last.
  private var hiddenCount = 0
  let secrets: KnownSecrets
  private let failsFast: Bool
  private let address: String?
  let given: GivenValues
  /// Everything typed so far, as a run that grows.
  var run: SequenceRun<ProgramRequestSequence>
  private var inputCount = 0
  /// What `!!` means; nil: the last request.
  private var lastLine: String?
  /// What was hidden before the line that is performed.
  private var hiddenBefore: Set<Secret> = []
  /// What the response to the last request went through.
  private var lastProgram: String?
  /// How much is shown of the responses to what was typed.
  private var amount = ReportAmount.body
  /// What `let` and `secret` declared, in order.
  private(set) var names: [String] = []
  /// What was done, as it was written.
  private(set) var log = SessionLog()
  private let bodies: BodyDocuments
  /// Shows responses.
  private var renderer = ExchangeRenderer()
  /// What the command in progress brings to the history, after its own line.
  var brought: String?
  /// The profiles whose cookies were cleared.
  var clearedCookies: Set<String> = []
  /// What the variables hold that saved scripts need, by their names there.
  var savedVariables: [String: String] = [:]
  /// The profiles of files that were imported, by name.
  var importedProfiles: [String: ProfileSyntax] = [:]
  /// What was withheld from whom, as far as it was said.
  private var toldWithheld: [Origin: Set<WithheldCredential>] = [:]
  /// The files of `curl -c`: what would be in them is kept by profiles.
  private var keptCookieFiles: Set<String> = []

  /// - Parameters:
  ///   - history: where statements are kept; nil for input that is not typed.
  ///   - secrets: receives what must not be written down.
  ///   - failsFast: whether input that is not a terminal ends at the first failure.
  ///   - address: where paths go to begin with: `https://api.example.com/v1`, `localhost:8080`.
  ///   - given: the values that names have from the beginning.
  package init(
    world: World, editor: any LineEditor, history: History?, secrets: KnownSecrets = KnownSecrets(),
    failsFast: Bool = false, address: String? = nil, given: GivenValues = [:]
  ) {
    var world = world
    world.variableAdvice = ":load .env gives those of a file"
    self.given = given
    self.world = world
    self.editor = editor
    self.history = history
    self.secrets = secrets
    self.failsFast = failsFast
    self.address = address
    bodies = BodyDocuments(patience: world.patience)
    let printer = Printer(world, secrets: secrets)
    self.printer = printer
    errors = ErrorPrinter(printer)
    renderer.namesCommand = true
    let progress = ProgressDisplay(output: world.errorOutput, now: world.clock.now)
    self.progress = progress
    let streams = StreamDisplay(printer, .body, namesCommand: true, now: world.clock.now, clear: progress.clear)
    self.streams = streams
    session = Session(
      world: world, secrets: secrets, journal: nil, report: ProgressReporter(printer, progress, streams: streams).on)
    var environment = world.programEnvironment
    environment.patience = world.filterPatience
    run = SequenceRun(ProgramRequestSequence(promptIn: environment, readFile: world.readUsedFile))
  }

  /// Reads and performs input until it ends.
  package mutating func run() async -> ExitCode {
    if editor.isInteractive {
      printer.result(StyledText("Type a request, :help, or ^D to leave.\n", .faint))
    }
    await loadOwnProfiles()
    await takeGiven()
    if let address { await open(address) }
    var statements = StatementReader(editor: editor, syntax: PromptSyntax())
    while true {
      if editor.isInteractive, let last = run.exchanges.last { bodies.prepare(last, at: run.exchanges.count - 1) }
      switch await statements.next(prompt: prompt, continuation: "... ", completer: completer) {
      case .statement(let text):
        guard await perform(input: text) else { return exitCode }
        if isFailed, failsFast, !editor.isInteractive { return exitCode }
      case .interrupted: continue
      case .endOfInput: return exitCode
      }
    }
  }

  /// The user's own profiles come first, wherever the prompt is opened.
  private mutating func loadOwnProfiles() async {
    let loader = ScriptLoader(world)
    guard let own = loader.ownDeclarations else { return }
    let checked = loader.appending(own.parsed, to: run.sequence, directory: own.directory, mayRunCommands: true)
    if checked.value == nil { return errors.print(checked.ofOwnProfiles) }
    await perform(own.parsed, directory: own.directory)
  }

  private var completer: PromptCompleter {
    PromptCompleter(
      exchanges: run.exchanges, bodies: bodies, names: names, sequences: run.sequence.program.sequenceNames,
      profiles: profiles, responses: responses, environment: Array(world.variables.keys),
      programDirectories: world.programDirectories, listDirectory: world.listDirectory, redact: secrets.redact)
  }

  /// A person has seen every failure; a program learns of it from the exit code.
  private var exitCode: ExitCode {
    isFailed && !editor.isInteractive ? .failed : .success
  }

  /// What a `$` may be followed by.
  var referable: [String] {
    let numbers = run.exchanges.indices.map { "\($0 + 1)" }
    return names + numbers + (numbers.isEmpty ? [] : ["_"])
  }

  var profiles: SessionProfiles { run.sequence.profiles ?? SessionProfiles() }

  mutating func use(profile name: String) {
    run.sequence.currentProfile = name
  }

  /// `api $2 201> `: profile, next number, last status.
  private var prompt: EditorPrompt {
    let exchanges = run.exchanges
    var text = StyledText(profiles.current ?? "(none)", .strong)
    text.append(" $\(exchanges.count + 1)")
    if let last = exchanges.last {
      let isFine = last.response.status.code < 400
      text.append(" \(last.response.status.code)", isFine ? .success : .failure)
    }
    text.append("> ")
    return EditorPrompt(text.rendered(isColored: world.output.isColored))
  }

  /// - Returns: whether the prompt continues.
  private mutating func perform(input: String) async -> Bool {
    let trimmed = input.drop(while: \.isWhitespace)
    guard !trimmed.isEmpty else { return true }
    if let (line, rest) = ForeignInput.firstLine(of: String(trimmed)) {
      guard await perform(input: line) else { return false }
      return await perform(input: rest)
    }
    if let (line, rest, needsFirst) = ForeignInput.firstCommand(of: String(trimmed)) {
      let count = run.exchanges.count
      guard await perform(input: line) else { return false }
      return needsFirst && run.exchanges.count == count ? true : await perform(input: rest)
    }
    if trimmed == "!!", let line = lastLine {
      printer.result(StyledText(TypedSecrets.masked(line) + "\n", .faint))
      return await perform(input: line)
    }
    let count = run.exchanges.count
    var piped: String?
    defer {
      remember(input)
      if let brought { remember(brought) }
      brought = nil
      // A request is sent again as it was, though the one that `$_` names is another by now.
      lastLine = run.exchanges.count == count && trimmed != "!!" ? input : nil
      if run.exchanges.count > count { lastProgram = piped }
    }
    errors.typed = input
    hiddenBefore = secrets.allHidden
    if trimmed.contains(TypedSecrets.mask) {
      fail(
        ErrorReport(
          "\(TypedSecrets.mask) stands for a text that is hidden, and cannot be sent",
          notes: ["type the text in its place, or where it came from: $1.body.url"]))
      return true
    }
    if trimmed.first == "|" {
      pipeBody(through: String(trimmed.dropFirst().drop(while: \.isWhitespace)))
      return true
    }
    if world.runProgram != nil,
      let (line, program) = ForeignInput.pipeline(String(trimmed)) ?? requestPipeline(String(trimmed))
        ?? lastProgram.flatMap({ trimmed == "!!" ? (String(trimmed), $0) : nil })
    {
      piped = program
      return await perform(line: line, through: program)
    }
    show(.body)
    if trimmed.first == ":", !RequestAddress.isLocal(trimmed.prefix { !$0.isWhitespace }) {
      return await perform(String(trimmed))
    }
    return await perform(habit: String(trimmed), typed: input)
  }

  /// `curl … | jq .`, `GET /x | jq .`: what the line brings goes through the program.
  private mutating func perform(line: String, through program: String) async -> Bool {
    let count = run.exchanges.count
    let hadFailed = isFailed
    var asked: ShownParts?
    if case .foreign(.script(let meaning))? = HabitualInput(line) { asked = meaning.parts }
    if ShellWords.joinsErrors(line) { asked?.remove(.beside) }
    let parts = PipedParts(asked)
    show(parts.shown)
    let pipe = parts.hasBody ? livePipe(program) : nil
    if let pipe { streams.pass(to: pipe.take, after: parts.head, readsJSON: PipedProgram.readsJSON(program)) }
    let goesOn = await perform(habit: line, typed: line, isPiped: true)
    streams.pass(to: nil)
    if let pipe, pipe.hasBegun {
      // What it did not want to read did not fail.
      if pipe.isUnread { isFailed = hadFailed }
      finish(pipe.finish())
    } else if run.exchanges.count > count {
      self.pipe(parts, through: program)
    }
    return goesOn
  }

  private mutating func perform(habit: String, typed input: String, isPiped: Bool = false) async -> Bool {
    switch HabitualInput(habit) {
    case nil, .foreign(.open)?: await perform(typed: Self.withParentheses(Self.withJSON(Self.withMethod(input))))
    case .command(let line)?: return await perform(line)
    case .hint(let report)?, .foreign(.hint(let report))?: fail(report)
    case .foreign(.script(let meaning))?: await perform(meaning, typed: habit, isPiped: isPiped)
    }
    return true
  }

  /// A line with a body that is no JSON, `POST /x {"a": None}`, with its keyword: what is wrong is said of the body.
  private static func withJSON(_ line: String) -> String {
    guard let request = line.prefixMatch(of: /\s*(?:[\w\-]+:\s+)?[A-Z]+\s+\S+\s+(?=\{\s*"|\[)/)?.output else {
      return line
    }
    func mistake(in text: String) -> Int? {
      Parser.parse(SourceText(name: "", text: text), items: .typed).errors.first?.range.lowerBound
    }
    let text = "\(request)json \(line.dropFirst(request.count))"
    guard mistake(in: line) == request.utf8.count, let inBody = mistake(in: text), inBody > request.utf8.count + 5
    else {
      return line
    }
    return text
  }

  /// A line whose last item is computed, `csrf=$_.body | xpath("…")`, with the parentheses that it needs there.
  private static func withParentheses(_ line: String) -> String {
    guard
      let item = line.firstMatch(of: /(?:\s\S*?(?::|=))(\$[\w\-]+(?:[.\[]\S*)?\s*\|\s*[a-z][\w\-]*\(?.*)$/)?.output.1
    else {
      return line
    }
    func isTaken(_ text: String) -> Bool {
      Parser.parse(SourceText(name: "", text: text), items: .typed).errors.isEmpty
    }
    let text = "\(line[..<item.startIndex])(\(item))"
    return !isTaken(line) && isTaken(text) ? text : line
  }

  /// A line whose method is in lowercase, as it is meant: what is wrong is said of that.
  private static func withMethod(_ line: String) -> String {
    let text = line.drop(while: \.isWhitespace)
    let word = text.prefix { !$0.isWhitespace }
    let method = word.uppercased()
    let rest = text.dropFirst(word.count)
    guard word != method, Keywords.commonMethods.contains(method),
      let next = rest.first(where: { !$0.isWhitespace }), next != "="
    else { return line }
    return method + rest
  }

  /// - Parameter isPiped: whether a program takes the response, so that what the line asks to be shown is not.
  private mutating func perform(_ meaning: MeantScript, typed line: String, isPiped: Bool) async {
    var meaning = meaning
    readCookies(for: &meaning)
    await keepCookies(for: meaning)
    guard isAccepted(meaning) else { return }
    if let file = meaning.writtenCookieFile { keptCookieFiles.insert(file) }
    for remark in meaning.remarks { errors.note(remark) }
    let script = withOwnNames(meaning.script(besideFiles: world.listDirectory("")), typed: line)
    if meaning.isOffline { return explain(script) }
    if !isPiped, let parts = meaning.parts { show(ReportAmount(parts)) }
    let count = run.exchanges.count
    // The head of the request would only repeat it.
    await perform(script, isShown: !(amount.shows(.requestHeaders) && script.isRequestLine))
    if !isPiped, let format = meaning.writeOut {
      write(format, of: run.exchanges.count > count ? run.exchanges.last : nil)
    }
  }

  /// `curl -w`
  ///
  /// - Parameter exchange: nil: there was no response.
  private func write(_ format: String, of exchange: Exchange?) {
    do {
      let text = try WriteOut(format).text(for: exchange)
      printer.result(StyledText(text.hasSuffix("\n") ? text : text + "\n"))
    } catch {
      errors.print(error.report)
    }
  }

  /// A script of another tool, whose `{{base}}` and `$BASE` are names of this session if it has them.
  ///
  /// - Parameter line: what was typed; a variable that is in it as `$env.BASE` is that of the environment. nil: it is from a
  ///   file, which has none of a shell.
  func withOwnNames(_ script: ScriptSyntax, typed line: String? = nil) -> ScriptSyntax {
    var script = script
    script.statements.removeAll { statement in
      switch statement {
      case .binding(let node): isOwn(node.name.text, insteadOf: node.value)
      case .secret(let node): isOwn(node.name.text, insteadOf: node.value)
      default: false
      }
    }
    return line.map { script.taking(names, typed: $0) } ?? script
  }

  private func isOwn(_ name: String, insteadOf value: ExpressionSyntax) -> Bool {
    names.contains(name) && ["", "HURL_VARIABLE_"].contains { value.environmentName == $0 + name }
  }

  func readCookies(for meaning: inout MeantScript) {
    meaning.readCookies(in: world, besides: keptCookieFiles) { profiles.profile(of: $0, in: world) }
  }

  /// Hides the secrets of a line for another tool, and says why it is not performed: no profile says of its URL what it
  /// demands.
  mutating func isAccepted(_ meaning: MeantScript) -> Bool {
    printer.learn(meaning.secrets(knowing: referable), areTyped: true)
    let refusal = meaning.refusal(isProfileInUse: profiles.current != nil) { profiles.profile(of: $0, in: world) }
    if let refusal { fail(refusal) }
    return refusal == nil
  }

  /// How much is shown of what comes of the line.
  private mutating func show(_ amount: ReportAmount) {
    self.amount = amount
    streams.show(amount)
  }

  /// Performs what was typed.
  ///
  /// - Parameter beginning: what to parse it as, where a command determines that; nil: statements.
  mutating func perform(typed text: String, as beginning: Parser.Beginning? = nil) async {
    inputCount += 1
    let source = SourceText(name: "<input \(inputCount)>", text: text)
    let read = beginning.map { Parser.parse(source, as: $0) } ?? Parser.parse(source, items: .typed)
    let parsed = read.withTypedAddresses()
    let script = meant(parsed.script)
    guard script != parsed.script else { return await perform(parsed, choosing: parsed.script.lastBase) }
    let rewritten = Parser.parse(self.text(of: script))
    var program = run.sequence.program
    let isWrong = program.add(rewritten, mayRunCommands: true).contains { $0.severity == .error }
    // What is refused is not shown as if it were done.
    await perform(isWrong ? rewritten : Parser.parse(written(script)), choosing: parsed.script.lastBase)
  }

  /// Statements as they are meant where they are typed; in a script they would mean something else.
  func meant(_ typed: ScriptSyntax) -> ScriptSyntax {
    let numbers = run.exchanges.indices.map { "\($0 + 1)" } + (run.exchanges.isEmpty ? [] : ["_"])
    let responses = Set(numbers + run.exchanges.compactMap(\.label))
    var script = TypedNames(names, variables: world.variables.keys, responses: responses).interpolating(typed)
    for index in script.statements.indices {
      guard case .profile(let profile) = script.statements[index] else { continue }
      script.statements[index] = .profile(run.sequence.program.completed(profile))
    }
    func isResponse(_ name: String) -> Bool { name == "_" || Int(name) != nil || responses.contains(name) }
    return AnsweredCredential(script) { isResponse($0) || names(brought: $0, by: isResponse) }.script
  }

  /// Whether a `let` of this name has something of a response: `let token = $_.body.token`.
  private func names(brought name: String, by isResponse: (String) -> Bool) -> Bool {
    guard let index = log.declaration(of: name, before: log.entries.count),
      case .binding(let binding) = log.entries[index].node
    else { return false }
    var reads = false
    binding.value.forEachReference { reads = reads || isResponse($0.root.text) }
    return reads
  }

  /// A file that was read, whose profile goes on serving what it served for files that were read before it.
  mutating func joined(_ script: ScriptSyntax) -> ScriptSyntax {
    var script = script
    for index in script.statements.indices {
      guard case .profile(var node) = script.statements[index] else { continue }
      if let earlier = importedProfiles[node.name.text], earlier.sets == node.sets {
        node.settings += earlier.settings.filter { $0.isAddress && !node.settings.contains($0) }.map { setting in
          var setting = setting
          if case .base(let value) = setting.kind { setting.kind = .origin(value) }
          return setting
        }
      }
      importedProfiles[node.name.text] = node
      script.statements[index] = .profile(node)
    }
    return script
  }

  /// Performs, and shows, what the program wrote in place of something else.
  ///
  /// - Parameters:
  ///   - profile: where bare paths go from then on; nil: to the last base that it declares.
  ///   - isShown: whether it is shown before it is performed.
  mutating func perform(_ script: ScriptSyntax, choosing profile: String? = nil, isShown: Bool = true) async {
    let script = script.withTypedAddresses.withJSONOfQuotes
    inputCount += 1
    await perform(
      Parser.parse(isShown ? written(script) : text(of: script)), choosing: profile ?? script.lastBase)
  }

  private func written(_ script: ScriptSyntax) -> SourceText {
    let source = text(of: script)
    printer.result(StyledText(TypedSecrets.masked(String(decoding: source.bytes, as: UTF8.self)), .faint))
    return source
  }

  private func text(of script: ScriptSyntax) -> SourceText {
    SourceText(name: "<input \(inputCount)>", text: SyntaxPrinter.print(script))
  }

  /// - Parameters:
  ///   - directory: where relative paths begin; empty: the working directory.
  ///   - isOwn: whether it was typed, or is in the user's profiles; a script runs no programs.
  ///   - isRun: whether it is a script that is run.
  ///   - profile: where bare paths go from then on.
  mutating func perform(
    _ parsed: ParsedScript, directory: String = "", isOwn: Bool = true, isRun: Bool = false,
    choosing profile: String? = nil
  ) async {
    guard var attempt = appending(parsed, directory: directory, mayRunCommands: isOwn, isWhole: isRun) else {
      if isOwn, let advice = programAdvice(on: String(decoding: parsed.source.bytes, as: UTF8.self)) {
        printer.error(" = \(advice)\n")
      }
      return
    }
    if let profile { attempt.sequence.currentProfile = profile }
    let typed = parsed.source.isTyped ? TypedSecrets.hidden(in: parsed.script, knowing: referable) : []
    printer.warn(ofShortOnesIn: secrets.hide(typed))
    printer.learn(attempt.sequence.secrets)
    let leadsElsewhere = parsed.script.statements.contains {
      if case .step(let step) = $0 { step.target.isComputed } else { false }
    }
    streams.nameTarget(amount != .verbose && leadsElsewhere)
    let (runBefore, logBefore, namesBefore) = (run, log, names)
    log.record(parsed, directory: directory, answersBefore: run.exchanges.count)
    if isOwn, editor.isInteractive, parsed.script.asksWithoutPause {
      printer.result(
        StyledText("It repeats without a pause; to wait between requests, add: every 1s. ^C ends it.\n", .faint))
    }
    for name in parsed.script.statements.compactMap(\.declaredName) where !names.contains(name) { names.append(name) }
    let profilesBefore = profiles
    let isDone = await finish(
      attempt, retry: isOwn ? parsed.script.retryWhenTyped : .standard,
      typed: parsed.source.isTyped ? String(decoding: parsed.source.bytes, as: UTF8.self) : "",
      credentials: parsed.script.statements.count == 1 && !leadsElsewhere ? typed : [])
    if isDone, parsed.script.declaresProfile { remark(onCookiesSince: profilesBefore) }
    // A profile whose credential could not be read would stop every request to its origin.
    if !isDone, parsed.source.isTyped, parsed.script.declaresProfile,
      run.exchanges.count == runBefore.exchanges.count
    {
      (run, log, names) = (runBefore, logBefore, namesBefore)
    }
  }

  /// The run with what was typed or read at its end. Mistakes are reported.
  ///
  /// - Returns: nil if it is wrong.
  mutating func appending(
    _ parsed: ParsedScript, directory: String = "", mayRunCommands: Bool = true, isWhole: Bool = false
  ) -> SequenceRun<ProgramRequestSequence>? {
    let checked = ScriptLoader(world).appending(
      parsed, to: run.sequence, directory: directory, mayRunCommands: mayRunCommands, isWhole: isWhole)
    errors.print(checked)
    guard let sequence = checked.value else {
      isFailed = true
      return nil
    }
    var attempt = run
    attempt.sequence = sequence
    return attempt
  }

  /// Performs the steps that were added, one after another; after one that fails, the rest is dropped except for what
  /// is done finally.
  ///
  /// - Parameters:
  ///   - text: what somebody has typed.
  ///   - credentials: what of it stands where a credential does, if it is for the server that is named in it.
  /// - Returns: whether none failed.
  private mutating func finish(
    _ start: SequenceRun<ProgramRequestSequence>, retry: RetryRule, typed text: String, credentials: [Secret] = []
  ) async -> Bool {
    var isDone = true
    run = start
    let session = session.retrying(retry)
    progress.begin()
    while true {
      let before = run
      let step = await session.step(before, groups: .atOnce)
      progress.clear()
      // A short word is not taken for the password that it also was where it is typed, and a password may be that of two
      // servers, or a part of it.
      if case .failure(let error) = step.result, case .secretRefused(let secret, let origin) = error.fact,
        before.sequence.release(secret, typedIn: text)
          || credentials.contains(where: { $0.withExposedText(secret.isWritten) })
            && before.sequence.admit(secret, typedFor: origin)
      {
        continue
      }
      run = step.run
      printer.learn(run.sequence.secrets)
      if run.exchanges.count > before.exchanges.count, let last = run.exchanges.last { judge(last, typed: text) }
      printRecords(of: run.history, after: before.history)
      switch step.result {
      case .success(nil): return isDone
      case .success: continue
      case .failure(let error):
        (isFailed, isDone) = (true, false)
        explain(error, shown: run.exchanges.count > before.exchanges.count ? run.exchanges.last : nil)
        let rounds = run.history.openGroup
        let left = rounds.count { $0.moments.isEmpty }
        if left > 0 { errors.note("\(left) of \(rounds.count) did not begin") }
      }
    }
  }

  /// A word that was first typed as a password in this line is a word again if the server refused it.
  ///
  /// - Parameter text: what somebody has typed: what the response brought stays hidden.
  private func judge(_ exchange: Exchange, typed text: String) {
    guard exchange.refusesCredentials, exchange.redirects.isEmpty else { return }
    // The run itself has not yet been told what became of what this step was given.
    let given = exchange.description.head.secrets.filter(\.isGivenToStep)
    let known = hiddenBefore.union(run.sequence.secrets.filter { !$0.isOnlyHidden && !given.contains($0) })
    secrets.show(
      secrets.allHidden.filter { word in
        word.isGuess && word.isWritten(in: text) && !known.contains { $0.hasSameText(as: word) }
      })
  }

  /// Whoever sees the response does not need to be told that its status is an error, only what to do about it.
  ///
  /// - Parameter shown: what came of the response; nil: nothing.
  private func explain(_ error: UploadError, shown: Exchange?) {
    switch error.fact {
    case .profile(.noneInUse(let path, _)) where profiles.all.isEmpty:
      let origin = run.exchanges.last.map { "\($0.request.origin)" } ?? "https://…"
      errors.print(
        ErrorReport(
          "\"\(path)\" is a path, and no profile says which host it is on",
          notes: ["declare one: profile api { base \(origin) }"]))
    case .expectations(let unmet, _) where editor.isInteractive && unmet.allSatisfy(\.isStatusByDefault):
      // Why a redirect was not followed is in the line of the response.
      let notes = (ErrorReport.reports(of: error) ?? []).flatMap(\.notes)
      for note in notes where !note.hasPrefix("the redirect was not followed") {
        printer.error(StyledText("    \(note)\n", .warning))
      }
    // Its own line says that it was ended.
    case .transport(let error, _) where error.fact == .cancelled && shown?.response.cut == .interrupted:
      break
    case .cancelled where editor.isInteractive: printer.error(StyledText("interrupted\n", .warning))
    default: errors.print(error, locatingSteps: !editor.isInteractive)
    }
  }

  /// Prints what is new; every exchange takes the next number. Of the rounds of a step, only the last is shown whole.
  private mutating func printRecords(of history: RunHistory, after before: RunHistory) {
    var number = before.exchanges.count
    for record in history.steps.dropFirst(before.steps.count) {
      if record.exchange != nil { number += 1 }
      var renderer = renderer
      renderer.namesWithheld = record.exchange.map { tells(withheldIn: $0) } ?? true
      let steps = StepLines(printer, amount, spacesRequest: true, streams: streams, renderer: renderer)
      switch record {
      case .exchange(let exchange), .failed(_, let exchange?):
        printTarget(of: exchange, after: number > 1 ? history.exchanges[number - 2] : nil)
        steps.write(exchange, number: number, isRecorded: false)
        if !record.isFailed || exchange.isEndedStream {
          steps.write(savedBodyOf: exchange)
        } else {
          steps.write(unsavedBodyOf: exchange)
        }
        if record.isFailed || exchange.response.status.code >= 400 || StorageError(exchange.response) != nil {
          let diagnosis = UploadDiagnosis(exchanges: history.exchanges, writtenIn: errors.sources)
          printer.result(UploadDiagnosis.text(diagnosis.findings(of: exchange)))
          var notes = [remark(onCookiesOf: exchange, number: number)].compactMap(\.self)
          let written = log.step(at: exchange.description.head.place)
          // Those of an error are said with it.
          if !record.isFailed, written?.step.expectedStatuses == [.any] {
            notes += ErrorReport.notes(onRefusalIn: exchange)
          }
          if let written, written.source.isTyped, let name = written.step.target.textLikeName {
            notes.append("\(name) was sent as it is written; for the value of a name: {\(name)}")
          }
          for note in notes { printer.error(StyledText("    \(note)\n", .warning)) }
        }
      case .round(let exchange):
        printTarget(of: exchange, after: number > 1 ? history.exchanges[number - 2] : nil)
        StepLines(printer, .normal).write(exchange, number: number, isLast: false)
        if exchange.description.head.round == 1, let missing = run.sequence.missing(in: exchange) {
          let what = [missing.message, missing.label].compactMap(\.self).joined(separator: " yet: ")
          printer.result(StyledText("    \(what)\n", .faint))
        }
      case .skipped(let label, let reason): steps.write(skipped: label, reason: reason)
      case .failed(_, nil), .group: break
      }
    }
  }

  /// Whether it is said what was withheld: of an address that somebody typed once, otherwise each time.
  private mutating func tells(withheldIn exchange: Exchange) -> Bool {
    let withheld = Set(exchange.withheld)
    guard exchange.redirects.isEmpty, !isComputed(exchange), !withheld.contains(where: { $0.part == .body }) else {
      return true
    }
    let told = toldWithheld[exchange.request.origin, default: []]
    // Where nothing is shown, it is not said either.
    if amount != .quiet { toldWithheld[exchange.request.origin] = told.union(withheld) }
    return !withheld.isSubset(of: told)
  }

  /// Whether nobody sees in the line where a request goes.
  private func isComputed(_ exchange: Exchange) -> Bool {
    log.step(at: exchange.description.head.place)?.step.target.isComputed ?? false
  }

  /// Where a request went, if nobody sees that in the line.
  ///
  /// - Parameter last: the exchange before it: rounds that go to the same place say so once.
  private func printTarget(of exchange: Exchange, after last: Exchange?) {
    guard amount != .verbose, isComputed(exchange) else { return }
    let (request, round) = (exchange.firstRequest, exchange.description.head.round ?? 1)
    if round > 1 && last?.firstRequest.url == request.url || streams.isShown(exchange) { return }
    printer.result(renderer.target(of: request))
  }

  private mutating func remember(_ input: String) {
    guard let history else { return }
    do {
      try history.append(input, writing: TypedSecrets.masked(input))
      let count = secrets.all.count
      if count != hiddenCount { try history.hideAgain() }
      hiddenCount = count
    } catch {
      printer.error(StyledText("warning: the history is not kept: \(error)\n", .warning))
    }
  }
}

extension TargetSyntax {
  /// Whether nobody sees in the line where it goes.
  fileprivate var isComputed: Bool {
    switch self {
    case .reference, .expression: true
    case .word, .string: false
    }
  }

  /// `$id` in `/orders/$id`, which is a text: what begins with `$` there belongs to many an API.
  fileprivate var textLikeName: String? {
    guard case .word(let word) = self else { return nil }
    for case .text(let text) in word.pieces {
      let path = text.prefix { $0 != "?" }
      if let name = path.firstMatch(of: /\/([$][A-Za-z_]\w*)(?![\w(])/)?.output.1 { return String(name) }
      if path.count < text.count { break }
    }
    return nil
  }
}

extension UnmetExpectation {
  /// Whether nobody wrote it: a step expects 2xx or 3xx by default.
  fileprivate var isStatusByDefault: Bool { subject == "status" && place == nil }
}

extension ScriptSyntax {
  /// Whether a step of it waits for something without a pause between its requests. One whose target is made from its
  /// own responses goes from page to page.
  fileprivate var asksWithoutPause: Bool {
    statements.contains { statement in
      guard case .step(let step) = statement, let repetition = step.repetition else { return false }
      var isSame = true
      step.target.forEachReference { if $0.root.text == step.label?.text { isSame = false } }
      return isSame && repetition.interval == nil && repetition.rounds == nil
    }
  }

  /// Whether it is a method and a whole URL, as they are sent, and nothing else.
  fileprivate var isRequestLine: Bool {
    let words = SyntaxPrinter.print(withTypedAddresses).split(whereSeparator: \.isWhitespace)
    return words.count == 2 && words[1].contains("://") && !words[1].contains(where: { "{$\"".contains($0) })
  }

  fileprivate var declaresProfile: Bool {
    statements.contains { if case .profile = $0 { true } else { false } }
  }

  /// The last profile that has a base.
  fileprivate var lastBase: String? {
    for case .profile(let profile) in statements.reversed() {
      if profile.settings.contains(where: { if case .base = $0.kind { true } else { false } }) {
        return profile.name.text
      }
    }
    return nil
  }
}

extension ProfileSyntax {
  /// What it says, but where.
  fileprivate var sets: [SettingSyntax.Kind] { settings.filter { !$0.isAddress }.map(\.kind) }
}
