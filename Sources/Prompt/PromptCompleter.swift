internal import HTTPTypes
internal import JSONValue
internal import LineEditing
internal import RequestSyntax
internal import Requests

/// Completes from what actually exists: responses, names, profiles, files, earlier requests.
struct PromptCompleter: Completer {
  typealias Candidate = Completions.Candidate

  /// All responses, `$1` first.
  var exchanges: [Exchange] = []
  var bodies: BodyDocuments
  /// What `let` and `secret` declared.
  var names: [String] = []
  var sequences: [String] = []
  var profiles = SessionProfiles()
  /// The names of environment variables.
  var environment: [String] = []
  var listDirectory: @Sendable (String) -> [String] = { _ in [] }
  /// Hides the secrets in previews.
  var redact: @Sendable (String) -> String = { $0 }

  func completions(of line: String, at cursor: String.Index) -> Completions {
    let typed = line[..<cursor]
    if typed.drop(while: \.isWhitespace).first == ":", !typed.contains("\n") {
      return commandCompletions(typed.drop(while: \.isWhitespace))
    }
    return expressionCompletions(typed) ?? statementCompletions(typed)
  }

  // MARK: Inside expressions

  /// References, functions and files, wherever they appear.
  func expressionCompletions(_ typed: Substring) -> Completions? {
    if let path = openFileName(typed) { return fileCompletions(path, terminator: "\")") }
    if let reference = TypedReference(endOf: typed) { return completions(of: reference, in: typed) }
    let word = typed.ending { $0.isLetter || $0.isNumber || $0 == "-" }
    let before = typed[..<word.startIndex].reversed().drop(while: \.isWhitespace)
    if before.first == "|", word.first?.isNumber != true {
      return matching(word, in: typed, Self.functions)
    }
    return nil
  }

  /// What was typed of the name in `file("`.
  private func openFileName(_ typed: Substring) -> Substring? {
    guard let call = typed.ranges(of: "file(\"").last else { return nil }
    let path = typed[call.upperBound...]
    return path.contains("\"") ? nil : path
  }

  func fileCompletions(_ path: Substring, terminator: String) -> Completions {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path
    let directory = path[..<name.startIndex]
    let place = directory.count > 1 ? directory.dropLast() : directory
    let candidates = listDirectory(String(place)).filter { name.hasPrefix(".") || !$0.hasPrefix(".") }.map {
      Candidate($0, terminator: $0.hasSuffix("/") ? "" : terminator)
    }
    return matching(name, in: path, candidates)
  }

  // MARK: Statements

  func statementCompletions(_ typed: Substring) -> Completions {
    let line = typed.lastIndex(of: "\n").map { typed[typed.index(after: $0)...] } ?? typed
    let word = line.ending { !$0.isWhitespace }
    let words = line[..<word.startIndex].split(whereSeparator: \.isWhitespace)
    guard var last = words.last else {
      let isFirstLine = line.startIndex == typed.startIndex
      return matching(word, in: typed, isFirstLine ? Self.beginnings : Self.clauses + Self.beginnings)
    }
    if last.hasSuffix(":"), words.count == 1 { return matching(word, in: typed, Self.methods) }
    if Self.isMethod(last), words.count <= 2 { return matching(word, in: typed, targets(word)) }
    if last == "," { last = "for" }
    if words.first == "profile", line.contains("{"), let setting = settingCompletions(word, behind: last, in: typed) {
      return setting
    }
    switch last {
    case "profile" where words.dropLast().last == "with": return matching(word, in: typed, profileNames)
    case "for" where words.first == "secret": return matching(word, in: typed, profileNames)
    case "run" where words.count == 1:
      return matching(word, in: typed, sequences.map { Candidate($0, terminator: "(") })
    case "header": return matching(word, in: typed, Self.headerNames)
    case "with": return matching(word, in: typed, [Candidate("profile", terminator: " ")])
    case "auth": return matching(word, in: typed, ["bearer", "basic", "none"].map { Candidate($0, terminator: " ") })
    case "effect": return matching(word, in: typed, [Candidate("once"), Candidate("idempotent")])
    case "expect", "until":
      return matching(word, in: typed, Keywords.members.map { Candidate($0) })
    default:
      guard words.contains(where: Self.isMethod), Self.isOutsideBrackets(line) else { return none(typed) }
      return matching(word, in: typed, Self.clauses)
    }
  }

  /// Inside a profile: its settings; nil after one whose values are those of a clause.
  private func settingCompletions(_ word: Substring, behind last: Substring, in typed: Substring) -> Completions? {
    switch last {
    case "header", "auth": return nil
    case "cookies": return matching(word, in: typed, [Candidate("on"), Candidate("off")])
    case "base", "origin":
      let origins = Set(exchanges.map { "\($0.request.origin)" }).sorted()
      return matching(word, in: typed, origins.map { Candidate($0) })
    default: return matching(word, in: typed, Keywords.settings.map { Candidate($0, terminator: " ") })
    }
  }

  /// Where requests went before, and where profiles lead.
  private func targets(_ word: Substring) -> [Candidate] {
    var seen: Set<String> = []
    var targets: [Candidate] = []
    let named = profiles.all.first { word.hasPrefix("\($0.name):/") }
    for exchange in exchanges.reversed() {
      let method = exchange.request.method.rawValue
      let text: String
      switch exchange.description.head.target {
      case .path(let path, let profile):
        let name = named?.name ?? (profile == profiles.current ? nil : profile)
        text = (name.map { "\($0):" } ?? "") + path
      case .url(let url): text = String(url.prefix { $0 != "?" && $0 != "#" })
      }
      guard redact(text) == text, seen.insert(text).inserted else { continue }
      targets.append(Candidate(text, preview: "\(method) \(exchange.response.status.code)"))
    }
    for profile in profiles.all where profile.base != nil {
      targets.append(Candidate("\(profile.name):/", preview: profile.base?.description ?? ""))
    }
    return targets
  }

  var profileNames: [Candidate] {
    profiles.all.map { Candidate($0.name, preview: $0.origins.map(\.description).joined(separator: ", ")) }
  }

  // MARK: Answers

  /// The candidates that begin with the word, which ends where the typed text does.
  func matching(_ word: Substring, in typed: Substring, _ candidates: [Candidate]) -> Completions {
    Completions(
      replacing: word.startIndex..<typed.endIndex, candidates: candidates.filter { $0.text.hasPrefix(word) })
  }

  func none(_ typed: Substring) -> Completions {
    Completions(replacing: typed.endIndex..<typed.endIndex, candidates: [])
  }

  private static func isMethod(_ word: Substring) -> Bool {
    word.contains { $0.isLetter } && word.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// Whether no bracket is open; those inside open strings count as brackets.
  private static func isOutsideBrackets(_ line: Substring) -> Bool {
    line.count { "([{".contains($0) } <= line.count { ")]}".contains($0) }
  }
}

extension Substring {
  /// The longest suffix all of whose characters are wanted.
  func ending(_ isWanted: (Character) -> Bool) -> Substring {
    let start = lastIndex { !isWanted($0) }.map { index(after: $0) } ?? startIndex
    return self[start...]
  }
}
