import Dispatch
import JSONValue
internal import POSIX
internal import Synchronization

/// One evaluation of an expression, on a thread of its own: XPath has expressions that take the square of a document's
/// size and more, and libxml2 asks nobody whether to go on.
///
/// One that has to end is told so through libxml2's `opLimit`, which ends it at its next operation. A few operations
/// take very long by themselves; whoever waits for one of those stops waiting, and it ends when it ends.
///
/// A class because the thread and who waits for it share it.
final class XPathEvaluation: Sendable {
  private struct State {
    /// The address of libxml2's context while it evaluates.
    var context: UInt?
    var result: Result<JSON, XPath.Failure>?
    var isGivenUp = false
  }

  private let state = Mutex(State())
  private let done = DispatchSemaphore(value: 0)

  /// How often is asked whether it may go on, and how long one that was told to end may take for that.
  private static let pace = DispatchTimeInterval.milliseconds(20)
  private static let grace = DispatchTimeInterval.milliseconds(200)
  /// How many that nobody waits for anymore may be at work.
  private static let abandonedLimit = 4
  private static let abandoned = Atomic(0)
  /// The offset of `opLimit` in xmlXPathContext where there is one.
  private static let limitOffset = 352

  /// - Parameter mayGoOn: asked many times a second.
  static func value(
    of path: XPath, in bytes: [UInt8], _ kind: XPath.Kind, isUTF8: Bool = false, while mayGoOn: () -> Bool
  ) throws(XPath.Failure) -> JSON {
    guard abandoned.load(ordering: .relaxed) < abandonedLimit else { throw .busy }
    let evaluation = XPathEvaluation()
    let run: @Sendable () -> Void = {
      evaluation.end(
        Result { () throws(XPath.Failure) in
          try path.value(in: bytes, kind, isUTF8: isUTF8, by: evaluation)
        })
    }
    guard SystemThread.detach(run) else { throw .busy }
    while evaluation.done.wait(timeout: .now() + pace) == .timedOut {
      guard !mayGoOn() else { continue }
      evaluation.stop()
      if evaluation.done.wait(timeout: .now() + grace) == .timedOut { evaluation.abandon() }
      throw .stopped
    }
    guard let result = evaluation.state.withLock(\.result) else { throw .stopped }
    return try result.get()
  }

  /// Evaluates in a context, which may be told to end as long as that lasts.
  func `in`<Value>(_ context: LibXML.Pointer, _ evaluate: () -> Value) -> Value {
    state.withLock { $0.context = UInt(bitPattern: context) }
    defer { state.withLock { $0.context = nil } }
    return evaluate()
  }

  private func stop() {
    state.withLock { state in
      guard LibXML.shared?.hasOperationLimit == true,
        let context = state.context.flatMap(LibXML.Pointer.init(bitPattern:))
      else { return }
      context.storeBytes(of: 1, toByteOffset: Self.limitOffset, as: UInt.self)
    }
  }

  private func abandon() {
    state.withLock { state in
      guard state.result == nil else { return }
      state.isGivenUp = true
      Self.abandoned.add(1, ordering: .relaxed)
    }
  }

  private func end(_ result: Result<JSON, XPath.Failure>) {
    state.withLock { state in
      state.result = result
      if state.isGivenUp { Self.abandoned.subtract(1, ordering: .relaxed) }
    }
    done.signal()
  }
}
