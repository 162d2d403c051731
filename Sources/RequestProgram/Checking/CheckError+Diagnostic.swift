import Diagnostics
import RequestSyntax
import Requests

extension CheckError {
  /// The fact as a sentence, with what to do about it: the only place that makes the check's sentences.
  ///
  /// - Parameter isImported: whether it is another tool's file.
  func diagnostic(in source: SourceText, isImported: Bool = false) -> Diagnostic {
    var (message, label) = sentence
    if isImported { label = self.label(in: source) ?? label }
    // Of `workbench send`, in single quotes: a variable of the shell.
    if source.name == SourceText.sentName, case .unknownReference(let name, _, _, _) = fact, name == name.uppercased() {
      label = "a shell replaces $\(name) in double quotes only; a variable of the environment is $env.\(name)"
    }
    var notes: [String] = []
    if case .notInRecordedResponse(_, _, let more) = fact { notes = more }
    return Diagnostic(message, in: source, at: range, label: label, notes: notes, severity: severity)
  }

  /// What to do in a file that can have no declarations of ours.
  ///
  /// Its own profile is called as its format is.
  private func label(in source: SourceText) -> String? {
    let isHurl = source.name.hasSuffix(".hurl")
    switch fact {
    case .looksSecret(let name):
      return "to bind it to an origin: --use FILE, with secret name = $env.\(name) for \(isHurl ? "hurl" : "http")"
    case .ambiguousProfiles(let names, _):
      return ErrorAdvice.ofProfiles(names, in: source.name)
    default: return nil
    }
  }

  private var sentence: (String, String?) {
    switch fact {
    case .unknownReference(let name, let user, let known, let isInSequence):
      let what = user.map { "\($0) uses $\(name), which names nothing" } ?? "there is no $\(name)"
      return (
        what,
        Self.nearest(name, known, "$")
          ?? (ProgramError.isNamedLikeVariable(name) ? ProgramError.variableAdvice(name) : nil)
          ?? Self.suggestion(name, known, "$")
          ?? (isInSequence
            ? "a sequence sees its parameters, its own steps, and the file's lets and secrets"
            : "name a request with a label, \(name): GET …, or a value: let \(name) = …")
      )
    case .memberWithDollar(let name):
      return ("there is no $\(name)", "this step's \(name) is written without $: \(name)")
    case .differenceWithoutSpaces(let name, let known):
      return ("there is no $\(name)", "for subtraction, put spaces around -: $\(known) - …")
    case .usedBeforeItRuns(let name, let user):
      return (
        user.map { "\($0) uses $\(name) before it runs" } ?? "$\(name) is not available yet",
        "$\(name) comes later; move it up, or move this down"
      )
    case .usedInItself(let name, hides: true):
      return ("step \"\(name)\" uses its own response", "its label hides the other $\(name); give the step another")
    case .usedInItself(let name, hides: false):
      return ("step \"\(name)\" uses its own response", "only a step with repeat has a previous round")
    case .savedUnderItself(let name):
      return (
        "step \"\(name)\" names its file after its own response, and the name is needed before that",
        "use a value of an earlier step; or a step of its own after this one: GET … save body to \"…{$\(name).body.…}…\""
      )
    case .noSuchStep(let number, let count, let sequence):
      let steps = count == 0 ? "no request is" : count == 1 ? "only 1 request is" : "only \(count) requests are"
      // Its steps are counted from 1 again.
      let place = sequence.map { " in sequence \"\($0)\"; of a response outside, pass what is needed" } ?? ""
      return ("there is no $\(number) here", "\(steps) written before it\(place)")
    case .onlyAtThePrompt(let name):
      return ("$\(name) is the last exchange at the prompt; a script names its steps", "label: GET …, then $label")
    case .untilReadsLast(let path):
      return (
        "$_ is the response before this step, whatever comes",
        "what comes is written without it: \(path.isEmpty ? "status == 200" : path)"
      )
    case .duplicateName(let name, let kind):
      return ("there is already a \(kind) \"\(name)\"", "a name has one meaning in a sequence; choose another")
    case .reservedName(let name):
      return ("\"\(name)\" is reserved", "$env.NAME is an environment variable; choose another name")
    case .unusedParameter(let name, let sequence):
      return ("sequence \"\(sequence)\" never uses \"\(name)\"", "use $\(name), or remove it")
    case .unknownSequence(let name, let known):
      return (
        "there is no sequence \"\(name)\"",
        Self.suggestion(name, known, "") ?? "declare one: sequence \(name)(…) { … }"
      )
    case .unknownParameter(let name, let sequence, let known):
      return (
        "sequence \"\(sequence)\" has no parameter \"\(name)\"", Self.suggestion(name, known, "") ?? "it has none"
      )
    case .duplicateArgument(let name): return ("\"\(name)\" is given twice", "remove one of them")
    case .tooManyArguments(let sequence, let count):
      return ("sequence \"\(sequence)\" takes \(count) argument\(count == 1 ? "" : "s")", "remove this one")
    case .missingArgument(let name, let sequence):
      return ("sequence \"\(sequence)\" needs a value for \"\(name)\"", "add \(name): …")
    case .unusualMethod(let method, let meant):
      return ("\(method) is not a common method", "did you mean \(meant)? it is sent as written")
    case .unknownType(let name):
      let types = ParameterType.allCases.map(\.rawValue)
      let nearest = SpellingSuggestion.nearest(to: name, among: types).map { "did you mean \($0)?" }
      return ("\"\(name)\" is not a type", nearest ?? "types are \(types.joined(separator: ", "))")
    case .parameterType(let name, let type, let found):
      return (
        "parameter \"\(name)\" is \(ProgramError.article(type.rawValue)), not \(found.name)", Self.hint(type, found)
      )
    case .clauseOfRun(let keyword):
      return ("\(keyword) cannot follow run", "run takes when; other clauses belong to the sequence's steps")
    case .onlyAtTopLevel(let what):
      return ("\(what) cannot be inside a block", "write it at the top level of the file")
    case .unknownFunction(let name):
      return (
        "there is no function \"\(name)\"", Function.suggestion(for: name) ?? Self.suggestion(name, Function.names, "")
      )
    case .functionArguments(let name, let wanted):
      let isPiped = Function(named: name)?.isCalled == false
      return ("\(name) takes \(wanted)", isPiped ? "in addition to what is piped into it" : nil)
    case .functionNeedsPipe(let name): return ("\(name) takes its input through a pipe", "write … | \(name)")
    case .functionTakesNoInput(let name): return ("\(name) takes no input", "write \(name)(…) on its own")
    case .namedArgument(let name, let function):
      return ("the arguments of \(function) have no names", "remove \(name):")
    case .commandInScript:
      return ("a script never runs a program", "command(…) is for the prompt and your own profiles.wb")
    case .invalidRegex(let reason): return ("the regular expression is not valid", reason)
    case .invalidFilter(let reason): return ("the filter is not valid", reason)
    case .unknownProfile(let name, _) where ["http", "https"].contains(name.lowercased()):
      return ("there is no profile \"\(name)\"", "a URL has two slashes: \(name.lowercased())://…")
    case .unknownProfile(let name, let known):
      return (
        "there is no profile \"\(name)\"",
        Self.suggestion(name, known, "") ?? "declare it: profile \(name) { base https://… }"
      )
    case .noProfileForPath(let known):
      if known.isEmpty {
        return (
          "a path needs a profile with a base", "declare one: profile api { base https://… }, or write a whole URL"
        )
      }
      return ("\(known.count) profiles have a base", "say which: \(known[0]):/…")
    case .noBase(let name, let path, let origin):
      return (
        "profile \"\(name)\" has no base that \(path) could be appended to",
        "add base \(origin ?? "https://…") to the profile"
      )
    case .profileNeedsStep(let name):
      return ("a profile cannot read $\(name), which needs a response", "a secret may: secret name = … for profile")
    case .profileWithoutOrigin(let name):
      return ("profile \"\(name)\" has neither base nor origin, so no request goes to it", "add base https://…")
    case .profileLosesOrigin(let name, let settings):
      return (
        "this would replace profile \"\(name)\" with one that no request goes to",
        "repeat what it has: \(settings.joined(separator: " "))"
      )
    case .ambiguousProfiles(let names, let origin):
      return (
        "profiles \(names.map { "\"\($0)\"" }.joined(separator: " and ")) \(names.count > 2 ? "all" : "both") match \(origin)",
        ErrorAdvice.ofProfiles(names, in: "")
      )
    case .invalidOrigin(let text, let kind, let problem):
      let isListed = text.hasSuffix(",") || text.hasSuffix(";")
      return (
        "\"\(text)\" is not \(ProgramError.article(kind))",
        isListed ? "what a profile sets is separated by spaces or lines: \(text.dropLast()) auth …" : problem.sentence
      )
    case .invalidURL(let text) where text.contains("://"):
      return ("\"\(text)\" is not a URL that a request can be sent to", "http:// or https://, and a host")
    case .invalidURL(let text) where text.wholeMatch(of: /\$[\w.\[\]\-]+/) != nil:
      return ("\"\(text)\" is a text, and not a target", "its value, without the quotes: \(text)")
    case .invalidURL(let text) where text.wholeMatch(of: /https?\/\/.+/) != nil:
      return (
        "\"\(text)\" is not a target", "a URL has a colon: \(text.replacing("//", with: "://", maxReplacements: 1))"
      )
    case .invalidURL(let text):
      if text.first?.isLetter ?? false, text.contains("/") || text.contains("?") {
        return ("\"\(text)\" is not a target", "a path begins with /: /\(text); a URL with https://")
      }
      if text.first?.isLetter ?? false, text.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) }) {
        return ("\"\(text)\" is not a target", "did you mean /\(text)? a URL has its scheme: https://…")
      }
      return (
        "\"\(text)\" is not a target",
        "a target is a URL, a path /…, profile:/path, a reference, or an expression in parentheses"
      )
    case .targetWithoutScheme(let text):
      let isLocal = text.hasPrefix("localhost") || text.hasPrefix("127.")
      let address =
        text.hasPrefix(":")
        ? "http://localhost\(text.hasPrefix(":/") ? text.dropFirst() : text[...])"
        : "\(isLocal ? "http" : "https")://\(text)"
      return ("\"\(text)\" does not say how to reach it", "write \(address)")
    case .targetBeginsWithExpression:
      return (
        "a target in braces would be encoded as a single path segment",
        "write the reference without braces, or an expression in parentheses"
      )
    case .expressionInHost:
      return ("a host cannot be assembled in a target", "write the whole URL as a string: \"http://{$host}/…\"")
    case .environmentPath: return ("$env takes one name", "write $env.NAME, with nothing after it")
    case .looksSecret(let name):
      return (
        "$env.\(name) looks like a secret: it is hidden, but may go anywhere",
        "secret name = $env.\(name) for profile"
      )
    case .tooSmall(let extent): return (extent.sentence, extent.hint)
    case .secretElsewhere(let name, let part, let allowed, let origin):
      let place = allowed.isEmpty ? "go nowhere" : "go to " + ProgramError.list(allowed) + " only"
      let secret = part.map { "\($0) is a part of \(name), which" } ?? "the secret \(name)"
      return (
        "\(secret) may \(place), and this goes to \(origin)",
        allowed.isEmpty
          ? "it opens a key on this machine" : "remove it, or declare it for a profile of that host"
      )
    case .secretSetLater(let name, let profile):
      return ("profile \"\(profile)\" needs $\(name), which is set later", "move this below secret \(name) = …")
    case .bodyItemOnGet(let name, let method):
      let isHeader = name.contains("-") && (name.first?.isUppercase ?? false)
      return (
        "a \(method) has no body",
        isHeader ? "for a header, write \(name):…; for the query, \(name)==…" : "for the query, write \(name)==…"
      )
    case .insecure:
      return (
        "the server's certificate is not checked: anyone in between can read and change everything",
        "to trust one more authority: tls { ca: \"file.pem\" }"
      )
    case .bodyOnGet(let method): return ("a \(method) with a body is understood by few servers", "did you mean POST?")
    case .twoBodies: return ("a request has one body", "there is another above")
    case .repeatedClause(let keyword): return ("\(keyword) appears here twice", "remove one of them")
    case .savedToDirectory(let path):
      return (
        path.isEmpty ? "the path is empty" : "\"\(path)\" names a directory, not a file", "such as \"\(path)body.json\""
      )
    case .nameInWord(let name, let written):
      return ("\(written) is a text here, and not the value", "for its value: {$\(name)}; for the text: {'\(written)'}")
    case .nameInText(let name, let written, let isWord):
      return ("\(written) is sent as it is written", "for its value: \(isWord ? "{$\(name)}" : "\"…{$\(name)}…\"")")
    case .jsonInQuotes(let name, let text):
      return ("\(name) is a text, not JSON: the quotes are the language's", "for JSON: \(name):=\(text)")
    case .typographicQuotes(let name):
      return ("the quotes of \(name) are sent, too", "quotes that are not sent are \" or '")
    case .repeatedMember(let name):
      return (
        "\"\(name)\" is there twice, and only the last is sent",
        "remove one; to send both, write the JSON as a text: body '…' as \"application/json\""
      )
    case .plainBraces(let text):
      return (
        "{\(text)} is part of the file's name as it is",
        "a value begins with $: {$name.\(text)} of an earlier step; the response of this one comes after the name"
      )
    case .missingFile(let path):
      return ("there is no file \"\(path)\"", "it is read when this step is sent")
    case .neverNull(let text, _):
      return ("what is missing is neither null nor false: this never holds of \(text)", "until \(text) ?? null == null")
    case .samePage(let target, let label, _):
      let first = target.contains { "\"'${".contains($0) } ? "/path" : target
      return (
        "each round asks for the same page",
        "page by page: \(label): GET ($\(label).links.next ?? \"\(first)\") repeat until links.next ?? null == null"
      )
    case .bareEntityTag(let name, let tag):
      return ("an entity tag has quotes of its own, and \(name) is sent without them", "with them: '\"\(tag)\"'")
    case .neverText(let text):
      return ("\(text) is a number such as 200: this never holds", "that of the body is body.status")
    case .omittedAuthorization:
      return ("a credential is not left out as a header", "to send none: auth none")
    case .givenAndOmitted(let name):
      return ("header \(name) is given and left out", "remove one of them")
    case .invalidHeaderName(let name):
      return ("\"\(name)\" is not a header name", "use letters, digits and -, as in Content-Type")
    case .basicNeedsTwo: return ("auth basic takes a user and a password", "auth basic user, password")
    case .bearerNeedsOne: return ("auth bearer takes one token", "auth bearer $token")
    case .typedOutsideMultipart:
      return ("as and named belong to the parts of a multipart body", "write multipart { … }")
    case .wrongType(let wanted, let found):
      return ("\(wanted.sentence), found \(found.name)", wanted.hint(for: found))
    case .notComparable(let left, let right):
      return (
        "\(left.name) and \(right.name) cannot be ordered", "make them the same type: … | to-number, … | to-string"
      )
    case .noStatus(let text):
      return ("\"\(text)\" is not a status", "such as 201 or 2xx; a condition compares: expect status == 200")
    case .unknownMember(let member, let type, let root):
      return ("\(type.name) has no \"\(member)\"", Self.hint(member, of: type, root))
    case .inParallel(let name):
      return (
        "$\(name) is sent together with this, so its response is not available yet", "move this after parallel { … }"
      )
    case .parallelLimit: return ("no step could be sent", "parallel 1, or more")
    case .pathWithoutSlash(let profile, nil): return ("a path begins with /", "write \(profile):/…")
    case .pathWithoutSlash(let profile, let value?):
      return (
        "a path begins with /",
        "write \(value) as the target if it begins with /, or \(profile):/{\(value)} if it is one part of a path"
      )
    case .addedText: return ("+ adds numbers", "texts are joined in a string: \"{$a}{$b}\"")
    case .notInRecordedResponse(let message, let label, _): return ("in the recorded run, \(message)", label)
    case .unknownSigner(let name):
      let known = AuthSyntax.names + Signer.all.map(\.name) + [OAuthField.scheme]
      return ("there is no \"auth \(name)\"", Self.suggestion(name, known, ""))
    case .signerNeedsObject(let signer): return ("auth \(signer.name) takes one object", signer.example)
    case .missingSignerMember(let name, let signer): return ("auth \(signer.name) has no \(name)", signer.example)
    case .unknownSignerMember(let name, let signer):
      return ("auth \(signer.name) does not know \"\(name)\"", Self.suggestion(name, signer.members.map(\.name), ""))
    case .notInEnvironment:
      return ("an environment declares, and does nothing else", "it has let, secret and profile")
    case .tagsAfterStep: return ("tags stands before the first step", "it is about the whole file")
    case .snapshotElsewhere:
      return ("is snapshot is only for expect", "write it alone, or joined with and: expect body is snapshot")
    case .snapshotWithoutLabel:
      return ("the file of a snapshot is named after its step", "give the step a label: name: GET …")
    case .snapshotWithoutFile:
      return ("a snapshot is beside its script, and this is not a file", "write the request into a script")
    case .wrongSnapshot(let reason):
      return (reason, "correct the file, or remove it and run the script with --update-snapshots")
    case .useOfExpression: return ("use takes a literal path", "it is read before anything runs")
    case .useCycle(let paths):
      return ("\(paths[0]) uses itself", paths.count > 2 ? paths.joined(separator: " uses ") : "leave it out")
    case .unreadableUse(let reason):
      return (reason, "relative paths start from the directory of the file they are written in")
    case .network(let error): return error.words
    case .framing(let fault): return (fault.description, fault.advice)
    case .signIn(let error): return error.words
    case .sharedSnapshot(let label):
      return ("the snapshot of \"\(label)\" would be that of another step, too", "give one of them another label")
    case .digestNeedsTwo: return ("auth digest takes a user and a password", "auth digest \"user\", $env.PASSWORD")
    }
  }

  /// How to make the argument one of the type.
  private static func hint(_ type: ParameterType, _ found: StaticType) -> String? {
    switch (type, found) {
    case (.file, .string): "write file(\"…\")"
    case (.int, .string), (.number, .string): "write it without quotes"
    case (.string, .number): "write it in quotes"
    case (.duration, .number): "add a unit: 500ms, 10s"
    case (.duration, .string): "write it without quotes: 10s"
    default: nil
    }
  }

  /// Where to find the member, if the value has any.
  private static func hint(_ member: String, of type: StaticType, _ root: String) -> String {
    let names = type.memberNames ?? []
    if names.isEmpty { return "\(type.name) has no members" }
    if let nearest = SpellingSuggestion.nearest(to: member, among: names) { return "did you mean \"\(nearest)\"?" }
    if type == .step, member == "events" { return "a text/event-stream has them in .body" }
    if type == .step { return "in its response: $\(root).body.\(member), $\(root).headers.\(member)" }
    return "it has \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
  }

  private static func suggestion(_ name: String, _ known: [String], _ prefix: String) -> String? {
    if let nearest = nearest(name, known, prefix) { return nearest }
    return known.isEmpty
      ? nil : "available: \(ProgramError.list(known.map { prefix + $0 }))"
  }

  private static func nearest(_ name: String, _ known: [String], _ prefix: String) -> String? {
    SpellingSuggestion.nearest(to: name, among: known).map { "did you mean \(prefix)\($0)?" }
  }
}
