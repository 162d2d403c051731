import Diagnostics
import RequestSyntax
public import Requests

/// The responses to steps in an earlier run, for whoever has a record of one.
public struct RecordedResponses: Sendable {
  let exchange: @Sendable (_ sequence: String?, _ label: String) -> Exchange?

  /// - Parameter exchange: the last response to the step with that label, in a sequence or (nil) at the top level of
  ///   the file; nil if there is none.
  public init(_ exchange: @escaping @Sendable (_ sequence: String?, _ label: String) -> Exchange?) {
    self.exchange = exchange
  }
}

/// Paths that the responses of a recorded run did not have.
extension Checker {
  mutating func checkRecorded(_ reference: ReferenceSyntax) {
    let name = reference.root.text
    guard let responses = program.recorded, scope.kind(of: name) == .step, !reference.segments.isEmpty,
      !optionalReferences.contains(reference.range.lowerBound), let exchange = responses.exchange(sequence, name)
    else { return }
    var known = Scope()
    known.steps[name] = .rounds([exchange])
    let evaluator = Evaluator(
      source: source, directory: "", environment: ProgramEnvironment(), moment: StepSeed(time: .zero, seed: 0),
      scope: known)
    do throws(ProgramError) {
      _ = try evaluator.evaluate(reference)
    } catch {
      guard case .missing = error.fact else { return }
      let diagnostic = error.diagnostic
      report(.notInRecordedResponse(diagnostic.message, label: diagnostic.label, notes: diagnostic.notes), error.range)
    }
  }
}
