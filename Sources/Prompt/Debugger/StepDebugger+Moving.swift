internal import Debugger
internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import JSONValue
internal import Presentation
internal import RequestSyntax
internal import Requests
internal import Sessions

/// The commands that move, and breakpoints.
extension StepDebugger {
  /// A number counts, unless it is a step's name.
  mutating func back(_ argument: String) async {
    if argument.isEmpty { return await perform(.back(1)) }
    guard let count = Int(argument), !machine.hasPastStep(argument) else { return await perform(.backTo(argument)) }
    await perform(.back(count))
  }

  /// Sends the step whose response is not kept, takes the recorded responses to those after it whose requests are the
  /// same, and leaves out what was left out.
  ///
  /// - Returns: whether it was sent, and the run is where it was left.
  mutating func renew() async -> Bool {
    guard case .before(_, let position) = stop else { return false }
    showsStops = false
    await perform(.next)
    showsStops = true
    switch stop {
    case .before(_, position): return false
    case .before: break
    case .after, .blocked, .end, .nowhere:
      show()
      return false
    }
    renewed = nil
    var count = 0
    showsStops = false
    while case .before(let description, let position) = stop, machine.attempts[position] == nil {
      let isKept =
        machine.standing.contains(position) && machine.usableResponse(for: description, at: position) != nil
      guard isKept || machine.wasLeftOut(description, at: position) else { break }
      await perform(.skip)
      if isKept { count += 1 }
    }
    showsStops = true
    if count > 0 { say("\(count) recorded \(count == 1 ? "response" : "responses"), not sent again") }
    show()
    return true
  }

  mutating func goTo(_ name: String) async {
    guard !name.isEmpty else { return complain("which step?", "g upload") }
    await perform(.goTo(name))
  }

  mutating func skip(_ argument: String) async {
    if argument.isEmpty { return await perform(.skip) }
    guard let response = Response(typed: argument) else {
      return complain("a response is a status and perhaps a body", "k 200 {\"state\": \"ready\"}")
    }
    if response.headers[.contentType] == "application/json" {
      do { _ = try JSON(parsing: response.body.bytes()) } catch {
        return complain("the body begins like JSON, but is not: \(error)")
      }
    }
    await perform(.take(response))
  }

  // MARK: Breakpoints

  mutating func addBreakpoint(_ text: String) async {
    guard !text.isEmpty else { return info() }
    let first = text.prefix { !$0.isWhitespace }
    if let line = lineNumber(first) {
      guard let name = stepName(inLine: line) else {
        return complain("no step with a name is in line \(line)", "b upload, b $3; l shows the script")
      }
      say("line \(line) is step \(name)")
      return await addBreakpoint(name + text.dropFirst(first.count))
    }
    do {
      let breakpoint = try Breakpoint(parsing: text)
      if case .step(let name, let condition) = breakpoint.place {
        if let condition, expression(condition) == nil { return }
        if script != nil, !name.hasPrefix("$"), !labels.contains(name.prefix { $0 != "[" }.description) {
          let nearest = SpellingSuggestion.nearest(to: name, among: labels)
          let advice = nearest.map { "did you mean \"\($0)\"?" } ?? "it may come later"
          say("no step is called \"\(name)\" now; \(advice)", .warning)
        }
      }
      await perform(.addBreakpoint(breakpoint))
      say("\(machine.breakpointCount)  stop \(breakpoint.description)")
    } catch {
      complain(
        "\"\(error.text)\" is not a breakpoint",
        (["b upload", "b upload if $i > 2"] + Breakpoint.events.map { "b on \($0)" }).joined(separator: ", "))
    }
  }

  /// `chain.wb:18`, or a number that is that of no step: a line of the script.
  private func lineNumber(_ text: Substring) -> Int? {
    guard let script, let line = text.split(separator: ":", omittingEmptySubsequences: false).last.flatMap({ Int($0) })
    else { return nil }
    let name = text.dropLast("\(line)".count)
    if name.isEmpty { return line > script.parsed.stepCount && script.parsed.isLinear ? line : nil }
    let file = script.source.name
    return name == ":" || name == "\(file):" || file.hasSuffix("/\(name.dropLast())") ? line : nil
  }

  private func stepName(inLine line: Int) -> String? {
    guard let script, (1...script.source.lineCount).contains(line) else { return nil }
    let range = script.source.lineRange(line - 1)
    let indent = script.source[range].utf8.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.count
    guard case .step(let step)? = script.parsed.statement(at: range.lowerBound + indent)?.statement else { return nil }
    return step.label?.text
  }

  mutating func deleteBreakpoint(_ text: String) async {
    if text.isEmpty { return complain("which breakpoint? del 1", "info lists them") }
    guard let number = Int(text), let breakpoint = machine.breakpoints[number] else {
      return complain("there is no breakpoint \"\(text)\"", "info lists them")
    }
    say("deleted  stop \(breakpoint.description)")
    await perform(.deleteBreakpoint(number: number))
  }
}

extension Response {
  /// `200`, `201 {"id": 7}`, `204`: a body that begins like JSON is JSON.
  fileprivate init?(typed text: String) {
    let word = text.prefix { !$0.isWhitespace }
    guard let code = Int(word), (100...599).contains(code) else { return nil }
    let body = String(text.dropFirst(word.count).drop(while: \.isWhitespace))
    var headers: HTTPFields = [:]
    if !body.isEmpty {
      headers[.contentType] = body.hasPrefix("{") || body.hasPrefix("[") ? "application/json" : "text/plain"
    }
    self.init(status: HTTPResponse.Status(code: code), headers: headers, body: ResponseBody(Array(body.utf8)))
  }
}
