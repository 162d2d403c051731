public import Diagnostics
import RequestSyntax
import Requests

extension ProgramError: CustomStringConvertible {
  /// What happened, in one sentence, for logs.
  public var description: String { diagnostic.message }
}

extension ProgramError {
  /// The fact as a sentence, in the only place that makes sentences.
  public var diagnostic: Diagnostic {
    let (message, label, notes) = sentence
    return Diagnostic(message, in: source, at: range, label: label, notes: notes)
  }

  /// What is probably meant if a step is used alone.
  private var stepHint: String {
    let text = source[range]
    let isName = text.first == "$" && !text.contains { $0.isWhitespace || "()[]{}|".contains($0) }
    return (isName ? "did you mean \(text).body? " : "") + "a step has .status, .headers.x, .body.x"
  }

  /// What to write instead of a value of another kind.
  private func advice(wanting wanted: String, found: String) -> String? {
    if found == StaticType.step.name { return stepHint }
    guard "expected \(wanted)" == WantedType.text.sentence else { return nil }
    return [StaticType.array, .object].first { $0.name == found }.flatMap(WantedType.text.hint)
  }

  /// Those that may have been meant. What is read under its own name elsewhere was meant there; and in a replay the
  /// values of secrets are there under the names of the secrets, which are no variables.
  private func unusedVariables(_ variables: [String]) -> [String] {
    var used: Set<String> = []
    for statement in Parser.parse(source).script.statements {
      if case .secret(let node) = statement { used.insert(node.name.text) }
      statement.forEachExpression { expression in
        guard case .reference(let reference) = expression, reference.root.text == "env",
          case .name(let name)? = reference.segments.first?.kind
        else { return }
        used.insert(name)
      }
    }
    return variables.filter { !used.contains($0) }.sorted()
  }

  private var sentence: (String, String?, [String]) {
    switch fact {
    case .missing(ProgramError.environment, _, _, _, _, let hint) where source[range].hasPrefix("{{"):
      return ("\(source[range]) has no value", hint, [])
    case .missing(let subject, let member, let known, let step, let found, let hint):
      let member = member.description
      let what = member.hasPrefix("[") ? "element \(member)" : "\"\(member)\""
      let known = subject == ProgramError.environment ? unusedVariables(known) : known
      let label =
        SpellingSuggestion.nearest(to: member, among: known).map { "did you mean \"\($0)\"?" }
        ?? (subject == ProgramError.environment ? hint : nil)
        ?? (["count", "length", "size"].contains(member) ? "to count: \(subject) | count" : nil)
        ?? hint ?? (known.isEmpty ? nil : "it has \(ProgramError.list(known.map { "\"\($0)\"" }))")
      return ("\(subject) has no \(what)", label, found.map { ["\(step ?? subject) \($0)"] } ?? [])
    case .missingVariables(let variables, let advice):
      let names = variables.map { $0.name.hasPrefix("{{") ? $0.name : "\"\($0.name)\"" }
      return (
        "\(ProgramError.environment) has no \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")",
        advice,
        zip(names, variables).dropFirst().map { "\($0) is read at \($1.place)" }
      )
    case .notRun(let name, isName: true, _, let isCredential):
      let hint = isCredential ? "auth none sends a request without it" : "?? gives a default"
      return ("$\(name) has no value: what gives it one failed, or did not run", hint, [])
    case .notRun(let step, isName: false, let last, _):
      if step == "_" || Int(step) != nil { return ("there is no $\(step) yet", last.map { "the last is $\($0)" }, []) }
      return (
        "step \"\(step)\" did not run",
        source.isTyped ? "type its request again, or ?? gives a default" : "?? gives a default",
        []
      )
    case .beforeFirstRound(let step, let hides):
      let other = hides ? "its label hides the other $\(step); " : ""
      return ("step \"\(step)\" has no previous round yet", "\(other)?? gives a default for the first", [])
    case .nothing(let what):
      return (what, "?? gives a default", [])
    case .unknownName(let name, let known):
      let isVariable =
        ProgramError.isNamedLikeVariable(name) && SpellingSuggestion.nearest(to: name, among: known) == nil
      return (
        "$\(name) names nothing",
        isVariable ? ProgramError.variableAdvice(name) : ProgramError.suggestion(name, known, "$"), []
      )
    case .wrongKind(let wanted, let actual):
      return ("expected \(wanted), found \(actual)", advice(wanting: wanted, found: actual), [])
    case .tooSmall(let extent):
      return (extent.sentence, extent.hint, [])
    case .notComparable(let left, let right, let hint):
      return ("\(left) and \(right) cannot be ordered", hint, [])
    case .divisionByZero:
      return ("division by zero", nil, [])
    case .number(let text):
      return ("\"\(text)\" is not a number", nil, [])
    case .timeRange(let sentence):
      return (sentence, nil, [])
    case .tooLarge(let sentence):
      return (sentence, nil, [])
    case .tookTooLong(let patience):
      return (
        "this path was not finished after \(patience.wholeSeconds) s", "a script takes as long as it needs", []
      )
    case .xpathTookTooLong(let patience):
      return ("this XPath expression was not finished after \(patience.wholeSeconds) s", nil, [])
    case .interrupted:
      return ("interrupted", nil, [])
    case .unknownFunction(let name, let known):
      return (
        "there is no function \"\(name)\"", Function.suggestion(for: name) ?? ProgramError.suggestion(name, known, ""),
        []
      )
    case .arguments(let function, let wanted):
      return ("\(function) takes \(wanted)", nil, [])
    case .invalidRegex(let reason):
      return ("the regular expression is not valid", reason.description, [])
    case .invalidEncoding(let what, let detail):
      return ("this is not \(what)", detail.description.isEmpty ? nil : detail.description, [])
    case .file(let error):
      return (
        "\(error)", nil, ["relative paths start from the script's directory, at the prompt from the working directory"]
      )
    case .pathSegment(let text):
      return (
        text.description.isEmpty
          ? "an empty value cannot be a part of a path" : "\"\(text)\" cannot be a part of a path",
        "it would change which resource is meant", []
      )
    case .headerName(let name):
      return (
        "\"\(name)\" is not a header name", "use letters, digits and -, as in Content-Type", []
      )
    case .colonInUser:
      return ("the user of basic auth has a colon", "everything after it would be taken for the password", [])
    case .headerValue(let name):
      return (
        "the value of header \(name) has a line end or another control character",
        "it could add headers of its own, so it is not sent", []
      )
    case .emptyToken: return ("the token is empty", "auth none sends a request without one", [])
    case .headerWhitespace(let name):
      return (
        "the value of header \(name) begins or ends with whitespace, which would be lost", "… | trim removes it", []
      )
    case .relativeURL(let url, let provenance):
      let from =
        switch provenance {
        case .environment(let name): "the environment variable \(name)"
        case .setting(let name): "the setting \(name)"
        case .file(let path): "the file \(path)"
        case .secret(let name): "the secret \(name)"
        case .script, .declared, .response: "elsewhere"
        }
      return (
        "\"\(url)\" is not an absolute URL", "only the script's own text is appended to a base; this came from \(from)",
        []
      )
    case .invalidURL(let url):
      return ("\"\(url)\" is not a URL", "a URL begins with http:// or https:// and has no spaces", [])
    case .invalidOrigin(let text, let error):
      return ("\"\(text)\" is not an origin", ProgramError.describe(error), [])
    case .unknownProfile(let name, let known):
      return ("there is no profile \"\(name)\"", ProgramError.suggestion(name, known, ""), [])
    case .parameterType(let name, let type, let value):
      return ("parameter \"\(name)\" is \(ProgramError.article(type)), not \(value)", nil, [])
    case .settingKind(let name, let kind, let value):
      let hint = kind == "null" ? "JSON takes its place: a text is --set \(name)='\"…\"'" : nil
      return ("\"\(name)\" is \(kind) in the script, not \(value)", hint, [])
    case .missingArgument(let name, let sequence):
      return ("sequence \"\(sequence)\" needs a value for \"\(name)\"", "\(name): …", [])
    case .unknownSetting(let name, let known):
      return (
        "nothing called \"\(name)\" can be set", ProgramError.suggestion(name, known, ""),
        ["top-level let names and parameters of the sequence that is run can be set"]
      )
    case .secretSetting(let name, let value):
      return (
        "the secret \"\(name)\" cannot be set", "it comes from \(value)", ["a command line is no place for a secret"]
      )
    case .unknownSequence(let name, let known):
      let label = known.isEmpty ? "it declares none" : ProgramError.suggestion(name, known, "")
      return ("the script has no sequence \"\(name)\"", label, [])
    case .missingSetting(let name, let sequence):
      return ("sequence \"\(sequence)\" needs a value for \"\(name)\"", "give it one: --set \(name)=…", [])
    case .unavailableSecret(let name):
      return ("the secret \"\(name)\" is missing", "set it in the environment, or where it is declared", [])
    case .emptySecret(let name): return ("the secret \"\(name)\" is empty", "it is set, but has no value", [])
    case .secretTooShort(let name):
      return ("the secret \"\(name)\" is shorter than 4 bytes", nil, [ErrorAdvice.ofShortSecret])
    case .unknownSigner(let name): return ("there is no \"auth \(name)\"", nil, [])
    case .signerMember(let name, let signer): return ("auth \(signer.name) has no \(name)", signer.example, [])
    case .unknownSignerMember(let name, let signer):
      return ("auth \(signer.name) has a member \"\(name)\" that it does not know", signer.example, [])
    case .command(let sentence): return (sentence.description, nil, [])
    case .noCommands:
      return ("no program is run here", "take the secret from the environment: $env.NAME", [])
    case .foreignPath(let text):
      return (
        "\"\(text)\" cannot be a part of a file's path",
        "text from a server must be a plain name there: not . or .., and without /",
        []
      )
    case .secretMisplaced(let what):
      return (
        "anything made from a secret cannot be a part of \(what)", "others could read it there", []
      )
    case .repeatedTooOften(let count):
      return ("repeated \(count) times without the condition being met", "give it a limit: repeat for 5m until …", [])
    case .depthExceeded:
      return ("sequences run each other too deeply", nil, [])
    case .duplicateBody:
      return ("a request has one body", nil, [])
    case .presign(let error):
      let (message, advice) = error.words
      return (message, advice, [])
    case .awsKeys(let error):
      let (message, label) = error.words
      return (message, label, [])
    case .signIn(let error):
      let (message, label) = error.words
      return (message, label, [])
    case .network(let error):
      return (error.words.message, error.words.label, [])
    case .fileNotText(let path, let offset):
      return (
        "\"\(path)\" is not UTF-8 text: byte \(offset) is not part of a character", "a file can be sent as it is",
        [
          "as a part of a form: name@\(path), or multipart { name: file(\"…\") }",
          "as the whole body: body file(\"…\")", "within JSON: file(\"…\").bytes | base64",
        ]
      )
    case .xpath(let sentence): return (sentence.description, nil, [])
    }
  }

  /// Whether it is about something given from outside, and not about any place in the script.
  public var isFromOutside: Bool {
    switch fact {
    case .unknownSetting, .secretSetting, .unknownSequence: true
    default: false
    }
  }

  private static func suggestion(_ name: String, _ known: [String], _ prefix: String) -> String? {
    if let nearest = SpellingSuggestion.nearest(to: name, among: known) { return "did you mean \(prefix)\(nearest)?" }
    return known.isEmpty ? nil : "available: \(list(known.map { prefix + $0 }))"
  }

  /// Whether a name is all in capitals, as those of variables of the environment are.
  static func isNamedLikeVariable(_ name: String) -> Bool {
    name.count > 1 && name == name.uppercased() && name.contains(where: \.isLetter)
  }

  static func variableAdvice(_ name: String) -> String { "a variable of the environment is $env.\(name)" }

  static func list(_ names: [String]) -> String {
    names.count <= 8 ? names.joined(separator: ", ") : names.prefix(8).joined(separator: ", ") + ", …"
  }

  static func article(_ type: String) -> String {
    "aeio".contains(type.prefix(1)) ? "an \(type)" : "a \(type)"
  }

  static func describe(_ error: OriginError) -> String {
    switch error {
    case .scheme: "it begins with http:// or https://"
    case .host: "the host has a character that no host has"
    case .port: "the port is a number from 1 to 65535"
    case .trailing: "nothing may follow the host and port here"
    case .wildcard: "one origin is needed, without *"
    }
  }
}
