internal import Formats
internal import Presentation
internal import RequestSyntax
internal import Requests

/// Commands without their colon, and commands of other prompts.
extension HabitualInput {
  static func command(_ word: String, _ rest: String) -> HabitualInput? {
    switch word.lowercased() {
    case "q" where rest.isEmpty: return .hint(ErrorReport("q is for the debugger", notes: [":quit or ^D leaves"]))
    case "quit", "exit", "bye", "logout", "exit()", "quit()", "quit;", "exit;", ".exit", ".quit", "\\q":
      return rest.isEmpty ? .command(":quit") : nil
    case "help", "?", "man", ".help", "\\?", "\\h", "/?":
      return .command(rest.isEmpty ? ":help" : ":help \(rest.prefix { !$0.isWhitespace })")
    case "auth" where ["bearer", "basic", "digest", "none"].contains { rest.hasPrefix("\($0) ") }:
      let credential = TypedSecrets.masked([word, rest].joined(separator: " ")).replacing(TypedSecrets.mask, with: "…")
      return .hint(
        ErrorReport(
          "a credential belongs to a request, or to all of a profile",
          notes: ["GET /path \(credential)", "profile api { base https://… \(credential) }"]))
    case "cls": return rest.isEmpty ? .command(":clear") : nil
    case "env": return .command(":vars")
    case "echo": return .command(":print \(rest)")
    case "p" where !rest.isEmpty: return .command(":print \(rest)")
    case "jq", "jmespath": return query(rest)
    case "hurl", "ijhttp", "httpyac":
      let file = rest.split(whereSeparator: \.isWhitespace).last { word in
        [".hurl", ".http", ".rest"].contains(where: word.hasSuffix)
      }
      guard let file else { return nil }
      return .hint(ErrorReport("a file of \(word.lowercased()) is run like a script", notes: [":run \(file)"]))
    case "workbench": return .hint(ErrorReport("this is the prompt of workbench", notes: [meaning(ofSubcommand: rest)]))
    case "source", "exec", ".": return rest.isEmpty ? nil : .command(":run \(rest)")
    case "run": return rest.hasSuffix(".wb") ? .command(":run \(rest)") : nil
    case "use": return rest.first.map { $0 == "\"" || $0 == "'" } ?? true ? nil : .command(":profile \(rest)")
    case "profile":
      if rest.contains("{") { return nil }
      let words = rest.split(whereSeparator: \.isWhitespace)
      guard words.count > 2, Keywords.settings.contains(String(words[1])) else { return .command(":profile \(rest)") }
      return .hint(
        ErrorReport("the settings of a profile are in braces", notes: ["profile \(words[0]) { \(words[1]) … }"]))
    // A clause for the request that was just sent.
    case "repeat": return .command(":repeat \(rest)")
    case "body": return rest.isEmpty || "$>".contains(rest.first ?? " ") ? .command(":body \(rest)") : nil
    case "save":
      guard rest.hasPrefix("body to ") else { return .command(":save \(rest)") }
      return .command(":body > \(rest.dropFirst(8).filter { $0 != "\"" })")
    case "set": return rest.contains("=") ? .command(":set \(rest)") : nil
    case "export": return HabitualInput(rest).flatMap { if case .hint = $0 { $0 } else { nil } }
    case "headers", "request", "response", "wire", "status", "time":
      return rest.isEmpty ? .command(word == "status" ? ":print $_.status" : ":show \(word)") : nil
    case "cd":
      if rest.contains("://") { return .command(":profile \(rest)") }
      return .hint(
        ErrorReport(
          "a profile's base says where /paths go",
          notes: [":profile https://… chooses another, and GET /path goes there"]
        ))
    case "ls", "dir":
      return .hint(
        ErrorReport(
          "there is no shell here", notes: [":vars lists the names; Tab after GET, where requests went; after @, files"]
        ))
    case "grep", "less":
      return .hint(
        ErrorReport(
          "there is no shell here", notes: ["| \(word) \(rest) takes the body of the last response", shellNote]))
    case "cat", "pwd", "vim", "vi", "nano", "mkdir", "sudo":
      return .hint(noShell)
    case "rm", "unset":
      return .hint(
        ErrorReport("nothing stays set here", notes: ["headers and values belong to one request, or to a profile"]))
    default:
      guard word == word.lowercased() else { return nil }
      return Command(rawValue: word).map { .command(":\($0.rawValue) \(rest)") } ?? misspelled(word, rest)
    }
  }

  /// What to type instead of `workbench run k.wb`; a shell, where the prompt has nothing of the kind.
  private static func meaning(ofSubcommand words: String) -> String {
    let name = words.prefix { !$0.isWhitespace }
    var rest = words.dropFirst(name.count).drop(while: \.isWhitespace)
    if let quoted = rest.wholeMatch(of: /'([^']+)'/) { rest = quoted.1 }
    let typed = TypedSecrets.masked(String(rest)).replacing(TypedSecrets.mask, with: "…")
    let hasOptions = rest.split(whereSeparator: \.isWhitespace).contains { $0.hasPrefix("-") }
    switch name {
    case "": return ":help shows what can be typed"
    case "send" where !rest.isEmpty: return "only: \(typed)"
    case "prompt" where !rest.isEmpty && !hasOptions: return ":profile \(typed)"
    case "eval" where !rest.isEmpty: return ":print \(typed)"
    // Others of the same name are about runs that are recorded.
    case "run", "debug", "check", "fmt", "auth", "presign":
      return hasOptions ? outsideNote : ":\(name)" + (typed.isEmpty ? "" : " \(typed)")
    case "import" where !hasOptions:
      let words = typed.split(whereSeparator: \.isWhitespace)
      guard let file = words.last, words.count == 1 || words.count == 2 && importFormats.contains(words[0]) else {
        return outsideNote
      }
      return ":import \(file)"
    default: return outsideNote
    }
  }

  private static let importFormats: [Substring] = ["hurl", "http", "curl"]

  /// Where nothing is said of a shell yet.
  private static let outsideNote = "^Z leaves for a shell, and fg comes back"

  /// `showw $1`: nothing else of the language is meant by the word.
  private static func misspelled(_ word: String, _ rest: String) -> HabitualInput? {
    guard word.count > 3, word.allSatisfy(\.isLetter), rest.isEmpty || rest.hasPrefix("$"),
      Keywords.isUnheardOf(word), let meant = Command.meant(by: word, rest)
    else { return nil }
    return .hint(ErrorReport("there is no command \"\(word)\"", notes: ["did you mean \(meant)?"]))
  }

  /// `echo '{"a": 1}' | http POST :8080/x`, `cat a.json | curl …`: the body comes from a shell; nil: it is something else.
  static func piped(_ input: String) -> HabitualInput? {
    guard let (command, program) = ShellWords.pipeline(input), !ForeignInput.isForAnotherTool(input) else { return nil }
    let later = ShellWords.pipeline(program)
    let tool = (later?.command ?? program).trimmed
    let last = program.split(separator: "|").last.map(String.init) ?? program
    guard [tool, last].contains(where: ForeignInput.isForAnotherTool) else { return nil }
    let first = command.prefix { !$0.isWhitespace }
    let rest = command.dropFirst(first.count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isText = ["echo", "printf"].contains(first)
    guard isText || first == "cat", ForeignInput.isForAnotherTool(tool), !rest.isEmpty else { return .hint(noShell) }
    let isCurl = program.hasPrefix("curl")
    let body = isText ? (isCurl ? "-d \(rest)" : "--raw \(rest)") : isCurl ? "--data-binary @\(rest)" : "< \(rest)"
    let bare = tool.replacing(/\ (-d|--data|--data-binary|--data-raw|--json)[ =]?@-(?= |$)/, with: "")
    let line = "\(bare) \(body)" + (later.map { " | \($0.program)" } ?? "")
    return .hint(
      ErrorReport(
        "there is no shell here", notes: [TypedSecrets.masked(line).replacing(TypedSecrets.mask, with: "…"), shellNote])
    )
  }

  static let noShell = ErrorReport("there is no shell here", notes: [shellNote])

  /// `jq .items[0].id`, about the last response.
  private static func query(_ text: String) -> HabitualInput {
    let path = text.filter { $0 != "'" && $0 != "\"" }
    let isPath = path.allSatisfy { $0.isLetter || $0.isNumber || "._-[]".contains($0) } && !path.contains("[]")
    guard path.hasPrefix("."), isPath else {
      return .hint(ErrorReport("a program takes the last response after |", notes: ["| jq \(text)"]))
    }
    return .command(":print $_.body\(path == "." ? "" : path.replacing(".[", with: "["))")
  }
}
