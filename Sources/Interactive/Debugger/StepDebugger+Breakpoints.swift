internal import Formats
internal import HTTPTypes
internal import Presentation
internal import RequestProgram
internal import Requests
internal import Sessions
internal import UploaderCore

/// Where `continue` stops.
extension StepDebugger {
  mutating func addBreakpoint(_ text: String) {
    guard !text.isEmpty else { return info() }
    do {
      let breakpoint = try Breakpoint(parsing: text)
      if case .step(let name, let condition) = breakpoint.place {
        if let condition, expression(condition) == nil { return }
        if script != nil, !name.hasPrefix("$"), !labels.contains(name.prefix { $0 != "[" }.description) {
          say("no step is called \"\(name)\" now; it may come", .warning)
        }
      }
      breakpoints.append(breakpoint)
      say("\(breakpoints.count)  stop \(breakpoint.description)")
    } catch {
      complain(
        "\"\(error.text)\" is no breakpoint",
        "b upload, b upload if $i > 2, b on fail, b on status 4xx, b on origin-change")
    }
  }

  mutating func deleteBreakpoint(_ text: String) {
    guard let number = Int(text), number > 0, breakpoints.indices.contains(number - 1) else {
      return complain("there is no breakpoint \"\(text)\"", "info lists them")
    }
    say("deleted  stop \(breakpoints.remove(at: number - 1).description)")
  }

  func stops(before description: RequestDescription) -> Bool {
    breakpoints.contains { breakpoint in
      switch breakpoint.place {
      case .step(let name, nil): isStep(name, description) && (description.head.round ?? 1) == 1
      case .step(let name, let condition?): isStep(name, description) && holds(condition)
      case .originChange: changesOrigin(description)
      case .status, .fail: false
      }
    }
  }

  func stops(after answer: Exchange) -> Bool {
    breakpoints.contains { breakpoint in
      switch breakpoint.place {
      case .status(let codes): codes.contains(answer.response.status.code)
      // A failure stops anyway.
      case .step, .originChange, .fail: false
      }
    }
  }

  /// What can not be decided is a reason to stop.
  private func holds(_ condition: String) -> Bool {
    guard let (expression, source) = expression(condition) else { return true }
    do {
      return try run.innermostSequence.value(of: expression, in: source).printed != "false"
    } catch {
      errors.print([error.diagnostic])
      return true
    }
  }

  private func changesOrigin(_ description: RequestDescription) -> Bool {
    guard let last = run.history.stepRecords.last(where: { $0.record.exchange != nil })?.record.exchange,
      let prepared = try? session.prepare(description, of: run.innermostSequence)
    else { return false }
    return prepared.origin != last.request.origin
  }
}
