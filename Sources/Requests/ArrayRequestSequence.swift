/// A sequence made of continuations: each is given the exchange before it and makes the next request.
///
/// The article's first version traps when it is polled after its end; its later one continues after a continuation that
/// returned nil. This one is complete in both cases, and stays complete.
public struct ArrayRequestSequence: OperationRequestSequence {
  /// Makes the next request from the exchange before it; nil: nothing more is needed.
  public typealias Continuation = @Sendable (_ previous: Exchange?) throws -> RequestDescription?

  private let continuations: [Continuation]
  private var next = 0

  /// A sequence of these, in order.
  public init(_ continuations: [Continuation]) {
    self.continuations = continuations
  }

  public mutating func nextRequest(previous: Exchange?) throws -> RequestDescription? {
    guard next < continuations.count else { return nil }
    let description = try continuations[next](previous)
    next = description == nil ? continuations.count : next + 1
    return description
  }
}
