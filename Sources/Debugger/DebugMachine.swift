package import RequestProgram
package import Requests
package import RunStore
internal import Sessions
package import UploaderCore

/// A run under the debugger, as a state machine with neither network nor screen: a request changes its state and
/// returns what is to be done.
///
/// It can do one thing with the past: make the run again from its sequence and its history. A step back, a jump, a
/// response that replaces another and an edited script all come down to that.
package struct DebugMachine: Sendable {
  /// Where the run is.
  package enum Stop: Sendable {
    /// Nothing has been asked of the run yet.
    case nowhere
    /// Before this request.
    case before(RequestDescription, StepPosition)
    /// After a step that was sent in order to stop after it, or that failed.
    case after(StepPosition, Exchange?, UploadError?)
    /// The next step cannot be made.
    case blocked(UploadError, StepPosition)
    case end
  }

  /// Why a step is sent: what is to be done when it succeeded.
  enum Goal: Sendable {
    /// Stop before the next step.
    case nextStep
    /// Stop after this one.
    case thisStep
    /// Continue to a breakpoint.
    case breakpoint
  }

  /// What was requested and has not arrived yet.
  enum Expected: Sendable {
    /// - Parameter place: where the machine was, if it left that for the step.
    case consent(Goal, from: Place?)
    case outcome(Goal)
    case recalled
  }

  /// Where somebody was who asked to send the last step again, and may not want to after all.
  struct Place: Sendable {
    let run: SequenceRun<ProgramRequestSequence>
    let stop: Stop
    let failure: UploadError?
    let hasChangedPast: Bool
  }

  struct ChangedResponse: Sendable {
    let original: Exchange
    let changed: Exchange
  }

  let surroundings: DebugSurroundings
  /// What it was made from; nil where it cannot be edited.
  package internal(set) var script: DebuggedScript?
  /// The sequence at its beginning, from which runs are made again.
  package internal(set) var start: ProgramRequestSequence
  package internal(set) var run: SequenceRun<ProgramRequestSequence>
  package internal(set) var stop = Stop.nowhere
  /// By number, from 1; one that was deleted leaves its number behind.
  package internal(set) var breakpoints: [Int: Breakpoint] = [:]
  /// How many breakpoints there have been.
  package private(set) var breakpointCount = 0
  /// The responses to each step so far, including those taken back: oldest first.
  package internal(set) var attempts: [StepPosition: [Exchange]] = [:]
  /// The last response to each step before this program was started.
  package internal(set) var recordedResponses: [StepPosition: RecordedStep] = [:]
  /// The steps whose responses had not been taken back when the run was left.
  package internal(set) var standing: Set<StepPosition> = []
  /// The steps that had been left out when the run was left.
  var leftOut: [StepPosition: RecordedStep] = [:]
  /// The error of the step that failed last, as long as nothing has been done about it.
  package internal(set) var failure: UploadError?
  /// The request that was sent last and got no response.
  package internal(set) var unanswered: RequestDescription?
  /// Steps that were sent and got no response, so that they may have taken effect.
  package internal(set) var undecided: Set<StepPosition> = []
  /// Requests that should happen once and were sent: the user is asked before one is sent again.
  var sentOnce: [RequestDescription] = []
  /// Every time that such a request was sent before this program was started.
  var sentOnceBefore = SentOnce()
  /// What was put into responses, and where, as far as it was made from secrets.
  var putSecrets: [(secrets: Set<Secret>, place: String)] = []
  /// The responses that were changed here, with what was received.
  var changedResponses: [StepPosition: ChangedResponse] = [:]
  /// Whether the run was made again after something was recorded.
  var hasChangedPast = false
  var recall: Recall?
  var expected: Expected?
  var actions: [DebugAction] = []

  /// - Parameters:
  ///   - start: the sequence at its beginning.
  ///   - script: what it was made from; nil where it cannot be edited.
  package init(
    _ start: ProgramRequestSequence, script: DebuggedScript?, breakpoints: [Breakpoint],
    in surroundings: DebugSurroundings
  ) {
    self.start = start
    self.script = script
    self.surroundings = surroundings
    run = SequenceRun(start)
    for breakpoint in breakpoints { add(breakpoint) }
  }

  /// Does what is asked, or takes the result of an earlier action.
  ///
  /// - Returns: what is to be done, in this order. After `ask`, `send` and `replay` the machine waits for `consent`,
  ///   `sent` and `replayed`; other requests before those are left out.
  package mutating func handle(_ request: DebugRequest) -> [DebugAction] {
    defer { actions = [] }
    if expected != nil {
      takeExpected(request)
    } else {
      perform(request)
    }
    return actions
  }

  private mutating func add(_ breakpoint: Breakpoint) {
    breakpointCount += 1
    breakpoints[breakpointCount] = breakpoint
  }

  /// Whether it is waiting for the result of an action.
  package var isWaiting: Bool { expected != nil }

  private mutating func perform(_ request: DebugRequest) {
    switch request {
    case .begin: begin()
    case .recall(let recorded): recall(recorded)
    case .next: next()
    case .send: send()
    case .resend: resend()
    case .continue: proceed(isFirst: false)
    case .proceed: proceed(isFirst: true)
    case .skip: skip()
    case .take(let response): take(response)
    case .replaceResponse(let body): replaceResponse(body)
    case .back(let count): back(count)
    case .backTo(let name): back(to: name)
    case .goTo(let name): goTo(name)
    case .setResponse(let change): setResponse(change)
    case .restoreResponse(let step): restoreResponse(of: step)
    case .change(let script, let start): change(script, start)
    case .saved(let script): self.script = script
    case .addBreakpoint(let breakpoint): add(breakpoint)
    case .deleteBreakpoint(let number): breakpoints[number] = nil
    case .consent, .sent, .replayed: break
    }
  }

  private mutating func takeExpected(_ request: DebugRequest) {
    switch (expected, request) {
    case (.consent(let goal, let place)?, .consent(let isGiven)):
      expected = nil
      if isGiven { send(for: goal) } else { decline(from: place) }
    case (.outcome(let goal)?, .sent(let outcome)):
      expected = nil
      sent(outcome, for: goal)
    case (.recalled?, .replayed(let outcome)):
      expected = nil
      replayed(outcome)
    default: break
    }
  }

  // MARK: Actions

  mutating func tell(_ news: DebugNews) {
    actions.append(.tell(news))
  }

  mutating func show() {
    actions.append(.showStop)
  }

  mutating func learn(_ secrets: Set<Secret>) {
    if !secrets.isEmpty { actions.append(.learn(secrets)) }
  }
}
