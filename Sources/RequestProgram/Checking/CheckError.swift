import Diagnostics
import RequestSyntax

/// What the check found, as a fact with its place.
struct CheckError: Error, Hashable {
  enum Fact: Hashable {
    case unknownReference(String, user: String?, known: [String])
    case usedBeforeItRuns(String, user: String?)
    case usedInItself(String)
    case noSuchStep(number: Int, count: Int)
    case onlyAtThePrompt(String)
    case duplicateName(String, kind: String)
    case unusedParameter(String, sequence: String)
    case unknownSequence(String, known: [String])
    case unknownParameter(String, sequence: String, known: [String])
    case duplicateArgument(String)
    case tooManyArguments(sequence: String, count: Int)
    case missingArgument(String, sequence: String)
    case unknownType(String)
    case unknownFunction(String)
    case functionArguments(String, wanted: String)
    case functionNeedsPipe(String)
    case functionTakesNoInput(String)
    case unknownProfile(String, known: [String])
    case noProfileForPath(known: [String])
    case profileNeedsStep(String)
    case bodyItemOnGet(String, method: String)
    case bodyOnGet(String)
    case twoBodies
    case invalidURL(String)
    case invalidOrigin(String, OriginProblem)
    case invalidHeaderName(String)
    case targetBeginsWithExpression
    case expressionInHost
    case invalidRegex(String)
    case invalidFilter(String)
    case basicNeedsTwo
    case looksSecret(String)
    case notInThisPlace(String)
    case commandInScript
    case notSupported(String)
  }

  /// Why a text is no origin or base.
  struct OriginProblem: Hashable {
    var sentence: String
  }

  var fact: Fact
  var range: SourceRange

  var severity: Diagnostic.Severity {
    switch fact {
    case .unusedParameter, .bodyOnGet, .looksSecret: .warning
    default: .error
    }
  }

  func diagnostic(in source: SourceText) -> Diagnostic {
    let (message, label) = sentence
    return Diagnostic(message, in: source, at: range, label: label, severity: severity)
  }

  private var sentence: (String, String?) {
    switch fact {
    case .unknownReference(let name, let user, let known):
      return (
        "\(user.map { "\($0) uses" } ?? "there is no") $\(name)\(user == nil ? "" : ", which names no step")",
        Self.suggestion(name, known, "$")
      )
    case .usedBeforeItRuns(let name, let user):
      return ("\(user ?? "this") uses $\(name) before it runs", "$\(name) comes later")
    case .usedInItself(let name):
      return ("step \"\(name)\" uses its own answer", "only a step with repeat has a round before")
    case .noSuchStep(let number, let count):
      let steps = count == 0 ? "no request is" : count == 1 ? "only 1 request is" : "only \(count) requests are"
      return ("there is no $\(number) here", "\(steps) written before it")
    case .onlyAtThePrompt(let name):
      return ("$\(name) is the last exchange at the prompt; a script names its steps", nil)
    case .duplicateName(let name, let kind):
      return ("there is a \(kind) \"\(name)\" already", "a name has one meaning in a sequence")
    case .unusedParameter(let name, let sequence): return ("sequence \"\(sequence)\" never uses \"\(name)\"", nil)
    case .unknownSequence(let name, let known):
      return ("there is no sequence \"\(name)\"", Self.suggestion(name, known, ""))
    case .unknownParameter(let name, let sequence, let known):
      return ("sequence \"\(sequence)\" has no parameter \"\(name)\"", Self.suggestion(name, known, ""))
    case .duplicateArgument(let name): return ("\"\(name)\" is given twice", nil)
    case .tooManyArguments(let sequence, let count):
      return ("sequence \"\(sequence)\" takes \(count) argument\(count == 1 ? "" : "s")", nil)
    case .missingArgument(let name, let sequence):
      return ("sequence \"\(sequence)\" needs a value for \"\(name)\"", "add \(name): …")
    case .unknownType(let name):
      return ("\"\(name)\" is no type", Self.suggestion(name, ParameterType.allCases.map(\.rawValue), ""))
    case .unknownFunction(let name):
      return ("there is no function \"\(name)\"", Self.suggestion(name, Function.allCases.map(\.rawValue), ""))
    case .functionArguments(let name, let wanted): return ("\(name) takes \(wanted)", nil)
    case .functionNeedsPipe(let name): return ("\(name) takes its input by a pipe", "write … | \(name)")
    case .functionTakesNoInput(let name): return ("\(name) takes no input", "write \(name)(…) by itself")
    case .unknownProfile(let name, let known):
      return ("there is no profile \"\(name)\"", Self.suggestion(name, known, ""))
    case .noProfileForPath(let known):
      if known.isEmpty { return ("a path needs a profile with a base", "write a whole URL, or a profile") }
      return ("\(known.count) profiles have a base", "say which: \(known[0]):/…")
    case .profileNeedsStep(let name):
      return ("a profile can not read $\(name), which needs an answer", "a secret may: secret name = … for profile")
    case .bodyItemOnGet(let name, let method): return ("a \(method) has no body", "for the query, write \(name)==…")
    case .bodyOnGet(let method): return ("a \(method) with a body is understood by few servers", nil)
    case .twoBodies: return ("a request has one body", "there is another above")
    case .invalidURL(let text):
      return ("\"\(text)\" is no target", "a target is a URL, a path /…, profile:/path, a reference, or in parentheses")
    case .invalidOrigin(let text, let problem): return ("\"\(text)\" is no origin", problem.sentence)
    case .invalidHeaderName(let name): return ("\"\(name)\" is no name of a header", nil)
    case .targetBeginsWithExpression:
      return (
        "a target in braces would be encoded as one piece of a path",
        "write the reference without braces, or an expression in parentheses"
      )
    case .expressionInHost:
      return ("a host is not put together in a target", "write the whole URL as a string: \"http://{$host}/…\"")
    case .invalidRegex(let reason): return ("the regular expression is not valid", reason)
    case .invalidFilter(let reason): return ("the filter is not valid", reason)
    case .basicNeedsTwo: return ("auth basic takes a user and a password", "auth basic user, password")
    case .looksSecret(let name):
      return ("$env.\(name) looks like a secret and is used as plain text", "secret name = $env.\(name) for profile")
    case .notInThisPlace(let what): return ("\(what) can not stand here", nil)
    case .commandInScript:
      return ("a script never runs a program", "command(…) is for the prompt and your own profiles.wb")
    case .notSupported(let what): return ("\(what) is not supported yet", nil)
    }
  }

  private static func suggestion(_ name: String, _ known: [String], _ prefix: String) -> String? {
    if let nearest = SpellingSuggestion.nearest(to: name, among: known) { return "did you mean \(prefix)\(nearest)?" }
    return known.isEmpty ? nil : "there are \(ProgramError.list(known.map { prefix + $0 }))"
  }
}
