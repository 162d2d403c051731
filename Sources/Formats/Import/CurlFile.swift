package import Diagnostics
package import Imports
internal import Presentation
internal import RequestSyntax
internal import Requests

/// A file of curl lines, as shell scripts and documentation have them: each request is a step.
package enum CurlFile {
  /// - Parameter isExact: whether it also says of itself what curl says, and asks for no encoding unless that does.
  package static func read(_ source: SourceText, isExact: Bool = false) -> ImportedScript {
    guard source.bytes.count <= ForeignScript.sizeLimit else { return ForeignScript.tooLarge(source) }
    var reading = CurlFileReading(source, isExact: isExact)
    reading.readAll()
    return reading.finished
  }
}

private struct CurlFileReading {
  let source: SourceText
  private let isExact: Bool
  private var requests: [Request] = []
  private var comments: [CommentSyntax] = []
  private var notes: [ImportNote] = []
  private var profiles = ImportedProfiles(name: "curl", settings: [])
  private var names = ImportedNames()
  private var variables: [(variable: String, name: String)] = []
  private var variableNames: [String: String] = [:]
  /// Files of cookies that a line before has written.
  private var cookieFiles: Set<String> = []
  private var line = 0

  private struct Request {
    var step: StepSyntax
    var profile: String
    /// Whether only the run knows where it goes.
    var isUnknown: Bool
    /// `-L`
    var follows: Bool
    var range: SourceRange
  }

  init(_ source: SourceText, isExact: Bool) {
    self.source = source
    self.isExact = isExact
  }

  var finished: ImportedScript {
    var profiles = profiles
    // What curl does: it sends once, and follows nothing that it is not told to follow.
    let follows = requests.contains(where: \.follows)
    if !follows { profiles.settings.append(.clause(ClauseSyntax(.redirects(nil)))) }
    profiles.settings.append(.clause(ClauseSyntax(.retry(.none))))
    if isExact {
      profiles.settings += [
        .clause(.omittedHeader("Accept-Encoding")), .clause(.header("User-Agent", .text("curl/8.0.0"))),
      ]
    }
    let statements = requests.map { request -> StatementSyntax in
      var step = request.step
      if follows, !request.follows { step.clauses.append(ClauseSyntax(.redirects(nil))) }
      if request.isUnknown || profiles.areAmbiguous {
        step.clauses.append(ClauseSyntax(.profile(NameSyntax(request.profile))))
      }
      return StatementSyntax.step(step).placed(at: request.range)
    }
    let (outside, secrets) = profiles.declarations(of: variables, CapturedCredentials(in: statements)) { $0 }
    return ImportedScript(
      source: source, script: ScriptSyntax(outside + profiles.statements + secrets + statements, comments: comments),
      notes: notes)
  }

  mutating func readAll() {
    while line < source.lineCount {
      let start = line
      let text = source[source.lineRange(line)].trimmed
      line += 1
      if text.isEmpty || text.hasPrefix("#!") { continue }
      if text.hasPrefix("#") {
        comments.append(
          CommentSyntax(text: text, range: source.lineRange(start), standsAlone: true, endsParagraph: false))
        continue
      }
      let isCommand = ["curl ", "curl.exe ", "$ curl ", "% curl "].contains { text.hasPrefix($0) }
      guard isCommand else {
        notes.append(ImportNote(.warning, "this is not a curl line, and left out", at: source.lineRange(start)))
        continue
      }
      readCommand(from: start)
    }
  }

  /// The lines up to where the shell would run it.
  private mutating func readCommand(from start: Int) {
    var text = source[source.lineRange(start)].trimmed
    if !text.hasPrefix("curl") { text = String(text.dropFirst(2)) }
    var end = CommandEnd()
    end.add(text)
    while line < source.lineCount, end.isOpen, line - start < Self.mostLines || end.isContinued {
      let next = source[source.lineRange(line)]
      end.add("\n" + next)
      text += "\n" + next
      line += 1
    }
    let document = hereDocument(after: &text, from: start)
    let range = SourceRange(source.lineRange(start).lowerBound, source.lineRange(line - 1).upperBound)
    do throws(ImportRefusal) {
      if text.contains("^\"") || text.contains(" ^\n") { throw Self.refusal(.windows, at: range) }
      var rest: Substring? = text[...]
      while let command = rest { rest = try read(command, document, at: range) }
    } catch {
      notes.append(ImportNote(.refused, error.message, hint: error.hint, at: error.range))
      comments.append(
        CommentSyntax(
          text: "# not translated: \(text.split(whereSeparator: \.isNewline).joined(separator: " "))", range: range,
          standsAlone: true, endsParagraph: false))
    }
  }

  /// - Returns: the next curl command of the same line.
  private mutating func read(
    _ text: Substring, _ document: HereDocument?, at range: SourceRange
  ) throws(ImportRefusal) -> Substring? {
    let line: (commands: [CurlCommand], rest: Substring)
    do throws(CurlCommand.ParseError) {
      line = try Self.commands(in: text, document)
    } catch {
      throw Self.refusal(error, at: range)
    }
    for command in line.commands {
      try add(command, at: range)
      guard !command.unused.isEmpty else { continue }
      comments.append(
        CommentSyntax(
          text: "# without: \(command.unused.joined(separator: ", "))", range: range, standsAlone: true,
          endsParagraph: false))
    }
    return next(after: line.rest, at: range)
  }

  private static func refusal(_ error: CurlCommand.ParseError, at range: SourceRange) -> ImportRefusal {
    let report = ShellVariable.spelled(error.report)
    return ImportRefusal(report.message, hint: report.notes.first, at: range)
  }

  private static func commands(
    in text: Substring, _ document: HereDocument?
  ) throws(CurlCommand.ParseError) -> (commands: [CurlCommand], rest: Substring) {
    let line: ShellWords.Command
    var input: CurlInput?
    do throws(ShellWords.ParseError) {
      line = try ShellWords.command(of: text, .marked)
      if let file = line.input {
        input = .file(file)
      } else if let document {
        input = .text(try document.content())
      }
    } catch { throw .words(error) }
    if line.rest.first == "<" { throw .words(.operatorFound("<")) }
    if line.rest.first == "&", !line.rest.hasPrefix("&&") { throw .words(.operatorFound("&")) }
    var commands = try CurlCommand.all(words: line.words, input: input)
    // `http://<host>/`: a shell would read a file of that name.
    if line.input != nil, !commands.contains(where: \.readsInput) { throw .words(.operatorFound("<")) }
    if let file = line.output { for index in commands.indices { commands[index].output = file } }
    return (commands, line.rest)
  }

  private mutating func add(_ command: CurlCommand, at range: SourceRange) throws(ImportRefusal) {
    var step = command.step
    var connection = command.connecting.connection
    if let file = command.cookieFiles.read, !cookieFiles.contains(file) {
      notes.append(
        ImportNote(.warning, "the cookies in \(file) are not read", hint: "a line before may write them: -c", at: range)
      )
    }
    connection.keepsCookies = command.cookieFiles != (nil, nil)
    if let file = command.cookieFiles.written { cookieFiles.insert(file) }
    // Those of a line that is refused are not needed.
    var added: [(variable: String, name: String)] = []
    func reference(to variable: String) -> ExpressionSyntax {
      if let found = variableNames[variable] { return .reference(found) }
      if let found = added.first(where: { $0.variable == variable }) { return .reference(found.name) }
      let name = names.unused(variable.lowercased())
      added.append((variable, name))
      return .reference(name)
    }
    let pieces = ShellVariable.string(command.target, reference(to:))
    let address = try ImportedAddress(
      pieces, at: range, keepsDotSegments: true, isExact: true, isKnownEarly: { _ in true })
    // The shell puts a value in as it is.
    let isPlain = pieces.dropFirst().allSatisfy { if case .text = $0 { true } else { false } }
    step.target = isPlain ? address.target : .string(StringSyntax(pieces))
    if let user = address.user, command.user == nil { step.clauses.append(user.clause) }
    do throws(CurlCommand.ParseError) {
      try ShellVariable.replace(in: &step, reference(to:))
    } catch {
      throw Self.refusal(error, at: range)
    }
    if case .origin(let value) = address.place, let text = value.plainText, (try? Origin(text)) == nil {
      throw ImportRefusal("\"\(text)\" is not where a request can go: a host is ASCII, and not empty", at: range)
    }
    let profile = profiles.add(address.place, connection)
    if isExact, command.isCompressed, !command.headers.contains(where: { $0.name.lowercased() == "accept-encoding" }) {
      step.clauses.append(.header("Accept-Encoding", .text("deflate, gzip")))
    }
    if !command.fails { step.clauses.append(ClauseSyntax(.expectStatus([.any]))) }
    variables += added
    for (variable, name) in added { variableNames[variable] = name }
    requests.append(
      Request(step: step, profile: profile, isUnknown: address.isUnknown, follows: command.follows, range: range))
  }

  // MARK: What follows a command

  /// Another curl command after `&&` or `;`. A pipe changes nothing of the request: it is kept as a comment, which says
  /// so if it does more than to show what it reads. Anything else is a note.
  private mutating func next(after rest: Substring, at range: SourceRange) -> Substring? {
    let text = rest.drop { $0 == ";" || $0 == "&" || $0.isWhitespace }
    if !rest.hasPrefix("|"), text.hasPrefix("curl ") { return text }
    if text.isEmpty { return nil }
    if let program = Self.reader(of: rest) {
      let line = rest.split(whereSeparator: \.isNewline).map { String($0).trimmed }.joined(separator: " ")
      let place = SourceRange(at: range.upperBound)
      comments.append(
        CommentSyntax(
          text: "# \(program.onlyShows ? "" : "not run: ")\(line)", range: place, standsAlone: false,
          endsParagraph: false))
    } else {
      notes.append(ImportNote(.warning, "what follows the curl line is left out: \(rest.prefix(60))", at: range))
    }
    return nil
  }

  /// Programs that write what they read, or a part of it, to the screen.
  private static let viewers: Set<String> = [
    "jq", "json_pp", "python", "python3", "grep", "egrep", "fgrep", "head", "tail", "less", "more", "wc", "cat", "sort",
    "uniq", "cut", "awk", "sed", "tr", "column", "yq", "xmllint", "tidy", "gunzip", "zcat", "gzip", "gron", "bat",
    "hexdump",
    "xxd", "od", "base64", "fold", "json", "prettyjson", "underscore", "nl", "tac", "strings", "lynx", "html2text",
  ]

  /// What sends requests of its own, or does something for each line that it reads.
  private nonisolated(unsafe) static let requesting = /\b(curl|wget|https?|xh|hurl|xargs|parallel|while|for|ssh|nc)\b/

  private struct Pipe {
    var onlyShows: Bool
  }

  /// A pipe that follows a line, and whether it is through nothing but viewers; nil: it is something else, or may send
  /// more.
  private static func reader(of rest: Substring) -> Pipe? {
    var (rest, onlyShows) = (rest, true)
    while !rest.isEmpty {
      guard rest.first == "|", !rest.hasPrefix("||"),
        let command = try? ShellWords.command(of: rest.dropFirst(), .text), let program = command.words.first,
        (try? requesting.firstMatch(in: command.words.joined(separator: " "))) == nil
      else { return nil }
      if !viewers.contains(program) || command.output != nil { onlyShows = false }
      if program.hasPrefix("python"), !command.words.joined(separator: " ").contains("json.tool") { onlyShows = false }
      if program == "sed", command.words.contains(where: { $0.hasPrefix("-i") }) { onlyShows = false }
      rest = command.rest
    }
    return Pipe(onlyShows: onlyShows)
  }

  // MARK: Where a command ends

  /// Nobody writes a longer text between quotes.
  private static let mostLines = 1_000

  /// The text that the command reads, whose lines follow it; it is taken out of the command.
  private mutating func hereDocument(after text: inout String, from start: Int) -> HereDocument? {
    var line = line
    defer { self.line = line }
    let document = HereDocument(takenFrom: &text) { [source] in
      guard line < source.lineCount else { return nil }
      defer { line += 1 }
      return source[source.lineRange(line)]
    }
    if let document, !document.isComplete {
      notes.append(
        ImportNote(
          .warning, "the text after <<\(document.end) has no end, so it is all that follows",
          at: source.lineRange(start)))
    }
    return document
  }
}
