internal import Presentation
internal import RequestSyntax

/// Options after a request, with those of HTTPie as options of curl: `-a ann:…`, `--timeout=3`, `-p H`.
struct RequestOptions {
  typealias Refusal = OptionedRequest.Refusal

  private(set) var words: [String] = []
  /// What HTTPie's ask to be shown; nil: they do not say.
  private(set) var parts: ShownParts?

  /// - Parameter given: as they were typed.
  init(_ given: [String]) throws(Refusal) {
    var rest = given[...]
    var login: String?
    var loginOption = ""
    var scheme = "basic"
    while let word = rest.popFirst() {
      var (option, attached) = Self.divided(word)
      let isAlone = attached == nil && rest.first?.hasPrefix("-") ?? true
      let isBeforeItem = attached == nil && rest.first.map(HTTPieLine.isBody) ?? false
      func value() throws(Refusal) -> String {
        guard let value = attached ?? rest.popFirst() else {
          throw Refusal(CurlCommand.ParseError.missingValue(option: option))
        }
        return value
      }
      switch option {
      case "-a", "--auth":
        login = try value()
        loginOption = option
      case "-A" where ["basic", "digest", "bearer"].contains(attached ?? rest.first), "--auth-type":
        scheme = try value()
      case "-p", "--print":
        let letters = try value()
        parts = ShownParts(letters: letters[...])
        if parts == nil { throw Refusal(HTTPieLine.LineError.unprintable(letters).report) }
      case "-h", "--headers": parts = .headers
      case "-b" where isAlone, "--body": parts = .body
      case "-m" where isAlone, "--meta": parts = .metadata
      case "-F" where isAlone, "--follow", "--check-status": continue
      // What comes bit by bit is shown as it comes.
      case "--stream": continue
      case "--no-follow": words += ["--max-redirs", "0"]
      case "--timeout": words += ["--max-time", try value()]
      case "--verify":
        switch try value() {
        case "no", "false": words.append("--insecure")
        case "yes", "true": continue
        case let file: words += ["--cacert", file]
        }
      // Of curl, they have values.
      case "-j" where isAlone || isBeforeItem, "--json" where isAlone || isBeforeItem:
        throw Self.refusal(option, "leave it out: items are JSON, name=text age:=41")
      case "--form" where isAlone: throw Self.refusal(option, "form after the target: POST /path form name=text")
      case "--jq": throw Self.refusal(option, "a program takes the response after |: GET /path | jq .name")
      default:
        let isOfCurl = !option.hasPrefix("--") || CurlCommand.isKnown(option)
        if !isOfCurl, let instead = ForeignOption.typedMeaning(option) {
          throw Refusal(CurlCommand.ParseError.otherwise(option: option, instead))
        }
        if attached == nil, CurlCommand.takesNextWord(option) { attached = rest.popFirst() }
        words += [option, attached].compactMap(\.self)
      }
    }
    guard let login else { return }
    if ["basic", "digest"].contains(scheme), !login.contains(":") {
      let user = ShellVariable.spelled(login)
      throw Refusal(
        ErrorReport(
          "there is no password after the user \"\(user)\"",
          notes: ["in the line: \(loginOption) \(user):…", "typed: auth \(scheme) \"\(user)\", $env.PASSWORD"]))
    }
    switch scheme {
    case "bearer": words += ["--oauth2-bearer", login]
    case "digest": words += ["--digest", "--user", login]
    case "basic": words += ["--user", login]
    default: throw Refusal(HTTPieLine.LineError.authentication(option: "--auth-type").report)
    }
  }

  /// `--name=value`, and `-avalue` of the options that curl does not have.
  private static func divided(_ word: String) -> (option: String, value: String?) {
    if word.hasPrefix("--") {
      guard let equals = word.firstIndex(of: "=") else { return (word, nil) }
      return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
    guard word.count > 2, word.hasPrefix("-a") || word.hasPrefix("-p") else { return (word, nil) }
    let value = word.dropFirst(2)
    return (String(word.prefix(2)), String(value.first == "=" ? value.dropFirst() : value))
  }

  private static func refusal(_ option: String, _ instead: String) -> Refusal {
    Refusal(ErrorReport("\(option) is an option, and a request has none", notes: [instead]))
  }
}

extension CurlCommand {
  fileprivate static func isKnown(_ option: String) -> Bool {
    flags.contains(option) || valued.contains(option) || otherwise[option] != nil
  }

  /// Whether the value of an option, or of the last of `-sH`, is the next word.
  fileprivate static func takesNextWord(_ option: String) -> Bool {
    if option.hasPrefix("--") { return valued.contains(option) }
    let first = option.dropFirst().firstIndex { longNames[$0].map(valued.contains) ?? false }
    return first.map { option.index(after: $0) == option.endIndex } ?? false
  }
}
