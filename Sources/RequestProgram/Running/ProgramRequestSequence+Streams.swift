import Diagnostics
public import JSONValue
import RequestSyntax
public import Requests

/// The conditions that streams are to fulfill.
extension ProgramRequestSequence {
  public func isEnough(_ exchange: Exchange, values: JSON?) -> Bool {
    guard let located = block.current, case .step(let step) = located.node, let condition = step.stream?.condition
    else { return false }
    let evaluator = evaluator(located.source, after(exchange, step).scope, exchange: exchange).reading(body: values)
    // What cannot be decided now is decided at the end.
    return (try? evaluator.isFulfilled(condition)) ?? false
  }
}

extension ExpectationJudge {
  /// What is to be said of a stream that is over and whose condition does not hold; nil: it does, or there is none.
  ///
  /// - Parameter label: what the step is called.
  func missed(_ stream: StreamSyntax, ofStep label: String?) -> UnmetExpectation? {
    guard let expression = stream.condition else { return nil }
    let condition = StreamCondition(expression, ofStep: label)
    let limit = stream.limit.map { "within \(evaluator.source[$0.range])" } ?? "before the stream ended"
    var judge = self
    do throws(ProgramError) {
      guard let count = try judge.countUnfulfilled(expression, condition) else { return nil }
      if case .items = condition.reading, condition.staysTrue {
        let subject = text(expression.range)
        return unmet(subject, limit, "none of \(count.grouped) items", expression.range)
      }
    } catch {
      return undecided(expression, error)
    }
    return judge.unmet(expression, limit)
  }

  /// Reads what came as it came: no more is in memory than the condition reads. Afterwards this judges the last of that.
  ///
  /// - Returns: how many events or lines there were without it being fulfilled; nil: it was.
  private mutating func countUnfulfilled(
    _ expression: ExpressionSyntax, _ condition: StreamCondition
  ) throws(ProgramError) -> Int? {
    if [.head, .everything].contains(condition.reading) { return try evaluator.isFulfilled(expression) ? nil : 0 }
    let body = exchange.response.body
    var window = StreamWindow(exchange.response.streamKind ?? .text, reading: condition.reading)
    var last = evaluator
    var result: Result<Bool, ProgramError> = .success(false)
    func look() {
      last = evaluator.seeing(window)
      result = Result { () throws(ProgramError) in try last.isFulfilled(expression) }
    }
    func holds() -> Bool { (try? result.get()) ?? false }
    var offset = 0
    while offset < body.count, !holds() {
      let chunk: [UInt8]
      do throws(FileError) {
        chunk = try body.bytes(from: offset, limit: 65_536)
      } catch {
        throw evaluator.failure(.file(error), expression.range)
      }
      offset += chunk.count
      var rest = chunk[...]
      while !rest.isEmpty, !holds() {
        let read = window.read(rest)
        rest = rest.dropFirst(read.count)
        if read.isComplete, condition.staysTrue { look() }
      }
    }
    if !holds() {
      window.finish()
      look()
    }
    evaluator = last
    return try result.get() ? nil : window.count
  }
}

extension Evaluator {
  /// The same for a part of the response.
  fileprivate func seeing(_ window: StreamWindow) -> Evaluator {
    guard let part = exchange?.keeping(ResponseBody(window.bytes)) else { return self }
    var evaluator = self
    evaluator.exchange = part
    return evaluator.reading(body: window.values)
  }

  /// The same where the body of the response is known to be read as that; nil: it is read when it is asked for.
  fileprivate func reading(body values: JSON?) -> Evaluator {
    guard let values, let response = exchange?.response else { return self }
    var evaluator = self
    evaluator.bodies = bodies.knowing(values, of: response)
    return evaluator
  }

  /// Whether the condition of `until` holds; anything missing is not there yet.
  func isFulfilled(_ condition: ExpressionSyntax) throws(ProgramError) -> Bool {
    do throws(ProgramError) {
      return try truth(condition)
    } catch {
      if error.isMissing { return false }
      throw error
    }
  }
}
