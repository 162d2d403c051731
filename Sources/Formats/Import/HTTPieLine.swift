internal import Diagnostics
internal import Imports
internal import JSONValue
package import Presentation
package import RequestSyntax
internal import Requests

/// A line as HTTPie takes it, `http -f POST example.org/x name=a Accept:text/plain`, as a request of ours.
///
/// Request items are the same in both; options and short URLs are not.
package struct HTTPieLine {
  package enum LineError: Error, Hashable {
    case words(ShellWords.ParseError)
    case option(String)
    /// What is done in another way here, and how.
    case otherwise(option: String, String)
    case missingURL
    /// `-a` without a password: HTTPie would ask for it.
    case missingPassword(user: String)
    case missingValue(String)
    /// A value that is not what is wanted where a number belongs.
    case malformed(String, wanted: String)
    /// Not a type of `--auth-type` that is known.
    case authentication(option: String)
    /// Not the letters that `--print` takes.
    case unprintable(String)
    case item(ItemError)
    /// A value of a response, `{$1.body.token}`, which HTTPie does not know.
    case reference(String)
  }

  package let result: Result<MeantScript, LineError>

  /// - Parameters:
  ///   - line: begins with `http` or `https`; nil if a URL does.
  ///   - document: what it reads as its standard input; nil: it reads none.
  init?(_ line: String, document: HereDocument? = nil) {
    guard let command = line.split(whereSeparator: \.isWhitespace).first, !command.contains(":") else { return nil }
    self.init(command) { request throws(LineError) in
      if let document { try request.take(document: document) }
      try request.read(line)
    }
  }

  /// - Parameter words: those of a line, as a shell hands them over; the first is `http` or `https`.
  package init(words: [String]) {
    self.init(words.first ?? "") { request throws(LineError) in
      try request.read(words: words[...])
    }
  }

  private init(_ command: some StringProtocol, _ read: (inout Request) throws(LineError) -> Void) {
    var request = Request(
      scheme: command.hasSuffix("s") ? "https" : "http", checksStatus: command.lowercased().hasPrefix("xh"))
    do throws(LineError) {
      try read(&request)
      result = .success(try request.meaning())
    } catch {
      result = .failure(error)
    }
  }

  /// The header `Accept` of `--json`.
  static let acceptedJSON = "application/json, */*;q=0.5"

  /// Whether a request item is part of the body.
  package static func isBody(_ item: String) -> Bool {
    do throws(ItemError) {
      return try RequestItem(word: item).isBody
    } catch {
      // JSON that is not: it is refused where it is read.
      return if case .notJSON = error { true } else { false }
    }
  }
}

extension HTTPieLine {
  /// What the words of a line mean.
  private struct Request {
    private var scheme: String
    private var isJSON = false
    /// `--raw ''`
    private var isEmptyBody = false
    private var keepsDotSegments = false
    private var isOffline = false
    private var ignoresInput = false
    /// Whether it fails unless the status is 2xx or 3xx, as xh does.
    private var checksStatus: Bool
    private var words: [String] = []
    private var itemBody: StepSyntax.ItemBody?
    private var authentication = AuthSyntax.Scheme.basic
    private var login: String?
    private var clauses: [ClauseSyntax.Kind] = []
    private var isInsecure = false
    /// What it says of connections, and the passwords in that.
    private var connecting = ConnectionDemand()
    private var passwords: [(text: String, name: String)] = []
    private var isDownload = false
    private var output: String?
    /// What it asks to be shown: the last of `--print` and its short forms, and without them `--verbose`.
    private var printed: ShownParts?
    private var isVerbose = false
    /// `< file` and `> file`
    private var input: String?
    private var redirected: String?
    /// `--follow`; without it, a redirect is the response.
    private var follows = false
    private var redirects: Int?
    /// `--session=ann`
    private var session: String?
    /// What a shell would have done with the response.
    private var left: Substring = ""

    /// Options about what HTTPie prints, or that ask for what happens here anyway.
    private static let ignored: Set<String> = [
      "-q", "--quiet", "--all", "-S", "--stream", "--sorted",
      "--unsorted",
    ]
    private static let ignoredWithValue: Set<String> = [
      "--pretty", "-s", "--style", "-P", "--history-print", "--format-options", "--response-charset",
      "--response-mime",
    ]
    /// Those of the options of one letter that have a value.
    private static let lettersWithValue = "aAopPs"

    init(scheme: String, checksStatus: Bool) {
      self.scheme = scheme
      self.checksStatus = checksStatus
    }

    mutating func take(document: HereDocument) throws(LineError) {
      do {
        clauses.append(.body(.text(try document.content(.typed)), TypedSyntax(type: "application/json")))
      } catch { throw .words(error) }
    }

    mutating func read(_ line: String) throws(LineError) {
      let command: ShellWords.Command
      do { command = try Self.split(line) } catch { throw .words(error) }
      (input, redirected) = (command.input, command.output)
      left = command.rest
      if left.first == "<" { throw .words(.operatorFound("<")) }
      if left.first == "&", !left.hasPrefix("&&") { throw .words(.operatorFound("&")) }
      if left.first == ";" {
        // What is after it would be lost.
        guard left.dropFirst().allSatisfy(\.isWhitespace) else { throw .words(.operatorFound(";")) }
        left = ""
      }
      try read(words: command.words[...])
    }

    /// The words of a line; `Header;` is one of them.
    private static func split(_ line: String) throws(ShellWords.ParseError) -> ShellWords.Command {
      var command = try ShellWords.command(line, .typed)
      while command.rest.first == ";", let last = command.words.last, endsWithHeader(command.words),
        command.rest.base[..<command.rest.startIndex].hasSuffix(last)
      {
        command.words[command.words.count - 1] = last + ";"
        let more = try ShellWords.command(String(command.rest.dropFirst()), .typed)
        command.words += more.words
        command.rest = more.rest
        command.input = more.input ?? command.input
        command.output = more.output ?? command.output
      }
      return command
    }

    /// Whether the last word can be the name of a header: a URL is before it.
    private static func endsWithHeader(_ words: [String]) -> Bool {
      let isMethod = words.count > 1 && words[1].allSatisfy { $0.isLetter && $0.isUppercase }
      return words.count > (isMethod ? 3 : 2)
        && words.last?.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } ?? false
    }

    /// - Parameter words: the first is the command.
    mutating func read(words given: ArraySlice<String>) throws(LineError) {
      if given.contains(where: ShellBytes.isIn) { throw .words(.bytes) }
      var rest = given.dropFirst()
      while let word = rest.popFirst() {
        if word == "--" {
          words += rest
          break
        }
        guard word.hasPrefix("-"), word.count > 1 else {
          words.append(word)
          continue
        }
        guard word.hasPrefix("--") else {
          try read(letters: word.dropFirst(), &rest)
          continue
        }
        // `--name=value`
        let equals = word.firstIndex(of: "=")
        let name = equals.map { String(word[..<$0]) } ?? word
        try read(name, attached: equals.map { String(word[word.index(after: $0)...]) }, &rest)
      }
    }

    /// `-fv`, `-do out.png`, `-phb`: up to the first that has a value.
    private mutating func read(letters: Substring, _ rest: inout ArraySlice<String>) throws(LineError) {
      var letters = letters
      while let letter = letters.popFirst() {
        guard Self.lettersWithValue.contains(letter) else {
          try read("-\(letter)", attached: nil, &rest)
          continue
        }
        let value = letters.first == "=" ? letters.dropFirst() : letters
        return try read("-\(letter)", attached: letters.isEmpty ? nil : String(value), &rest)
      }
    }

    private mutating func read(
      _ option: String, attached: String?, _ rest: inout ArraySlice<String>
    ) throws(LineError) {
      func value(_ rest: inout ArraySlice<String>) throws(LineError) -> String {
        guard let value = attached ?? rest.popFirst() else { throw .missingValue(option) }
        return value
      }
      func quoted(_ text: String) -> String { SyntaxPrinter.print(ExpressionSyntax.text(text)) }
      if Self.ignored.contains(option) { return }
      if Self.ignoredWithValue.contains(option) {
        _ = try value(&rest)
        return
      }
      switch option {
      case "-p", "--print":
        let letters = try value(&rest)
        guard let parts = ShownParts(letters: letters[...]) else { throw .unprintable(letters) }
        printed = parts
      case "-h", "--headers": printed = .headers
      case "-b", "--body": printed = .body
      case "-m", "--meta": printed = .metadata
      case "-v", "--verbose": isVerbose = true
      case "-F", "--follow": follows = true
      case "-I", "--ignore-stdin": ignoresInput = true
      case "-j", "--json": (isJSON, itemBody) = (true, nil)
      case "-f", "--form": (isJSON, itemBody) = (false, .form)
      case "--multipart": (isJSON, itemBody) = (false, .multipart)
      case "--path-as-is": keepsDotSegments = true
      case "--default-scheme": scheme = try value(&rest)
      case "--boundary":
        _ = try value(&rest)
        throw .otherwise(option: option, "leave it out: a boundary is chosen that is not in the parts")
      case "--chunked", "-x", "--compress":
        throw .otherwise(option: option, "leave it out: the body is sent with its length, and as it is")
      case "-A", "--auth-type":
        // What is not one of them may be the credential, and is not repeated.
        let known: [String: AuthSyntax.Scheme] = ["basic": .basic, "digest": .digest, "bearer": .bearer]
        guard let scheme = known[try value(&rest)] else { throw .authentication(option: option) }
        authentication = scheme
      case "-a", "--auth": login = try value(&rest)
      case "--timeout":
        let text = try value(&rest)
        guard Double(text) != nil, text.allSatisfy({ $0.isNumber || $0 == "." }) else {
          throw .malformed(text, wanted: "a number of seconds")
        }
        clauses.append(.timeout(.number(NumberSyntax(text, .s))))
      case "--raw":
        let text = try value(&rest)
        isEmptyBody = text.isEmpty
        if !isEmptyBody { clauses.append(.body(.text(text), TypedSyntax(type: "application/json"))) }
      case "-o", "--output": output = try value(&rest)
      case "-d", "--download": isDownload = true
      case "--offline": isOffline = true
      case "--check-status": checksStatus = true
      case "--no-check-status": checksStatus = false
      case "--verify":
        let text = try value(&rest)
        switch text.lowercased() {
        case "no", "false": isInsecure = true
        case "yes", "true": break
        default:
          connecting.connection.tls["ca"] = text
          connecting.options.append(option)
        }
      case "--max-redirects":
        let text = try value(&rest)
        guard let count = Int(text), count >= 0 else { throw .malformed(text, wanted: "a number of redirects") }
        redirects = count
      case "--proxy":
        // `http:http://host:3128`, for the URLs of one scheme.
        let text = try value(&rest).replacing(/^(http|https|all):(?=\w+:\/\/)/, with: "")
        if let password = connecting.goThrough(proxy: text) { passwords.append((password, "proxy-password")) }
        connecting.options.append(option)
      case "--cert":
        connecting.present(certificate: try value(&rest))
        connecting.options.append(option)
      case "--cert-key":
        connecting.connection.tls["key"] = try value(&rest)
        connecting.options.append(option)
      case "--cert-key-pass":
        passwords.append((try value(&rest), "passphrase"))
        connecting.connection.hasPassphrase = true
        connecting.options.append(option)
      case "--ssl":
        connecting.connection.tls["minimum"] = try value(&rest).hasSuffix("1.3") ? "1.3" : "1.2"
        connecting.options.append(option)
      case "--session", "--session-read-only": session = "\(option)=\(try value(&rest))"
      default: throw .option(option)
      }
    }

    func meaning() throws(LineError) -> MeantScript {
      let reference = /\{?\$(?:[A-Za-z_][\w\-]*|\d+)\.(?:body|cookies|headers|set-cookie|text)(?![\w\-])[^{}\s]*\}?/
      for word in words + [login].compactMap(\.self) {
        for case .text(let text) in ShellVariable.pieces(of: word) {
          if let match = text.firstMatch(of: reference) { throw .reference(String(match.output)) }
        }
      }
      var rest = words[...]
      var method: String?
      if let first = rest.first, first.allSatisfy(\.isLetter), rest.count > 1 || first == first.uppercased() {
        method = rest.removeFirst().uppercased()
      }
      guard let target = rest.popFirst().map(ShellVariable.withoutBraces) else { throw .missingURL }
      let whole = HTTPieURL.sent(full(target))
      let url = keepsDotSegments ? whole : CurlCommand.withoutDotSegments(whole)
      var clauses = self.clauses.map { ClauseSyntax($0) }
      if let login { clauses.append(try auth(login)) }
      let file = redirected ?? output ?? (isDownload ? url.split(separator: "/").last.map(String.init) : nil)
      if let input { clauses.append(.body(file: input)) }
      if let file { clauses.append(ClauseSyntax(.save(.text(file)))) }
      let words = rest.filter { !$0.hasPrefix("@") }
      if let file = rest.first(where: { $0.hasPrefix("@") }) { clauses.append(.body(file: String(file.dropFirst()))) }
      let isBodyWritten = clauses.contains { if case .body = $0.kind { true } else { false } }
      var items: [RequestItem] = []
      var hasBody: Bool { isEmptyBody || isBodyWritten || items.contains(where: \.isBody) }
      do throws(ItemError) {
        for word in words { items.append(try RequestItem(word: word, ShellVariable.whole)) }
        if isJSON { items += try jsonFields(words, hasBody: hasBody) }
      } catch { throw .item(error) }
      var step = StepSyntax(method ?? (hasBody ? "POST" : "GET"), TargetSyntax(url), clauses)
      do throws(ItemError) {
        if itemBody == .multipart, !hasBody { throw .noParts }
        try step.take(items, as: itemBody)
      } catch { throw .item(error) }
      let isComputed = computeLast(of: &step, typed: ShellVariable.spelled(words.last ?? ""))
      if !isComputed, case .otherwise(let option, let instead)? = CurlCommand.refusal(ofFunction: left) {
        throw .otherwise(option: option, instead)
      }
      Self.typeBody(of: &step)
      step.target = ShellVariable.target(url) ?? step.target
      do { try ShellVariable.replace(in: &step, ShellVariable.value) } catch { throw .words(.expansion("$")) }
      if !follows && !isDownload || redirects == 0 {
        step.clauses.append(ClauseSyntax(.redirects(nil)))
      } else if let redirects {
        step.clauses.append(ClauseSyntax(.redirects(redirects)))
      }
      let comments = left.isEmpty || isComputed ? [] : [ShellWords.note(of: left)]
      var meaning = MeantScript(ScriptSyntax([.step(step)], comments: comments), isForAnotherTool: true)
      meaning.credentials = passwords
      meaning.demand(connecting, of: ShellVariable.spelled(url))
      if isInsecure { meaning.demand(.anyCertificate, "--verify=no", of: ShellVariable.spelled(url)) }
      if let session { meaning.demand(.cookies, session, of: ShellVariable.spelled(url)) }
      meaning.isOffline = isOffline
      // What is downloaded is not the page about an error.
      meaning.acceptsAnyStatus = !checksStatus && !isDownload
      meaning.ignoresInput = ignoresInput || isEmptyBody
      meaning.isForm = itemBody == .form && !step.hasBody
      meaning.choosesFile = isDownload && output == nil && redirected == nil
      meaning.parts = printed == .body ? nil : printed ?? (isVerbose ? .everything : nil)
      return meaning
    }

    /// The last item is computed, `csrf=$_.text | xpath("…")`, as in a line of the language: what follows a bar that is no
    /// program was not meant to be left out.
    ///
    /// - Parameter word: the last word before the bar.
    private func computeLast(of step: inout StepSyntax, typed word: String) -> Bool {
      guard left.first == "|", !left.hasPrefix("||"), let last = step.items.indices.last,
        word.hasPrefix(step.items[last].key.text), let start = word.firstIndex(of: "$"),
        case let before = word[..<start].suffix(2),
        before.last == "=" || before == "=("
      else { return false }
      let text = (before == "=(" ? "(" : "") + word[start...] + " " + left
      let parsed = Parser.parseExpression(SourceText(name: "", text: text))
      guard let value = parsed.0, parsed.1.isEmpty else { return false }
      step.items[last].value = before == "=(" ? value : .parenthesized(ParenthesizedSyntax(value))
      return true
    }

    /// A body that is a text has the type of the header, if there is one.
    private static func typeBody(of step: inout StepSyntax) {
      let header = step.items.lastIndex { $0.kind == .header && $0.key.text.lowercased() == "content-type" }
      guard let header, let type = step.items[header].value.plainText else { return }
      for index in step.clauses.indices {
        guard case .body(let content, let typed) = step.clauses[index].kind, typed.type != nil else { continue }
        step.clauses[index].kind = .body(content, TypedSyntax(type: type))
        step.items.remove(at: header)
        return
      }
    }

    /// The fields of `--json`, where none of that name is given.
    private func jsonFields(_ words: [String], hasBody: Bool) throws(ItemError) -> [RequestItem] {
      let fields = (hasBody ? [] : ["Content-Type:application/json"]) + ["Accept:\(acceptedJSON)"]
      var items: [RequestItem] = []
      for field in fields {
        let name = field.prefix { $0 != ":" }.lowercased()
        if words.contains(where: { $0.lowercased().hasPrefix("\(name):") }) { continue }
        items.append(try RequestItem(word: field))
      }
      return items
    }

    private func auth(_ login: String) throws(LineError) -> ClauseSyntax {
      if authentication == .bearer { return .auth(.bearer, .text(login)) }
      let sides = login.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count > 1 else { throw .missingPassword(user: login) }
      return .auth(authentication, .text(sides[0]), .text(sides[1]))
    }

    /// `:5000/x` is localhost, and a scheme is added if there is none.
    private func full(_ url: String) -> String {
      if url.hasPrefix("://") { return scheme + url }
      // A variable may hold the scheme, too.
      if url.contains("://") || url.hasPrefix("/") || ShellVariable.begins(url) { return url }
      guard url.hasPrefix(":") else { return "\(scheme)://\(url)" }
      let rest = url.dropFirst()
      return "\(scheme)://localhost\(rest.first?.isNumber ?? false ? ":" : "")\(rest)"
    }
  }
}

extension HTTPieLine {
  /// HTTPie's, to complete them, and to correct one that is misspelt.
  package static let options = [
    "--json", "--form", "--multipart", "--boundary", "--raw", "--compress", "--chunked", "--pretty", "--style",
    "--print", "--headers", "--meta", "--body", "--verbose", "--all", "--stream", "--output", "--download",
    "--continue", "--quiet", "--session", "--session-read-only", "--auth", "--auth-type", "--ignore-netrc", "--offline",
    "--proxy", "--follow", "--max-redirects", "--max-headers", "--timeout", "--check-status", "--path-as-is",
    "--verify", "--ssl", "--ciphers", "--cert", "--cert-key", "--cert-key-pass", "--ignore-stdin",
    "--default-scheme",
  ]
}

extension HTTPieLine.LineError {
  package var report: ErrorReport {
    switch self {
    case .words(.operatorFound(";")):
      ErrorReport(
        "\";\" ends a command for a shell",
        notes: ["one request at a time; an item that contains it in quotes: 'note=a;b'"])
    case .words(.operatorFound("<")):
      ErrorReport(
        "\"<<\" would give the command a text to read, and there is none here",
        notes: ["the text as an option: --raw '…'; a file: < file"])
    case .words(.bytes):
      ErrorReport(
        "these words have bytes that are not UTF-8, as HTTPie does not take them", notes: ["as the body: < file"])
    case .reference(let text):
      ErrorReport(
        "\(CutText.cut(text, to: 80)) would be sent as it is written",
        notes: ["at the prompt, a value of a response is in double quotes: \"Authorization:Bearer $1.body.token\""])
    case .words(let error): CurlCommand.ParseError.words(error).report
    case .option(let option):
      ErrorReport(
        "\(option) is not understood here",
        notes: [
          SpellingSuggestion.nearest(to: option, among: HTTPieLine.options).map { "did you mean \($0)?" }
            ?? "leave it out"
        ])
    case .otherwise(let option, let instead): CurlCommand.ParseError.otherwise(option: option, instead).report
    case .authentication(let option):
      ErrorReport("\(option) takes basic, digest or bearer here", notes: ["http -A digest -a user:… example.org"])
    case .missingPassword(let user):
      ErrorReport(
        "http would ask for the password of \"\(user)\"",
        notes: ["in the line: -a \(user):…", "typed: auth basic \"\(user)\", $env.PASSWORD"])
    case .missingURL: ErrorReport("this line has no URL", notes: ["http POST example.org/items name=x"])
    case .missingValue(let option): ErrorReport("\(option) needs a value")
    case .malformed(let text, let wanted):
      ErrorReport("\"\(text)\" is not \(wanted)", notes: ["http POST example.org/items name=x count:=3"])
    case .unprintable(let letters):
      ErrorReport(
        "\"\(letters)\" does not name what to print",
        notes: ["H and B are the headers and the body of the request, h and b those of the response: --print=Hh"])
    case .item(let error): ErrorReport(error.description, notes: [error.advice])
    }
  }
}
