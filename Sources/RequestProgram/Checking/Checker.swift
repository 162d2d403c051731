import Diagnostics
import RequestSyntax
import Requests

/// Finds whatever can be found without a request. It walks the tree and keeps track of what is known at each point;
/// each rule has a file of its own next to this one.
struct Checker {
  let program: Program
  let source: SourceText
  /// Where relative paths start; empty: the working directory.
  var directory = ""
  /// Whether it is another tool's file.
  var isImported = false
  var scope: CheckScope
  private(set) var errors: [CheckError] = []
  /// What is being checked, for messages.
  var user: User?
  /// The sequence that is being checked.
  var sequence: String?
  /// The label of the step whose clauses are being checked, and whether it repeats.
  var ownLabel: (name: String, repeats: Bool)?
  /// Whether an environment variable is a secret here.
  var isInProfileOrSecret = false
  var isInOwnCredential = false
  /// Whether what is checked names the file that a step saves its response in.
  var isInFileName = false
  /// Whether a step goes on until there is no next page, and asks for the same one in each round.
  var asksForSamePage = false
  /// Whether members of this step's exchange are written without `$` here.
  var allowsMembers = false
  /// Where the snapshots begin that the step is compared with.
  var allowedSnapshots: Set<Int> = []
  /// The step that each file of a snapshot belongs to, by where it is written.
  var snapshotOwners: [String: Int] = [:]
  /// Names of the other branches of `parallel`.
  var siblings: Set<String> = []
  /// The starts of references that have a default by `??`.
  var optionalReferences: Set<Int> = []

  var files = Files()
  /// Whether a secret may come from running a program.
  var mayRunCommands = false
  /// Whether a part of the text was checked before.
  private var hasBegun = false

  var sequences: [String: SequenceSyntax]
  var profiles: [String: ProfileSyntax]
  /// Profiles in the order of their declaration.
  var profileNames: [String]
  /// Those with a base.
  private(set) var basedProfiles: [String] = []
  /// Those whose origins are written in the text.
  private(set) var staticProfiles = SessionProfiles()
  /// The profiles that an environment variable is a secret of.
  private(set) var environmentOwners: [String: [String]] = [:]
  /// Those of them that belong to endpoints, too, which may have to be discovered.
  private(set) var endpointVariables: Set<String> = []
  /// Top-level secrets, by their names.
  private(set) var secretOwners: [String: SecretOwners] = [:]
  /// Where secrets come from, by the first name of the path.
  private(set) var secretPaths: [String: [SecretPath]] = [:]
  /// The values of top-level `let` names.
  private var letValues: [String: ExpressionSyntax] = [:]
  private var secrets: [SecretSyntax] = []
  /// Top-level steps with an `auth` of their own. At the prompt a name may have meant something else in them.
  private var ownCredentials: [StepSyntax] = []
  /// Variables of the environment that are called like secrets and used as plain text.
  var plainVariables: Set<String>
  /// Top-level secrets that are set further down.
  var lateSecrets: Set<String> = []

  init(program: Program, source: SourceText) {
    self.program = program
    self.source = source
    scope = program.scope
    plainVariables = program.plainVariables
    sequences = program.sequences.mapValues(\.node)
    profiles = Dictionary(program.profiles.map { ($0.node.name.text, $0.node) }) { $1 }
    profileNames = program.profiles.map(\.node.name.text)
    for statement in program.statements { learn(statement.node) }
    learnProfiles()
  }

  /// What uses a name, as messages call it: `step "upload"`.
  enum User {
    case step(label: String?)
    case run(String)
    case parameter(String)
    case profile(String)

    var text: String {
      switch self {
      case .step(let label): label.map { "step \"\($0)\"" } ?? "this step"
      case .run(let name): "run \(name)"
      case .parameter(let name): "parameter \"\(name)\""
      case .profile(let name): "profile \(name)"
      }
    }
  }

  var diagnostics: [Diagnostic] {
    errors.sorted { $0.range.lowerBound < $1.range.lowerBound }.map {
      $0.diagnostic(in: source, isImported: isImported)
    }
  }

  mutating func report(_ fact: CheckError.Fact, _ range: SourceRange) {
    errors.append(CheckError(fact: fact, range: range))
  }

  /// Checks a whole text; sequences, profiles and top-level names are known from the start.
  mutating func check(_ script: ScriptSyntax) {
    declareAll(script.statements)
    scope.expect(Checker.declaredNames(script.statements))
    for statement in script.statements { check(statement, isTopLevel: true) }
    checkFiles()
  }

  /// Checks the next part of a text whose later parts are not known yet.
  ///
  /// - Returns: whether nothing was found, and nothing in this part can change what was found before it; if not, only
  ///   the check of the whole text can tell what is wrong.
  mutating func checksWell(next script: ScriptSyntax) -> Bool {
    // Most statements say nothing about others.
    let declarations = script.statements.filter(\.concernsOthers)
    if hasBegun, declarations.contains(where: \.isKnownFromStart) { return false }
    if !hasBegun { scope.reserve(forNamesIn: source.bytes.count) }
    // A name that is used before its declaration is found in any case: they need not be announced.
    if !declarations.isEmpty {
      let earlier = secretPaths
      declareAll(declarations)
      if hasBegun, secretPaths != earlier { return false }
    }
    hasBegun = true
    for statement in script.statements { check(statement, isTopLevel: true) }
    checkFiles()
    return errors.isEmpty
  }

  // MARK: What is known from the start

  private mutating func declareAll(_ statements: [StatementSyntax]) {
    var seen: Set<String> = []
    for statement in statements {
      switch statement {
      case .sequence(let node):
        let isNew = seen.insert("sequence \(node.name.text)").inserted
        if !isNew || (!program.isPrompt && sequences[node.name.text] != nil) {
          report(.duplicateName(node.name.text, kind: "sequence"), node.name.range)
        }
        sequences[node.name.text] = node
      case .profile(let node):
        let isNew = seen.insert("profile \(node.name.text)").inserted
        if !isNew || (!program.isPrompt && profiles[node.name.text] != nil) {
          report(.duplicateName(node.name.text, kind: "profile"), node.name.range)
        }
        if profiles[node.name.text] == nil { profileNames.append(node.name.text) }
        profiles[node.name.text] = node
      case .binding(let node):
        scope.globals.insert(node.name.text)
        learn(statement)
      case .secret(let node):
        scope.globals.insert(node.name.text)
        lateSecrets.insert(node.name.text)
        learn(statement)
      case .step: learn(statement)
      case .run, .loop, .parallel, .finally, .use, .tags: continue
      }
    }
    learnProfiles()
  }

  private mutating func learn(_ statement: StatementSyntax) {
    switch statement {
    case .secret(let node):
      secrets.append(node)
      secretOwners[node.name.text] = owners(of: node)
    case .binding(let node): letValues[node.name.text] = node.value
    case .step(let node): if !program.isPrompt, node.hasOwnCredential { ownCredentials.append(node) }
    case .run, .sequence, .loop, .parallel, .finally, .use, .tags, .profile: break
    }
  }

  private func owners(of node: SecretSyntax) -> SecretOwners {
    SecretOwners(name: "$\(node.name.text)", profiles: node.profiles.map(\.text))
  }

  private mutating func learnSecretPaths() {
    var paths = secrets.flatMap { SecretPath.all(in: $0.value, names: letValues, owners(of: $0)) }
    for name in profileNames {
      for (part, value) in profiles[name]?.sentValues ?? [] {
        let owners = SecretOwners(name: "\(name)'s \(part)", profiles: [name])
        // What the profile itself reads from the environment has an owner already.
        paths += SecretPath.all(in: value, names: letValues, owners)
      }
    }
    for step in ownCredentials {
      let owners = SecretOwners(name: OwnCredential.name, profiles: [], steps: [staticOrigin(of: step)])
      for value in step.secretCredential { paths += SecretPath.all(in: value, names: letValues, owners) }
    }
    secretPaths = [:]
    for path in paths { secretPaths[path.root, default: []].add(path) }
  }

  private mutating func learnProfiles() {
    basedProfiles = profileNames.filter { profiles[$0]?.hasBase ?? false }
    staticProfiles = SessionProfiles(profileNames.compactMap { profiles[$0]?.withLiteralOrigins })
    environmentOwners = [:]
    endpointVariables = []
    for name in profileNames {
      for variable in profiles[name]?.passphraseNames ?? [] { environmentOwners[variable, default: []] += [] }
      for variable in profiles[name]?.signInKeyVariables ?? [] { environmentOwners[variable, default: []] += [] }
      for variable in profiles[name]?.signInVariables ?? [] {
        environmentOwners[variable, default: []] += []
        endpointVariables.insert(variable)
      }
      for variable in profiles[name]?.environmentNames ?? [] { environmentOwners[variable, default: []].append(name) }
    }
    learnSecretPaths()
  }

  /// Labels and `let` names of a block.
  static func declaredNames(_ statements: [StatementSyntax]) -> Set<String> {
    var names = Set<String>(minimumCapacity: statements.count)
    for statement in statements {
      switch statement {
      case .step(let node): if let label = node.label { names.insert(label.text) }
      case .run(let node): if let label = node.label { names.insert(label.text) }
      case .binding(let node): names.insert(node.name.text)
      case .secret(let node): names.insert(node.name.text)
      case .loop(let node): names.formUnion(declaredNames(node.body.statements))
      case .parallel(let node): names.formUnion(declaredNames(node.statements))
      case .sequence, .finally, .use, .tags, .profile: continue
      }
    }
    return names
  }

  // MARK: Walking

  mutating func check(_ statement: StatementSyntax, isTopLevel: Bool) {
    switch statement {
    case .step(let node): check(node)
    case .run(let node): check(node)
    case .binding(let node):
      user = nil
      check(node.value)
      declare(node.name, .name, scope.type(of: node.value))
    case .secret(let node): check(node)
    case .sequence(let node):
      if isTopLevel { check(node) } else { report(.onlyAtTopLevel("a sequence"), node.range.beginning(8)) }
    case .profile(let node):
      if isTopLevel { check(node) } else { report(.onlyAtTopLevel("a profile"), node.range.beginning(7)) }
    case .loop(let node):
      user = nil
      check(node.items)
      expect(.array, node.items)
      if let limit = node.limit, limit < 1 { report(.parallelLimit, node.items.range) }
      check(node)
    case .parallel(let node): checkBranches(node)
    case .finally(let node):
      let outer = scope
      check(node)
      let used = scope.used
      scope = outer
      scope.used = used
    case .use(let node):
      if !isTopLevel { report(.onlyAtTopLevel("use"), node.range.beginning(3)) }
    case .tags(let node):
      if !isTopLevel {
        report(.onlyAtTopLevel("tags"), node.range.beginning(4))
      } else if scope.steps > 0 {
        report(.tagsAfterStep, node.range.beginning(4))
      }
    }
  }

  /// After a loop, the names it declares are arrays in the order of the items.
  private mutating func check(_ node: LoopSyntax) {
    check(node.body, binding: node.name, of: node.items.chunksAFile ? .chunk : nil)
    for name in Checker.declaredNames(node.body.statements) where scope.names[name] != nil {
      _ = scope.declare(name, .name, .array)
    }
  }

  /// The branches of `parallel` go out together, so none can use another.
  private mutating func checkBranches(_ block: BlockSyntax) {
    let outer = siblings
    let declared = block.statements.map { Checker.declaredNames([$0]) }
    let all = declared.reduce(into: Set<String>()) { $0.formUnion($1) }
    let steps = scope.steps
    for (statement, own) in zip(block.statements, declared) {
      siblings = outer.union(all.subtracting(own))
      check(statement, isTopLevel: false)
    }
    siblings = outer
    scope.steps = steps
  }

  /// A block inside another: its steps have only labels, which the outer block knows afterwards.
  private mutating func check(_ block: BlockSyntax, binding name: NameSyntax? = nil, of type: StaticType? = nil) {
    if let name { declare(name, .name, type) }
    let coming = Checker.declaredNames(block.statements).filter { scope.later.insert($0).inserted }
    let steps = scope.steps
    for statement in block.statements { check(statement, isTopLevel: false) }
    scope.steps = steps
    scope.later.subtract(coming)
    if let name { scope.forget(name.text) }
  }

  private mutating func check(_ node: SecretSyntax) {
    user = nil
    isInProfileOrSecret = true
    check(node.value)
    isInProfileOrSecret = false
    expectText(node.value)
    for profile in node.profiles { checkProfile(profile.text, profile.range) }
    lateSecrets.remove(node.name.text)
    declare(node.name, .secret, .string)
  }

  /// Checks an expression and everything in it.
  mutating func check(_ expression: ExpressionSyntax) {
    var names: [String] = []
    expression.forEach { node in
      // What a condition is about has its name in the condition alone.
      if case .quantified(let quantified) = node {
        names.append(quantified.name.text)
        declare(quantified.name, .name, nil)
      }
      checkNode(node)
    }
    for name in names { scope.forget(name) }
  }

  /// Names in what was typed as plain text.
  private mutating func checkNames(in node: ExpressionSyntax) {
    switch node {
    // What is in single quotes is meant as it is.
    case .string(let node) where node.style != .raw:
      for case .text(let text) in node.pieces { checkNames(in: text, node.range) }
    case .word(let node):
      for case .text(let text) in node.pieces { checkNames(in: text, node.range, isWord: true) }
    default: break
    }
  }

  /// Whoever types `"Bearer $token"` or `"Bearer {token}"` means the value.
  private mutating func checkNames(in text: String, _ range: SourceRange, isWord: Bool = false) {
    guard text.contains("$") || text.contains("{") else { return }
    if !isWord {
      for match in text.matches(of: /\{([A-Za-z_][\w-]*)\}/) where scope.kind(of: String(match.output.1)) != nil {
        report(.nameInText(String(match.output.1), written: String(match.output.0), isWord: false), range)
      }
    }
    for match in text.matches(of: /(\$([A-Za-z_][\w-]*))((?:[.\[][\w\-.\[\]]*[\w\]])?)/) {
      let (name, path) = (String(match.output.2), match.output.3)
      // What came last has no kind; without a path it is a variable of a shell.
      guard let kind = name == "_" && !path.isEmpty ? .step : scope.kind(of: name) else {
        if isWord, let near = SpellingSuggestion.nearest(to: name, among: scope.names.keys.sorted()) {
          reportName("\(near)\(path)", written: String(match.output.0), range, isWord: true)
        }
        continue
      }
      // Of a step, no text is meant but what is in it; after another name, a dot may be that of a file.
      let isStep = kind == .step || kind == .run
      let written = isStep ? match.output.0 : match.output.1
      let meant = isStep && path.isEmpty ? "\(name).body.…" : String(written.dropFirst())
      reportName(meant, written: String(written), range, isWord: isWord)
    }
    for match in text.matches(of: /\$(env\.[A-Za-z_]\w*)/) {
      reportName(String(match.output.1), written: String(match.output.0), range, isWord: isWord)
    }
    // `$5.00` is a price. How many responses there are is not known here: the rounds of a step have numbers, too.
    for match in text.matches(of: /\$[1-9][0-9]*(?:\.[A-Za-z]|\[)[\w\-.\[\]]*/) {
      reportName(String(match.output.dropFirst()), written: String(match.output), range, isWord: isWord)
    }
  }

  /// A word that is typed is easily put into quotes; what is in quotes or in a file may be meant as it is.
  private mutating func reportName(_ name: String, written: String, _ range: SourceRange, isWord: Bool) {
    let isRefused = isWord && source.isTyped
    report(
      isRefused ? .nameInWord(name, written: written) : .nameInText(name, written: written, isWord: isWord), range)
  }

  /// Checks one node; those in it are visited separately.
  mutating func checkNode(_ node: ExpressionSyntax) {
    switch node {
    case .reference(let reference): check(reference)
    case .string, .word: if program.isPrompt { checkNames(in: node) }
    case .call(let call): check(call, isPiped: false)
    case .pipe(let pipe): check(pipe.call, isPiped: true)
    case .binary(let binary) where binary.operator == .matches: checkRegex(binary.right)
    case .path(let path): checkSegments(path.segments)
    case .shapeTest(let node): check(node)
    case .fallback(let fallback) where program.recorded != nil:
      fallback.value.forEachReference { optionalReferences.insert($0.range.lowerBound) }
    default: break
    }
    checkOperands(node)
  }
}

extension StatementSyntax {
  /// Whether it may say something about other statements.
  fileprivate var concernsOthers: Bool {
    switch self {
    case .binding: true
    default: isKnownFromStart
    }
  }

  /// Whether statements before it may be checked in another way because of it. Of a name that a secret is made from, that
  /// is looked up (`secretPaths`).
  fileprivate var isKnownFromStart: Bool {
    switch self {
    case .secret, .sequence, .profile, .use, .tags: true
    case .step(let node): node.hasOwnCredential
    case .run, .binding, .loop, .parallel, .finally: false
    }
  }
}

extension ExpressionSyntax {
  /// Whether its elements are pieces of a file.
  fileprivate var chunksAFile: Bool {
    switch self {
    case .pipe(let node): node.call.name.text == Function.chunksName
    case .parenthesized(let node): node.inner.chunksAFile
    default: false
    }
  }
}

extension SourceRange {
  /// The first bytes of the range: a statement's keyword.
  func beginning(_ length: Int) -> SourceRange {
    SourceRange(lowerBound, min(upperBound, lowerBound + length))
  }
}
