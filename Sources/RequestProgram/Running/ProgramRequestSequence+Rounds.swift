import RequestSyntax
public import Requests

extension ProgramRequestSequence {
  /// Whether the step that this exchange just answered is sent again.
  public func repeats(after exchange: Exchange) -> Bool {
    guard let frame = frames.last, case .step(let step)? = frame.current?.node else { return false }
    guard let source = frame.current?.source, let repetition = step.repetition else { return false }
    let rounds = frame.rounds + [exchange]
    var scope = scope(of: frames.count - 1)
    if let label = step.label { scope.steps[label.text] = .rounds(rounds) }
    // What goes wrong here goes wrong again when the sequence is polled, and is told then.
    return (try? isDone(repetition, source, scope, rounds)) == false
  }
}
