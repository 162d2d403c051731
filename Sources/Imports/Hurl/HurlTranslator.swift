package import Diagnostics
import JSONValue
import RequestSyntax

/// Makes a script of a Hurl file: each entry a step with its expectations, each capture a `let` after it.
struct HurlTranslator {
  let source: SourceText
  /// Whether bodies are sent byte for byte, and JSON is looked into whatever its type.
  let isExact: Bool
  var variables: ImportedNames
  var profiles = ImportedProfiles(name: "hurl")
  var statements: [StatementSyntax] = []
  var comments: [CommentSyntax] = []
  var notes: [ImportNote] = []
  /// Values that have to be named before the step that uses them.
  var pending: [StatementSyntax] = []
  /// Whether entries connect in different ways, so that each has to say in which.
  var connectsInSeveralWays = false
  /// Whether a part of the request in progress was refused, so that it is not sent.
  var isBlocked = false
  /// The names of what is captured percent-encoded, which a URL takes as it is.
  var encoded: Set<String> = []
  /// Whether JSON is written in other bytes than it has in the file.
  var rewritesJSON = false
  /// The texts of variables that are called like secrets.
  var constants: [String: String] = [:]
  /// What was written out of variables, in bytes.
  var repeated = 0

  static func translate(_ source: SourceText, isExact: Bool, values: [String: String]) -> ImportedScript {
    do throws(HurlSyntaxError) {
      var translator = HurlTranslator(
        source: source, isExact: isExact, variables: ImportedNames(values.mapValues(constant)))
      let file = try HurlParser.parse(source)
      translator.comments = file.comments
      translator.connectsInSeveralWays = Set(file.entries.map(\.connectionOptions)).count > 1
      translator.remarkOnCookieStore(file.comments)
      for entry in file.entries { translator.add(entry) }
      if file.entries.isEmpty {
        translator.note(.warning, "there is no entry in this file", at: SourceRange(at: 0))
      }
      return translator.finished()
    } catch {
      let note = ImportNote(.refused, "this is not Hurl: \(error.message)", at: error.range)
      return ImportedScript(source: source, script: ScriptSyntax([]), notes: [note])
    }
  }

  private mutating func finished() -> ImportedScript {
    let credentials = CapturedCredentials(in: statements)
    let statements = credentials.concealed(in: statements, for: profiles, &variables)
    let (outside, secrets) = profiles.declarations(of: variables.fromOutside, credentials, in: source) {
      "HURL_VARIABLE_\($0)"
    }
    // They are at the beginning, which is the place of whatever nobody wrote.
    let script = ScriptSyntax(
      outside + profiles.statements + secrets + statements,
      comments: comments.sorted { $0.range.lowerBound < $1.range.lowerBound })
    var imported = ImportedScript(source: source, script: script, notes: notes, rewritesJSON: rewritesJSON)
    imported.constants = constants
    return imported
  }

  // MARK: Notes

  mutating func note(_ grade: ImportNote.Grade, _ message: String, hint: String? = nil, at range: SourceRange) {
    notes.append(ImportNote(grade, message, hint: hint, at: range))
  }

  /// What is left out is kept as a comment.
  mutating func refuse(_ refusal: ImportRefusal) {
    note(.refused, refusal.message, hint: refusal.hint, at: refusal.range)
    comments.append(
      CommentSyntax(
        text: "# not translated: \(source[refusal.range].split(whereSeparator: \.isNewline).joined(separator: " "))",
        range: refusal.range, standsAlone: true, endsParagraph: false))
  }

  /// Hurl's experimental comments.
  private mutating func remarkOnCookieStore(_ comments: [CommentSyntax]) {
    for comment in comments where comment.text.contains("@cookie_storage_") {
      note(
        .warning, "the cookie store is not changed by comments", hint: "write header Cookie at the step",
        at: comment.range)
    }
  }

  // MARK: Entries

  private mutating func add(_ entry: HurlEntry) {
    isBlocked = false
    pending = []
    let options = options(of: entry)
    var label: String?
    if !(entry.response?.captures.isEmpty ?? true) {
      label = variables.unused(Self.label(entry))
    }
    let step: StepSyntax
    do throws(ImportRefusal) {
      step = try self.step(entry, options, label: label)
    } catch {
      refuse(ImportRefusal(error.message, hint: error.hint, at: entry.requestRange))
      return
    }
    var made = pending.map { $0.placed(at: entry.requestRange) }
    pending = []
    made.append(StatementSyntax.step(step).placed(at: entry.range))
    for capture in entry.response?.captures ?? [] {
      do throws(ImportRefusal) {
        made.append(try binding(capture, label: label ?? "").placed(at: capture.range))
      } catch {
        refuse(error)
      }
    }
    if let rounds = options.rounds, rounds != 1 {
      made = [loop(made, rounds: rounds, at: entry.range)]
    }
    statements += made
  }

  private mutating func loop(_ statements: [StatementSyntax], rounds: Int, at range: SourceRange) -> StatementSyntax {
    if rounds < 0 {
      note(
        .warning, "an entry is not repeated for ever", hint: "it is sent 1000 times", at: range)
    }
    let numbers = ExpressionSyntax.call(
      "range", .number(NumberSyntax("1")), .number(NumberSyntax("\(rounds < 0 ? 1_000 : rounds)")))
    return StatementSyntax.loop(LoopSyntax(variables.unused("round"), in: numbers, statements)).placed(at: range)
  }

  /// The method and the last word of the path.
  private static func label(_ entry: HurlEntry) -> String {
    var path = ""
    for case .text(let text) in entry.url.pieces { path += text }
    let address = path.prefix { $0 != "?" && $0 != "#" }
    let start = address.firstRange(of: "://").map { address[$0.upperBound...].drop { $0 != "/" } } ?? address[...]
    let word = start.split(separator: "/").last { word in
      word.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-" || $0 == "_") } && word.count <= 24
    }
    let words = (word.map { String($0) } ?? "").lowercased().split { $0 == "-" || $0 == "_" }
    return ([entry.method.text.lowercased()] + words.map { String($0) }).joined(separator: "-")
  }

  private mutating func binding(_ capture: HurlCapture, label: String) throws(ImportRefusal) -> StatementSyntax {
    guard let variable = try constantText(capture.name) else {
      throw ImportRefusal("the name of a capture cannot be computed", at: capture.range)
    }
    let value = try subject(capture.query, capture.filters, .step(label), asList: capture.query.name.text == "header")
    let name = variables.bind(variable)
    if capture.filters.contains(where: { $0.name.text == "urlEncode" }) { encoded.insert(name) }
    if capture.isRedacted {
      profiles.isNeeded = true
      return .secret(SecretSyntax(name, value, for: profiles.names))
    }
    return .binding(LetSyntax(name, value))
  }
}

/// Why something is not translated, and where.
package struct ImportRefusal: Error {
  package var message: String
  package var hint: String?
  package var range: SourceRange

  package init(_ message: String, hint: String? = nil, at range: SourceRange) {
    self.message = message
    self.hint = hint
    self.range = range
  }
}
