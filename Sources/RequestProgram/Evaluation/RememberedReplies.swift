internal import Synchronization

/// What somebody replied to the questions of a program that is gone through several times: when it is resumed after a
/// question about a step, or when a debugger goes back.
///
/// A question is known again by where it is asked, and by how often it was asked there: the reply to one question is never
/// taken for another, which may be for another host. Steps that are skipped do not move it.
public final class RememberedReplies: Sendable {
  struct Place: Hashable {
    let source: String
    let line: String
    /// How many lines before it read the same.
    let twins: Int
  }

  private struct Question: Hashable {
    let text: String
    let place: Place
    /// From 1, in this pass.
    var count = 0
  }

  private struct State {
    var replies: [Question: String] = [:]
    /// How often each was asked in this pass.
    var counts: [Question: Int] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  /// The program is gone through from its beginning.
  public func rewind() {
    state.withLock { $0.counts = [:] }
  }

  /// Everything is asked again.
  public func forget() {
    state.withLock { $0 = State() }
  }

  /// The reply that it got in an earlier pass, or gets now.
  func reply(to text: String, at place: Place, _ ask: (String) -> String?) -> String? {
    let question = state.withLock { state in
      var question = Question(text: text, place: place)
      let count = state.counts[question, default: 0] + 1
      state.counts[question] = count
      question.count = count
      return question
    }
    if let reply = state.withLock({ $0.replies[question] }) { return reply }
    guard let reply = ask(text) else { return nil }
    state.withLock { $0.replies[question] = reply }
    return reply
  }
}
