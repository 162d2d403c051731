internal import Diagnostics
internal import JSONValue
internal import Presentation
internal import Requests

/// A page for people: one file that asks nobody for anything, and is complete with scripts blocked: its only one searches.
/// What came from a server is text in it, and its policy forbids whatever could be made of it.
struct PageReport: ReportWriter {
  /// After this many bytes, exchanges that are as expected are left out, and less is shown of others; after some more,
  /// all are.
  private static let fullLength = 12 << 20
  private static let longestLength = 14 << 20
  /// How much is shown of a body: of a step that failed, and of others.
  private static let bodyLimits = (failed: 16 << 10, passed: 600)
  private static let shownFailures = 500

  private var heading: ReportLine?
  private var counts = ReportCounts()
  private var own = ReportCounts()
  private var files = 0
  private var failedFiles = 0
  private var failures: [UInt8] = []
  private var failureCount = 0
  private var sections: [UInt8] = []
  /// Those of the file that is being reported.
  private var steps: [ReportLine] = []
  private var problems: [ReportLine] = []
  private var stepCount = 0

  mutating func bytes(for line: ReportLine) -> [UInt8] {
    switch line.kind {
    case .suite: heading = line
    case .file: (steps, problems, own) = ([], [], ReportCounts())
    case .exchange: break
    case .step:
      own.count(line)
      steps.append(line)
    case .problem: problems.append(line)
    case .fileEnd: appendFile(line)
    case .suiteEnd: return page(line)
    }
    return []
  }

  // MARK: The page

  private func page(_ end: ReportLine) -> [UInt8] {
    let isInterrupted = end["cause"]?.string == "interrupted"
    let verdict = isInterrupted ? "interrupted" : failureCount > 0 || failedFiles > 0 ? "failed" : "passed"
    var page: [UInt8] = []
    page.append(
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
      script-src '\(PageSearch.digest)'; \
      form-action 'none'; base-uri 'none'">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>workbench: \(verdict)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <header>
      <h1 class="\(verdict)">\(verdict)</h1>
      <p>\(files) \(files == 1 ? "file" : "files"), \(counts.steps) \(counts.steps == 1 ? "step" : "steps"): \
      <b>\(counts.passed)</b> passed, <b>\(counts.failures)</b> failed, <b>\(counts.skipped)</b> skipped\
      \(counts.flaky > 0 ? ", <b>\(counts.flaky)</b> flaky" : "") in \(Self.time(end.milliseconds))</p>
      <p class="quiet">
      """)
    let facts = [heading?["started"]?.string, heading?["id"]?.string.map { "run \($0)" }, heading?["program"]?.string]
    Self.append(facts.compactMap(\.self).joined(separator: " · "), to: &page)
    page.append("</p>\n</header>\n")
    if !failures.isEmpty {
      page.append("<section aria-label=\"Failures\">\n<h2>What failed</h2>\n<ol>\n")
      page += failures
      page.append("</ol>\n")
      if failureCount > Self.shownFailures {
        page.append("<p>and \(failureCount - Self.shownFailures) more</p>\n")
      }
      page.append("</section>\n")
    }
    page.append("<section aria-label=\"Files\">\n<h2>Files</h2>\n")
    page.append(PageSearch.field)
    page += sections
    page.append("</section>\n<script>\(PageSearch.script)</script>\n</body>\n</html>\n")
    return page
  }

  private mutating func noteFailure(_ line: ReportLine, name: String, anchor: String) {
    failureCount += 1
    guard failureCount <= Self.shownFailures else { return }
    failures.append("<li><a href=\"#\(anchor)\"><b>")
    Self.append(name, to: &failures)
    failures.append("</b> in ")
    Self.append(line.shownFile + (line.place.map { ":\($0.line)" } ?? ""), to: &failures)
    failures.append("</a><br>")
    Self.append(line.message, to: &failures)
    failures.append("</li>\n")
  }

  // MARK: A file

  private mutating func appendFile(_ end: ReportLine) {
    files += 1
    counts.add(own)
    let hasFailed = end["exit-code"]?.int != 0
    if hasFailed { failedFiles += 1 }
    sections.append("<details class=\"file\"\(hasFailed ? " open" : "")><summary>")
    appendMark(hasFailed ? .failed : .passed)
    sections.append("<span class=\"name\">")
    Self.append(end.shownFile, to: &sections)
    sections.append("</span> <span class=\"quiet\">\(own.passed) passed")
    if own.failures > 0 { sections.append(", \(own.failures) failed") }
    if own.skipped > 0 { sections.append(", \(own.skipped) skipped") }
    sections.append(" · \(Self.time(end.milliseconds))</span></summary>\n")
    for problem in problems {
      let anchor = "p\(files)"
      if problem.isError { noteFailure(problem, name: "script", anchor: anchor) }
      sections.append("<pre id=\"\(anchor)\" class=\"\(problem.isError ? "error" : "warning")\">")
      Self.append(problem.report, to: &sections)
      sections.append("</pre>\n")
    }
    let sources = PageSources(steps, firstAnchor: stepCount + 1)
    if sections.count < Self.fullLength { PageGraph.append(sources.nodes, to: &sections, text: Self.append) }
    appendChanges(end)
    let waterfall = PageWaterfall(steps)
    for (index, step) in steps.enumerated() { append(step, waterfall, sources.values(of: index)) }
    if let command = end["continue"]?.string {
      sections.append("<p class=\"quiet\">continue with <code>")
      Self.append(command, to: &sections)
      sections.append("</code></p>\n")
    }
    sections.append("</details>\n")
    (steps, problems) = ([], [])
  }

  // MARK: A step

  private mutating func append(_ step: ReportLine, _ waterfall: PageWaterfall, _ values: [PageSources.Value]) {
    stepCount += 1
    let anchor = "s\(stepCount)"
    let hasFailed = step.verdict.isFailure
    if hasFailed { noteFailure(step, name: step.shownName, anchor: anchor) }
    sections.append("<details class=\"step\" id=\"\(anchor)\"\(hasFailed ? " open" : "")><summary>")
    appendMark(step.verdict)
    sections.append("<span class=\"name\">")
    Self.append(step.shownName, to: &sections)
    sections.append("</span> <span class=\"quiet\">")
    if let status = step["status"]?.int { sections.append("\(status) · ") }
    if case .skipped = step.verdict {
      sections.append("skipped")
    } else {
      sections.append(Self.time(step.milliseconds))
    }
    sections.append("</span>")
    waterfall.append(step, to: &sections)
    sections.append("</summary>\n")
    let isFull = sections.count >= Self.fullLength
    if sections.count < (hasFailed ? Self.longestLength : Self.fullLength) {
      appendValues(values)
      appendExchange(step, bodyLimit: hasFailed && !isFull ? Self.bodyLimits.failed : Self.bodyLimits.passed)
    } else {
      sections.append("<p class=\"quiet\">left out: the page is long; workbench show has it</p>\n")
    }
    sections.append("</details>\n")
  }

  /// What went into the request, each with a link to the response it is from.
  private mutating func appendValues(_ values: [PageSources.Value]) {
    guard !values.isEmpty else { return }
    sections.append("<ul class=\"values\">\n")
    for value in values {
      sections.append("<li>")
      if !value.path.isEmpty {
        sections.append("<code>")
        Self.append(value.path, to: &sections)
        sections.append("</code> of ")
      }
      sections.append(value.anchor.map { "<a href=\"#\($0)\">" } ?? "<b>")
      Self.append(value.step, to: &sections)
      sections.append(value.anchor == nil ? "</b>" : "</a>")
      if let text = value.text {
        sections.append(" = <code>")
        Self.append(text, to: &sections)
        sections.append("</code>")
      }
      sections.append(" → ")
      Self.append(value.part, to: &sections)
      sections.append("</li>\n")
    }
    sections.append("</ul>\n")
  }

  /// What differs from the run before.
  private mutating func appendChanges(_ end: ReportLine) {
    guard let changes = end["changes"]?.array, !changes.isEmpty else { return }
    let count = end["changed"]?.int ?? changes.count
    sections.append("<details class=\"changes\"><summary><span class=\"mark\">±</span> <span class=\"name\">")
    Self.append("Changed since run \(end["before"]?.string ?? "")", to: &sections)
    sections.append("</span> <span class=\"quiet\">\(count) \(count == 1 ? "step" : "steps")</span></summary>\n<dl>\n")
    for change in changes {
      sections.append("<dt>")
      Self.append(change["step"]?.string ?? "", to: &sections)
      sections.append("</dt><dd><pre>")
      Self.append((change["lines"]?.array ?? []).compactMap(\.string).joined(separator: "\n"), to: &sections)
      sections.append("</pre></dd>\n")
    }
    sections.append("</dl>\n")
    if count > changes.count { appendParagraph("and \(count - changes.count) more") }
    sections.append("</details>\n")
  }

  private mutating func appendMark(_ verdict: ReportLine.Verdict) {
    switch verdict {
    case .passed: sections.append("<span class=\"mark passed\" title=\"passed\">✓</span> ")
    case .skipped: sections.append("<span class=\"mark\" title=\"skipped\">–</span> ")
    case .failed, .broken: sections.append("<span class=\"mark failed\" title=\"failed\">✗</span> ")
    }
  }

  private mutating func appendExchange(_ step: ReportLine, bodyLimit: Int) {
    switch step.verdict {
    case .skipped(let reason): appendParagraph(reason)
    case .failed, .broken:
      sections.append("<pre class=\"error\">")
      Self.append(step.report, to: &sections)
      sections.append("</pre>\n")
    case .passed: break
    }
    for message in step.earlierFailures { appendParagraph("it failed at first: \(message)") }
    let shown = ShownExchange(step)
    if !shown.attempts.isEmpty { appendParagraph("sent again after: \(shown.attempts.joined(separator: ", "))") }
    if let rounds = shown.rounds { appendParagraph("\(rounds) rounds") }
    if let lane = shown.lane { appendParagraph("in a group: step \(lane)") }
    for url in shown.redirects { appendParagraph("redirected from \(url)") }
    if let signedIn = shown.signedIn, let by = signedIn["by"]?.string {
      appendParagraph("signed in: \(by)" + (signedIn["until"]?.string.map { ", until \($0)" } ?? ""))
    }
    guard let method = shown.method else { return }
    sections.append("<div class=\"exchange\"><div><h3>Request</h3>\n")
    appendParagraph("\(method) \(shown.url)", class: "line")
    appendMessage(headers: shown.request?["headers"], body: shown.request?["body"], limit: bodyLimit)
    sections.append("</div><div><h3>Response</h3>\n")
    let status = shown.status.map { "\(shown.version) \($0)" } ?? "none"
    appendParagraph("\(status) · \(NumberFormat.bytes(shown.size))", class: "line")
    appendMessage(headers: shown.headers, body: shown.body, limit: bodyLimit)
    sections.append("</div></div>\n")
  }

  private mutating func appendMessage(headers: JSON?, body: JSON?, limit: Int) {
    if let headers = headers?.array, !headers.isEmpty {
      sections.append("<pre class=\"headers\">")
      for header in headers {
        sections.append("<span>")
        Self.append(header[0]?.string ?? "", to: &sections)
        sections.append(":</span> ")
        Self.append(header[1]?.string ?? "", to: &sections)
        sections.append("\n")
      }
      sections.append("</pre>\n")
    }
    guard let body else { return }
    let text: String
    if case .string(let written) = body {
      text = written
    } else {
      text = String(decoding: JSONPrinter.pretty.print(body), as: UTF8.self)
    }
    guard !text.isEmpty else { return }
    sections.append("<pre>")
    Self.append(CutText.cut(text, to: limit), to: &sections)
    sections.append("</pre>\n")
  }

  private mutating func appendParagraph(_ text: String, class name: String = "quiet") {
    sections.append("<p class=\"")
    sections.append(name)
    sections.append("\">")
    Self.append(text, to: &sections)
    sections.append("</p>\n")
  }

  // MARK: Texts

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    if XMLText.appendPlain(text, to: &bytes) { return }
    XMLText.append(VisibleText.escapeKeepingLines(text), to: &bytes)
  }

  private static func time(_ milliseconds: Double) -> String { PageWaterfall.time(milliseconds) }

  private static let style = """
    :root { color-scheme: light dark; --line: #d5dae1; --quiet: #5a6572; --bad: #b3261e; --good: #1a7f37; --back: #f6f7f9 }
    @media (prefers-color-scheme: dark) {
      :root { --line: #39424e; --quiet: #9aa7b5; --bad: #ff8a80; --good: #6fdd8b; --back: #1b2027 }
    }
    body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 76rem }
    h1 { margin: 0; font-size: 1.6rem } h2 { font-size: 1.1rem; margin: 1.4rem 0 .5rem } h3 { font-size: .9rem; margin: .4rem 0 }
    h1.failed, h1.interrupted, .mark.failed { color: var(--bad) } h1.passed, .mark.passed { color: var(--good) }
    p { margin: .3rem 0 } .quiet, .headers span { color: var(--quiet) } li { margin: .4rem 0; overflow-wrap: anywhere }
    details { border: 1px solid var(--line); border-radius: 6px; margin: .35rem 0; padding: .3rem .6rem; content-visibility: auto; contain-intrinsic-size: auto 2.4rem }
    details.step { border-width: 1px 0 0; border-radius: 0; margin: 0 }
    summary { cursor: pointer; display: grid; grid-template-columns: 1.2rem minmax(0, 2fr) auto minmax(6rem, 1fr); gap: .6rem; align-items: center }
    details.file > summary { grid-template-columns: 1.2rem minmax(0, 1fr) auto; font-weight: 600 }
    summary:focus-visible { outline: 2px solid #5b8def } .name { overflow-wrap: anywhere }
    pre { background: var(--back); border-radius: 4px; padding: .5rem; margin: .3rem 0; overflow-x: auto; font: 13px/1.4 ui-monospace, monospace; max-height: 32rem }
    pre.headers { white-space: pre-wrap; overflow-wrap: anywhere } pre.error { border-left: 4px solid var(--bad) }
    pre.warning { border-left: 4px solid #d9822b }
    .line { font: 13px ui-monospace, monospace; overflow-wrap: anywhere }
    .exchange { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem }
    .scroll { overflow-x: auto } .flow, .changes { border-width: 1px 0 0; border-radius: 0; margin: 0 }
    .flow > summary, .changes > summary { grid-template-columns: 1.2rem minmax(0, 1fr) auto } dt { font-weight: 600 } dd { margin: 0 0 .4rem }
    #search { font: inherit; width: 100%; max-width: 24rem; box-sizing: border-box; padding: .3rem .5rem } [hidden] { display: none }
    .values { margin: .3rem 0; padding-left: 1.2rem } .values li { margin: 0 } :target { outline: 2px solid #5b8def }
    code { overflow-wrap: anywhere } svg a:focus-visible text { text-decoration: underline }
    @media (max-width: 40rem) {
      .exchange { grid-template-columns: minmax(0, 1fr) } summary { grid-template-columns: 1.2rem minmax(0, 1fr) auto }
      summary svg { grid-column: 1 / -1 } details.file > summary { grid-template-columns: 1.2rem minmax(0, 1fr) }
      details.file > summary .quiet { grid-column: 2 }
    }
    @media print { pre { max-height: none; white-space: pre-wrap } details { break-inside: avoid; content-visibility: visible } }
    """
}
