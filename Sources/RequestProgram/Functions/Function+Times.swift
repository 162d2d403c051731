internal import JSONValue
import Requests

/// Functions of times.
extension Function {
  static let times: [Function] = [date, toTime]

  private static let toTime = Function(
    "to-time", taking: "(\"…\")", makes: "a time from RFC 3339, or from that format",
    example: "\"31.01.2026\" | to-time(\"%d.%m.%Y\")", of: .time, arity: 0...1, gives: .time,
    fault: { format in
      do throws(DateFormatError) {
        _ = try DateText.parse("", format: format)
        return nil
      } catch {
        return .other(error.sentence)
      }
    }
  ) { call throws(ProgramError) in
    if case .time = call.input.value.content { return call.input.value }
    let text = try call.text()
    guard let format = call.arguments.first else {
      guard let time = DateText.rfc3339(text) ?? DateText.http(text) else {
        throw call.failure(.invalidEncoding("a time in RFC 3339", Quoted(call.input.value, text)))
      }
      return Value(.time(time))
    }
    let pattern = try call.text(format)
    let time: Duration?
    do throws(DateFormatError) {
      time = try DateText.parse(text, format: pattern)
    } catch {
      throw call.failure(.arguments(function: call.name, wanted: "\(Quoted(format.value, error.sentence))"), format)
    }
    guard let time else {
      throw call.failure(.invalidEncoding("a time in the format \(pattern)", Quoted(call.input.value, text)))
    }
    return Value(.time(time))
  }

  private static let date = Function(
    "date", taking: "(\"…\")", makes: "a time in RFC 3339, or in that format", example: "now() | date(\"%Y-%m-%d\")",
    of: .time,
    arity: 0...1, gives: .string,
    fault: { format in
      do throws(DateFormatError) {
        _ = try CivilTime(.zero).text(format: format)
        return nil
      } catch {
        return .other(error.sentence)
      }
    }
  ) { call throws(ProgramError) in
    let time: Duration
    if case .time(let value) = call.input.value.content {
      time = value
    } else if let parsed = call.input.value.text.flatMap({ DateText.rfc3339($0) }) {
      time = parsed
    } else {
      throw call.failure(
        .wrongKind(
          wanted: "a time such as now() or \"2026-01-31T12:00:00Z\"", actual: call.input.value.kind), call.input)
    }
    guard let format = call.arguments.first else { return Value(.string(CivilTime(time).rfc3339)) }
    let pattern = try call.text(format)
    do throws(DateFormatError) {
      return Value(.string(try CivilTime(time).text(format: pattern)))
    } catch {
      throw call.failure(
        .arguments(function: call.name, wanted: "\(Quoted(format.value, error.sentence))"), format)
    }
  }
}
