internal import Debugger
internal import Diagnostics
internal import Formats
internal import HTTPTypes
internal import JSONValue
internal import Presentation
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
      say("\(machine.breakpoints.count)  stop \(breakpoint.description)")
    } catch {
      complain(
        "\"\(error.text)\" is not a breakpoint",
        (["b upload", "b upload if $i > 2"] + Breakpoint.events.map { "b on \($0)" }).joined(separator: ", "))
    }
  }

  mutating func deleteBreakpoint(_ text: String) async {
    guard let number = Int(text), number > 0, machine.breakpoints.indices.contains(number - 1) else {
      return complain("there is not a breakpoint \"\(text)\"", "info lists them")
    }
    say("deleted  stop \(machine.breakpoints[number - 1].description)")
    await perform(.deleteBreakpoint(at: number - 1))
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
