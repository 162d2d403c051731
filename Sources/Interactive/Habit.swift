internal import Presentation

/// What people type out of habit: what it means here, or what to type instead.
enum Habit: Hashable {
  /// A statement to be done in its place.
  case statement(String)
  /// A command to be done in its place.
  case command(String)
  case hint(ErrorReport)

  /// - Parameter input: without blanks around it.
  init?(_ input: String) {
    let words = input.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard let first = words.first else { return nil }
    let rest = input.dropFirst(first.count).drop(while: \.isWhitespace)
    switch first.lowercased() {
    case "quit", "exit", "q", "bye", "logout":
      guard words.count == 1 else { return nil }
      self = .command(":quit")
    case "help", "?", "man":
      self = .command(words.count > 1 ? ":help \(words[1])" : ":help")
    case "history", "env", "ls", "cd", "clear", "set", "source", "load", "exec", "save":
      guard let hint = Self.otherPrompts(String(first), String(rest)) else { return nil }
      self = .hint(hint)
    case "http", "https", "xh", "xhs", "httpie":
      guard words.count > 1, let line = HTTPieLine(input) else { return nil }
      switch line.result {
      case .success(let statement): self = .statement(statement)
      case .failure(let error): self = .hint(error.report)
      }
    case "get", "post", "put", "patch", "delete", "head", "options":
      guard first != first.uppercased(), words.count > 1 else { return nil }
      self = .statement("\(first.uppercased()) \(rest)")
    case "$":
      // A shell's prompt was copied along.
      guard rest.hasPrefix("curl ") || rest.hasPrefix("http ") else { return nil }
      self = Self(String(rest)) ?? .statement(String(rest))
    default:
      guard let habit = Self.bare(input, first: first, isAlone: words.count == 1) else { return nil }
      self = habit
    }
  }

  /// Something without a method: a URL, a body, a value.
  private static func bare(_ input: String, first: Substring, isAlone: Bool) -> Habit? {
    if first.hasPrefix("http://") || first.hasPrefix("https://") { return .statement("GET \(input)") }
    if first.hasPrefix("/"), isAlone { return .statement("GET \(input)") }
    if first.hasPrefix("$"), first.count > 1, !input.contains("\n") { return .command(":print \(input)") }
    if let start = input.first, "{[".contains(start) {
      return .hint(
        ErrorReport("a body needs a request before it", notes: ["POST /path json \(start == "{" ? "{ … }" : "[ … ]")"]))
    }
    let host = first.prefix { $0 != "/" && $0 != ":" }
    let isHost = host == "localhost" || host.contains(".") && host.last?.isLetter ?? false || host.isAddress
    if isAlone, isHost, host.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }) {
      return .hint(ErrorReport("a URL has its scheme here", notes: ["GET https://\(first)", "GET http://\(first)"]))
    }
    return nil
  }

  /// Words of other HTTP prompts.
  private static func otherPrompts(_ word: String, _ rest: String) -> ErrorReport? {
    switch word {
    case "history": ErrorReport("commands begin with a colon: :history")
    case "env": ErrorReport("commands begin with a colon: :vars, and :profile for where requests go")
    case "ls": ErrorReport("Tab behind a method shows where requests went; :vars shows the names")
    case "clear": ErrorReport("^L clears the screen")
    case "source", "load", "exec":
      ErrorReport("commands begin with a colon: :\(word == "load" ? "load" : "run") \(rest)")
    case "save": ErrorReport("commands begin with a colon: :save \(rest.isEmpty ? "chain.wb" : rest)")
    case "cd":
      ErrorReport(
        "where /paths go is a profile's base",
        notes: ["profile api { base \(rest.contains("://") ? rest : "https://…") }, then GET /path"])
    case "set": rest.contains("=") ? ErrorReport("a name is given with :set or let", notes: [":set \(rest)"]) : nil
    default: nil
    }
  }
}

extension Substring {
  fileprivate var isAddress: Bool {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
