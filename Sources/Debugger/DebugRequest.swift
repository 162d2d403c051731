package import Diagnostics
package import RequestProgram
package import Requests
package import RunStore
package import Sessions
package import UploaderCore

/// What is asked of a `DebugMachine`, or the result of something it asked for.
package enum DebugRequest: Sendable {
  /// Stops before the first step.
  case begin
  /// Does what a recorded run did, without sending anything.
  case recall(RecordedSteps)
  /// Sends this step and stops before the next.
  case next
  /// Sends this step and stops after it.
  case send
  /// Resends the step that was sent last.
  case resend
  /// Continues to a breakpoint, ignoring one at this step, or to a failure.
  case `continue`
  /// The same, and a breakpoint at this step counts.
  case proceed
  /// Does not send this step: takes the response it had, or skips it.
  case skip
  /// Does not send this step: takes this for its response.
  case take(Response)
  /// The response of the step it stopped after gets this body.
  case replaceResponse(body: [UInt8])
  /// Goes back that many steps.
  case back(Int)
  /// Goes back before the last step of this name.
  case backTo(String)
  /// Goes back or forward to the step of this name, skipping those between.
  case goTo(String)
  /// Puts a value into a response.
  case setResponse(ResponseChange)
  /// The last response of the step of this name is what was received.
  case restoreResponse(String)
  /// The script has been replaced, and this is how it begins.
  case change(DebuggedScript, ProgramRequestSequence)
  /// The changes are in its file.
  case saved(DebuggedScript)
  case addBreakpoint(Breakpoint)
  case deleteBreakpoint(number: Int)

  /// Whether the step may be sent again.
  case consent(Bool)
  /// The result of `DebugAction.send`.
  case sent(DebugSendOutcome)
  /// The result of `DebugAction.replay`.
  case replayed(StepOutcome<StepRecord?>)
}

/// The result of sending a step.
package enum DebugSendOutcome: Sendable {
  case performed(StepOutcome<StepRecord?>)
  /// It cannot be recorded, so nothing was sent.
  case unrecorded(JournalError)
}

/// What a `DebugMachine` wants done.
package enum DebugAction: Sendable {
  /// From now on these are hidden.
  case learn(Set<Secret>)
  /// The sequence was asked for this step with this seed.
  case note(StepPosition, StepSeed)
  /// Ask whether to resend this request, which should happen once and was sent.
  case ask(RequestDescription)
  /// Record what was changed in the past, send the step, and report the result.
  case send(DebugStep)
  /// Take the step's response from this journal, and report the result.
  case replay(SequenceRun<ProgramRequestSequence>, from: any StepJournal)
  /// Record what became of a step that was not sent.
  case record(StepRecord, DebugStep)
  /// Record that the script has been replaced.
  case recordScript(DebuggedScript)
  case tell(DebugNews)
  /// Show where the run is.
  case showStop
  /// Look for what may have made the step fail.
  case diagnose(Exchange?)
}

/// A step that is to be sent or recorded.
package struct DebugStep: Sendable {
  /// The run before it is sent; or after it was recorded.
  package let run: SequenceRun<ProgramRequestSequence>
  package let position: StepPosition
  /// Whether past steps no longer match what was recorded of them.
  package let hasChangedPast: Bool
}

/// What happened, for the user of the debugger.
package enum DebugNews: Sendable {
  /// A step ended as it should.
  case done(StepRecord)
  /// A step failed, perhaps with a response.
  case failed(UploadError, Exchange?)
  /// ^C ended the transfer: the run is before the step again.
  case interrupted(UploadError)
  /// Something could not be done.
  case error(UploadError)
  case programError(ProgramError)
  case unreadable([Diagnostic])
  /// A response that was not received from the network was taken.
  case took(Exchange, isEarlier: Bool)
  case leftOut(RequestDescription)
  case skipped([RequestDescription])
  /// The breakpoint of this number is why it stops.
  case atBreakpoint(Int)
  /// After a step that was sent in order to stop after it.
  case response(Exchange)
  case notSent
  /// That many of the responses are still valid.
  case kept(Int, of: Int)
  /// Going back does not undo this.
  case notUndone(Exchange)
  /// That many recorded responses were taken, and nothing was sent.
  case recalled(Int)
  case obstacle(RecallObstacle)
  case changeUnrecorded(StoreError)
  case refused(DebugRefusal)
}

/// Why something is not done.
package enum DebugRefusal: Error, Hashable, Sendable {
  /// There is no next step.
  case noStepToSend
  case noStepToResend
  case noStepToSkip
  /// Only that many steps have run.
  case tooFarBack(steps: Int)
  case noPastStep(String)
  case noSuchStep(String)
  /// It cannot be made when the steps before it are skipped.
  case needsSkipped(String)
  case noResponseToReplace
  case noResponseOf(String)
  /// Only names and indices in a JSON body can be set.
  case notSettable
  /// The response of the step of this name is what was received.
  case unchangedResponse(String)
}

extension DebugAction {
  /// Whether it is something to show or to ask.
  package var isForCaller: Bool {
    switch self {
    case .ask, .tell, .showStop, .diagnose: true
    case .learn, .note, .send, .replay, .record, .recordScript: false
    }
  }
}
