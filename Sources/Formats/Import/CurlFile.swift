package import Diagnostics
package import Imports
internal import Presentation
internal import RequestSyntax
internal import Requests

/// A file of curl lines, as shell scripts and documentation have them: each is a step.
package enum CurlFile {
  package static func read(_ source: SourceText) -> ImportedScript {
    var reading = CurlFileReading(source)
    reading.readAll()
    return reading.finished
  }
}

private struct CurlFileReading {
  let source: SourceText
  private var statements: [StatementSyntax] = []
  private var comments: [CommentSyntax] = []
  private var notes: [ImportNote] = []
  private var origins: [ExpressionSyntax] = []
  private var line = 0

  init(_ source: SourceText) {
    self.source = source
  }

  var finished: ImportedScript {
    let profile = ProfileSyntax("curl", origins.map { .origin($0) })
    return ImportedScript(
      source: source,
      script: ScriptSyntax(origins.isEmpty ? statements : [.profile(profile)] + statements, comments: comments),
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
      let isCommand = ["curl ", "$ curl ", "% curl "].contains { text.hasPrefix($0) }
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
    while isOpen(text), line < source.lineCount {
      text += "\n" + source[source.lineRange(line)]
      line += 1
    }
    let range = SourceRange(source.lineRange(start).lowerBound, source.lineRange(line - 1).upperBound)
    do throws(CurlCommand.ParseError) {
      let command = try CurlCommand(text)
      statements.append(command.statement.placed(at: range))
      if !command.left.isEmpty {
        let message = "what follows the curl line is left out: \(command.left.prefix(60))"
        notes.append(ImportNote(.warning, message, at: range))
      }
      if let origin = Self.origin(of: command.url), !origins.contains(origin) { origins.append(origin) }
    } catch {
      let report = error.report
      notes.append(ImportNote(.refused, report.message, hint: report.notes.first, at: range))
      comments.append(
        CommentSyntax(
          text: "# not translated: \(text.split(whereSeparator: \.isNewline).joined(separator: " "))", range: range,
          standsAlone: true, endsParagraph: false))
    }
  }

  private func isOpen(_ text: String) -> Bool {
    do throws(ShellWords.ParseError) {
      _ = try ShellWords.splitCommand(text)
      return false
    } catch {
      return error == .open
    }
  }

  private static func origin(of url: String) -> ExpressionSyntax? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    return .value(String(url[..<scheme.upperBound] + authority.split(separator: "@").suffix(1).joined()))
  }
}
