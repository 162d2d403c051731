package import Diagnostics
internal import Imports
package import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
package import Sessions
internal import Synchronization
package import UploaderCore

/// Prints errors and diagnostics, with the text they are about if that is known.
package struct ErrorPrinter: Sendable {
  /// The texts that places refer to, by their names.
  package var sources: [String: SourceText] = [:]
  /// The line that was typed last: a message may quote it.
  package var typed = ""
  private let printer: Printer
  private let written = ForeignSecrets()

  package init(_ printer: Printer) {
    self.printer = printer
  }

  package mutating func know(_ source: SourceText) {
    sources[source.name] = source
  }

  /// What a run reports before its first step, and about its record.
  package mutating func on(_ event: RunEvent) {
    switch event {
    case .read(let source): know(source)
    case .checked(let diagnostics): print(diagnostics)
    case .refused(let refusal): print(refusal)
    case .recording(let notice): note(notice.sentence)
    case .wrote(let path): note("wrote \(path)")
    case .learned, .upload, .stream, .recorded, .failed, .stopped, .ended, .queue: break
    }
  }

  /// What was found in a text; later errors in it are shown with it.
  package mutating func print<Success>(_ checked: Checked<Success>) {
    for source in checked.sources { know(source) }
    print(checked.diagnostics)
  }

  /// Errors come first, so that they are shown when there are too many to read.
  package func print(_ diagnostics: [Diagnostic]) {
    let limit = 100
    guard diagnostics.count > limit else { return diagnostics.forEach(print) }
    let errors = diagnostics.filter { $0.severity == .error }
    (errors.isEmpty ? diagnostics : errors).prefix(limit).forEach(print)
    let rest = diagnostics.count - min(limit, errors.isEmpty ? diagnostics.count : errors.count)
    printer.error(StyledText("… and \(NumberFormat.grouped(rest)) more\n", .faint))
  }

  /// - Parameter locatingSteps: whether an error that is about a whole step shows it.
  package func print(_ error: UploadError, locatingSteps: Bool = true) {
    if case .group(let errors) = error.fact {
      for error in errors { print(error, locatingSteps: locatingSteps) }
      return
    }
    guard let reports = ErrorReport.reports(of: error) else {
      guard case .sequence(let inner) = error.fact else { return }
      return print(sequenceError: inner)
    }
    for var report in reports {
      if let note = proxyNote(on: error) { report.notes.append(note) }
      if !locatingSteps, report.place == error.step?.place { report.place = nil }
      print(report)
    }
  }

  /// A host that cannot be reached may be behind a proxy that the environment names.
  private func proxyNote(on error: UploadError) -> String? {
    guard case .transport(let inner, let origin?) = error.fact else { return nil }
    switch inner.fact {
    case .resolve, .connect, .connectTimeout: break
    default: return nil
    }
    let isLocal = origin.host == "localhost" || origin.host == "[::1]" || origin.host.hasPrefix("127.")
    let wanted = origin.scheme == .https ? "https_proxy" : "http_proxy"
    guard !isLocal,
      let proxy = printer.proxies.first(where: { [wanted, "all_proxy"].contains($0.variable.lowercased()) })
    else { return nil }
    return "\(proxy.variable) names a proxy, but only a profile's is used; in a profile: proxy \(proxy.address)"
  }

  package func print(_ report: ErrorReport) {
    guard let place = report.place, let source = sources[place.source] else {
      let conceal = Self.concealing(typed)
      let redact = { [printer] in printer.secrets.redact(conceal($0), keeping: Keywords.all) }
      var text = StyledText("error:", .failure) + StyledText(" \(redact(report.message))\n", .strong)
      for note in report.notes { text.append(" = \(redact(note))\n") }
      return printer.error(own: text)
    }
    print(
      Diagnostic(
        report.message, in: source, at: SourceRange(place.range.lowerBound, place.range.upperBound),
        label: report.label, notes: report.notes))
  }

  /// Something that is good to know.
  package func note(_ text: String) {
    printer.error(own: StyledText("\(printer.secrets.redact(text, keeping: Keywords.all))\n", .faint))
  }

  private func print(sequenceError error: any Error) {
    switch error {
    case let error as ProgramError: print(error.diagnostic)
    default: print(ErrorReport("\(error)"))
    }
  }

  /// Hides what the history would hide of a typed line.
  private static func concealing(_ typed: String, isForeign: Bool = false) -> @Sendable (String) -> String {
    let redactor = Redactor(hiding: TypedSecrets.values(in: typed, isForeign: isForeign))
    // Of what is hidden, only its text is meant.
    return { redactor.redact($0).replacing("write $\(TypedSecrets.mask) for its value, ", with: "write ") }
  }

  private func print(_ diagnostic: Diagnostic) {
    // The renderer itself makes control characters visible and adds the only escape sequences there are.
    let known = printer.secrets
    // It may hold a password that nobody declared, and errors are where logs are kept.
    let isTyped = diagnostic.source.isTyped
    let isForeign = ForeignScript(fileName: diagnostic.source.name) != nil
    let conceal = Self.concealing(
      diagnostic.source[isTyped ? diagnostic.source.range : diagnostic.line], isForeign: isForeign)
    let written = isForeign ? written.redactor(of: diagnostic.source) : nil
    // The source itself comes in pieces, and what is said about it as a whole.
    let redact: @Sendable ([String]) -> [String] = { pieces in
      guard pieces.count > 1 else {
        let shown = pieces.map { known.redact(conceal($0), keeping: Keywords.all) }
        return written?.redact(shown) ?? shown
      }
      if isTyped { return known.redact(TypedSecrets.masked(pieces)) }
      // Of a file, the line that is shown: what is around it is long, and was declared if it is secret.
      var pieces = known.redact(pieces)
      if let written { pieces = written.redact(pieces) }
      let line = pieces.indices.dropFirst().dropLast()
      pieces.replaceSubrange(line, with: TypedSecrets.masked(Array(pieces[line]), isForeign: isForeign))
      return pieces
    }
    let renderer = DiagnosticRenderer(
      isColored: printer.errorOutput.isColored, columns: printer.errorOutput.columns(), redact: redact)
    printer.error(laidOut: renderer.render(diagnostic))
  }
}

/// What hides the secrets that are written in the file of another tool, which is read once for all that is said about it.
private final class ForeignSecrets: Sendable {
  private let last = Mutex<(source: SourceText, redactor: Redactor)?>(nil)

  func redactor(of source: SourceText) -> Redactor {
    last.withLock { last in
      if let last, last.source.name == source.name, last.source.bytes == source.bytes { return last.redactor }
      let redactor = Redactor(hiding: Parser.read(source).secrets.values)
      last = (source, redactor)
      return redactor
    }
  }
}

extension Diagnostic {
  /// What may be shown of its line.
  fileprivate var line: SourceRange {
    let (line, reach) = (source.lineRange(source.lineIndex(at: range.lowerBound)), 2_000)
    let start = max(line.lowerBound, range.lowerBound - reach)
    return SourceRange(start, max(start, min(line.upperBound, range.lowerBound + reach)))
  }
}
