package import Diagnostics
package import RequestProgram
package import Requests
package import RunStore
package import Sessions
package import UploaderCore

/// What is asked of a `DebugMachine`, or what came of something it asked for.
package enum DebugRequest: Sendable {
  /// Stands before the first step.
  case begin
  /// Does what a recorded run did, without sending anything.
  case recall(RecordedSteps)
  /// Sends this step and stops before the next.
  case next
  /// Sends this step and stops after it.
  case send
  /// Sends the step again that was sent last.
  case resend
  /// Goes on to a breakpoint, one at this step left out, or to a failure.
  case `continue`
  /// The same, and a breakpoint at this step counts.
  case proceed
  /// Does not send this step: takes the response it had, or leaves it out.
  case skip
  /// Does not send this step: takes this for its response.
  case take(Response)
  /// The response of the step it stands after has this body.
  case replaceResponse(body: [UInt8])
  /// Goes back so many steps.
  case back(Int)
  /// Goes back before the last step of this name.
  case backTo(String)
  /// Goes back or on to the step of this name, and leaves out those between.
  case goTo(String)
  /// Puts a value into a response.
  case setResponse(ResponseChange)
  /// The script is another now, and this is how it begins.
  case change(DebuggedScript, ProgramRequestSequence)
  /// What was changed is in its file.
  case saved(DebuggedScript)
  case addBreakpoint(Breakpoint)
  case deleteBreakpoint(at: Int)

  /// Whether the step may be sent again.
  case consent(Bool)
  /// What came of `DebugAction.send`.
  case sent(DebugSendOutcome)
  /// What came of `DebugAction.replay`.
  case replayed(StepOutcome<StepRecord?>)
}

/// What came of sending a step.
package enum DebugSendOutcome: Sendable {
  case performed(StepOutcome<StepRecord?>)
  /// It cannot be recorded, so nothing was sent.
  case unrecorded(JournalError)
}

/// What a `DebugMachine` wants done.
package enum DebugAction: Sendable {
  /// From now on these are hidden.
  case learn(Set<Secret>)
  /// The sequence was asked for this step at this moment.
  case note(StepPosition, StepSeed)
  /// Ask whether to send this again, which should happen once and was sent.
  case ask(RequestDescription)
  /// Record what was changed in the past, send the step, and say what came of it.
  case send(DebugStep)
  /// Take the step's response from this journal, and say what came of it.
  case replay(SequenceRun<ProgramRequestSequence>, from: any StepJournal)
  /// Record what became of a step that was not sent.
  case record(StepRecord, DebugStep)
  /// Record that the script is another now.
  case recordScript(DebuggedScript)
  case tell(DebugNews)
  /// Show where the run stands.
  case showStop
  /// Look for what may have made the step fail.
  case diagnose(Exchange?)
}

/// A step that is to be sent or recorded.
package struct DebugStep: Sendable {
  /// The run before it is sent; after it was recorded.
  package let run: SequenceRun<ProgramRequestSequence>
  package let position: StepPosition
  /// Whether steps of the past are no longer what was recorded of them.
  package let hasChangedPast: Bool
}

/// What happened, for whoever sits at the debugger.
package enum DebugNews: Sendable {
  /// A step is over as it should be.
  case done(StepRecord)
  /// A step failed, perhaps with a response.
  case failed(UploadError, Exchange?)
  /// ^C ended the sending: the run stands before the step again.
  case interrupted(UploadError)
  /// Something could not be done.
  case error(UploadError)
  case programError(ProgramError)
  case unreadable([Diagnostic])
  /// A response that did not come over the wire was taken.
  case took(Exchange, isEarlier: Bool)
  case leftOut(RequestDescription)
  case skipped([RequestDescription])
  /// After a step that was sent to stop after it.
  case response(Exchange)
  case notSent
  /// So many of the responses still stand.
  case kept(Int, of: Int)
  /// Going back does not undo this.
  case notUndone(Exchange)
  /// So many recorded responses were taken, and nothing was sent.
  case recalled(Int)
  case obstacle(RecallObstacle)
  case changeUnrecorded(StoreError)
  case refused(DebugRefusal)
}

/// Why something is not done.
package enum DebugRefusal: Error, Hashable, Sendable {
  /// It stands before no step.
  case noStepToSend
  case noStepToResend
  case noStepToSkip
  /// Only so many steps were done.
  case tooFarBack(steps: Int)
  case noPastStep(String)
  case noSuchStep(String)
  case noResponseToReplace
  case noResponseOf(String)
  /// Only names and indices in a JSON body can be set.
  case notSettable
}

extension DebugAction {
  /// Whether it is to be shown or asked.
  package var isForCaller: Bool {
    switch self {
    case .ask, .tell, .showStop, .diagnose: true
    case .learn, .note, .send, .replay, .record, .recordScript: false
    }
  }
}
