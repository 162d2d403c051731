internal import Formats
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
  /// The numbers of the responses that a name stands for after a loop.
  var responses: [String: [Int]] = [:]
  /// The names of environment variables.
  var environment: [String] = []
  /// Where programs are looked for.
  var programDirectories: [String] = []
  var listDirectory: @Sendable (String) -> [String] = { _ in [] }
  /// Hides the secrets in previews.
  var redact: @Sendable (String) -> String = { $0 }

  func completions(of line: String, at cursor: String.Index) -> Completions {
    let typed = line[..<cursor]
    let text = typed.drop(while: \.isWhitespace)
    if let programs = programCompletions(typed) { return programs }
    // As `:profile` takes it.
    if let name = text.prefixMatch(of: /(?:profile|use)\s+(?=[\w\-]*$)/)?.range.upperBound {
      return matching(text[name...], in: typed, profileNames)
    }
    if text.first == ":", !text.contains("\n") { return commandCompletions(text) }
    return foreignCompletions(typed) ?? statementCompletions(typed)
  }

  // MARK: What the parser expects

  func statementCompletions(_ typed: Substring) -> Completions {
    completions(of: typed, Parser.expectation(atEndOf: typed, items: .typed)) ?? referenceCompletions(typed)
  }

  func expressionCompletions(_ typed: Substring) -> Completions {
    completions(of: typed, Parser.expectation(atEndOf: typed, isExpression: true)) ?? referenceCompletions(typed)
  }

  /// A reference is completed wherever it appears, even in text that is not a statement.
  private func referenceCompletions(_ typed: Substring) -> Completions {
    guard let dollar = typed.lastIndex(of: "$") else { return none(typed) }
    let reference = typed[dollar...]
    return completions(of: reference, Parser.expectation(atEndOf: reference, isExpression: true)) ?? none(typed)
  }

  /// Nil if there are none.
  private func completions(of typed: Substring, _ expectation: ExpectedSyntax) -> Completions? {
    let word = typed[typed.utf8.index(typed.startIndex, offsetBy: expectation.start)...]
    if expectation.items == [.fileName] { return fileCompletions(word, terminator: "\")") }
    if expectation.items.contains(.filePath) {
      return unquotedFileCompletions(word)
    }
    let candidates = expectation.items.flatMap { self.candidates($0, word) }
    return candidates.isEmpty ? nil : Completions(replacing: word.startIndex..<typed.endIndex, candidates: candidates)
  }

  private func candidates(_ item: ExpectedSyntax.Item, _ word: Substring) -> [Candidate] {
    let all: [Candidate] =
      switch item {
      case .words(let words): words.map { Candidate($0, terminator: " ") }
      case .authScheme:
        (["bearer", "basic", "digest", OAuthField.scheme] + Signer.all.map(\.name) + ["none"]).map {
          Candidate($0, terminator: " ")
        }
      case .member: Keywords.members.map { Candidate($0) }
      case .target: targets(word)
      case .origin: Set(exchanges.map { "\($0.request.origin)" }).sorted().map { Candidate($0) }
      case .headerName: Self.headerNames
      // Beside the clauses only once it is begun.
      case .headerItem: word.isEmpty ? [] : Self.headerNames.map { Candidate($0.text, terminator: ":") }
      case .function: Self.functions
      case .profile: profileNames
      case .sequence: sequences.map { Candidate($0, terminator: "(") }
      case .fileName, .filePath: []
      case .root: roots
      case .segment(let root, let segments): members(of: root, segments, word)
      }
    switch item {
    case .segment: return all
    // The names of steps are matched in any case.
    case .root: return all.filter { $0.text.lowercased().hasPrefix(word.lowercased()) }
    default: return all.filter { $0.text.hasPrefix(word) }
    }
  }

  /// Those that need no quotation marks.
  func unquotedFileCompletions(_ path: Substring) -> Completions {
    var files = fileCompletions(path, terminator: " ")
    files.candidates.removeAll { $0.text.contains { $0.isWhitespace || "{}\"'$".contains($0) } }
    return files
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

  /// Where requests went before, and where profiles lead.
  func targets(_ word: Substring) -> [Candidate] {
    var seen: Set<String> = []
    var targets: [Candidate] = []
    var failed: [Candidate] = []
    let named = profiles.all.first { word.hasPrefix("\($0.name):/") }
    for exchange in exchanges.reversed() {
      let method = exchange.request.method.rawValue
      let isMistyped = [405, 501].contains(exchange.response.status.code) && !Keywords.commonMethods.contains(method)
      let text: String
      switch exchange.description.head.target {
      case .path(let path, let profile):
        let name = profile ?? profiles.profile(ofAsked: exchange)?.name
        if let named, name != named.name { continue }
        let prefix = named != nil || name != profiles.current ? name : nil
        text = (prefix.map { "\($0):" } ?? "") + path.prefix { $0 != "?" && $0 != "#" }
      case .url(let url):
        text = short(String(url.prefix { $0 != "?" && $0 != "#" }), as: word)
      }
      // A `$name` that was sent as it is written was meant otherwise.
      guard !isMistyped, !text.contains("$"), redact(text) == text, seen.insert(text).inserted else { continue }
      let candidate = Candidate(text, preview: "\(method) \(exchange.response.status.code)")
      if exchange.response.status.code < 400 { targets.append(candidate) } else { failed.append(candidate) }
    }
    targets += failed
    for profile in profiles.all where profile.base != nil {
      targets.append(Candidate("\(profile.name):/", preview: profile.base?.description ?? ""))
    }
    return targets
  }

  /// An address as it may be typed, if the word begins so: `localhost:8080/x` and `:8080/x` on this machine, `/x` where
  /// paths go.
  private func short(_ address: String, as word: Substring) -> String {
    guard !word.isEmpty else { return address }
    if word.hasPrefix("/"), let base = profiles.current.flatMap({ profiles[$0]?.base?.description }) {
      let place = base.hasSuffix("/") ? base.dropLast() : base[...]
      return address.hasPrefix("\(place)/") ? String(address.dropFirst(place.count)) : address
    }
    return ["http://", "http://localhost"].lazy.map { String(address.trimmingPrefix($0)) }
      .first { $0.hasPrefix(word) && RequestAddress.whole($0) == address } ?? address
  }

  var profileNames: [Candidate] {
    profiles.all.map { Candidate($0.name, preview: $0.origins.map(\.description).joined(separator: ", ")) }
  }

  // MARK: Results

  /// The candidates that begin with the word, which ends where the typed text does.
  func matching(_ word: Substring, in typed: Substring, _ candidates: [Candidate]) -> Completions {
    Completions(
      replacing: word.startIndex..<typed.endIndex, candidates: candidates.filter { $0.text.hasPrefix(word) })
  }

  func none(_ typed: Substring) -> Completions {
    Completions(replacing: typed.endIndex..<typed.endIndex, candidates: [])
  }
}

extension Substring {
  /// The longest suffix all of whose characters are wanted.
  func ending(_ isWanted: (Character) -> Bool) -> Substring {
    let start = lastIndex { !isWanted($0) }.map { index(after: $0) } ?? startIndex
    return self[start...]
  }
}
