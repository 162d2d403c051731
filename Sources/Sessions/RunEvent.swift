package import Diagnostics
package import RequestProgram
package import Requests
package import RunStore
package import UploaderCore

/// What happens in a run, from reading its script to its end. Lines on a terminal, JSON and all other reports of a run
/// are made from these alone.
///
/// Steps of a group may run in parallel, and report from several threads.
package enum RunEvent: Sendable {
  /// The places in later events refer to this text.
  case read(SourceText)
  /// What the check of a script found: only warnings, if the run continues.
  case checked([Diagnostic])
  /// These are hidden from now on, and were not known before.
  case learned(Set<Secret>)
  /// The run does not begin.
  case refused(RunRefusal)
  /// It is being recorded, under this identifier.
  case recorded(run: String)
  /// Something worth knowing about its record.
  case recording(RecordingNotice)
  /// What the uploader does.
  case upload(UploadEvent)
  /// What comes of a response bit by bit, on the thread where it comes.
  case stream(StreamEvent)
  /// A step failed. Every error comes once, those of a group separately.
  case failed(UploadError)
  /// The run stopped because this failed, after these exchanges.
  case stopped(UploadError, after: [Exchange])
  /// The run is over.
  case ended(RunEnd)
  /// What happens to an operation of the queue; its own run reports its steps.
  case queue(QueueEvent)
  /// The file of a snapshot was written, as it is now to be.
  case wrote(snapshot: String)
}

/// Why a run does not begin.
package enum RunRefusal: Error {
  /// A file cannot be read.
  case file(FileError)
  /// The script is wrong. The errors were reported as `checked`.
  case wrong
  /// The script of this name has no steps of its own, only these sequences.
  case nothingToRun(script: String, sequences: [String])
  /// Something it needs from outside is missing, or its declarations fail.
  case program(ProgramError)
  /// It should be recorded, but cannot be.
  case unrecordable(StoreError)
  /// The store cannot be used, or does not have the run.
  case store(StoreError)
  /// The run with this identifier is a suite: the commands for the runs of its files that can be meant.
  case suite(run: String, commands: [String])
  /// The run with this identifier was not a script's.
  case notAScript(run: String)
  /// The version it was written in is not known here.
  case laterLanguage(LaterLanguage)
  /// The text of this file is recorded without its secrets, and the file is not as it was.
  case textWithoutSecrets(TextWithoutSecrets)
  /// Nothing is left to do in the run with this identifier.
  case done(run: String)
  /// The run with this identifier was abandoned.
  case abandoned(run: String)
  /// The values of these settings were secrets, so they were not stored.
  case missingSettings([String])
  /// The values of these settings are secrets, so the script cannot wait in the queue with them.
  case secretSettings([String])
  /// Whoever performs it may be on another machine, and these are files of this one.
  case localFiles([String])
  /// The rows that it should be run for are not as they should be.
  case rows(RowsProblem)
  /// The run with this identifier is one over the rows of a file.
  case overRows(run: String)
  /// It is one of those, so there are no responses of it.
  case withoutResponses(run: String)
  /// What becomes of rows cannot be written, so no more of them begin.
  case unwritable(FileError)

  package var exitCode: ExitCode {
    switch self {
    case .file, .unwritable: .file
    case .unrecordable(let error): error.exitCode == .usage ? .usage : .file
    case .wrong, .nothingToRun, .suite, .notAScript, .laterLanguage, .textWithoutSecrets, .abandoned, .missingSettings,
      .secretSettings,
      .localFiles, .rows, .overRows, .withoutResponses:
      .usage
    case .done: .success
    case .program(let error):
      error.isFromOutside ? .usage : ExitCode(UploadError(.sequence(error)), beforeFirstStep: true)
    case .store(let error): error.exitCode
    }
  }
}

extension RunRefusal {
  /// Reports it and the end of the run that did not begin.
  func end(_ report: (RunEvent) -> Void) -> RunEnd {
    report(.refused(self))
    let end = RunEnd(exitCode)
    report(.ended(end))
    return end
  }
}

/// Something worth knowing about a run's record.
package enum RecordingNotice: Sendable {
  /// The user's own store cannot be used, but nobody asked for it.
  case impossible(StoreError)
  /// It does not contain how the run ended.
  case endMissing(StoreError)
  /// What a step was given is no longer valid, so the run goes back to the step that allocated it.
  case goingBack
  /// It was written in an earlier version of the language, and means what it meant there.
  case earlierLanguage(version: Int)
}

/// How a run ended.
package struct RunEnd: Sendable {
  package let exitCode: ExitCode
  /// What ended it, if it was a step.
  package var error: UploadError?
  /// What was done.
  package var history = RunHistory()
  /// The command that continues it, if there is something left to do.
  package var resumeCommand: String?
  /// Why its record does not contain how it ended: whoever has to know that it does is to ask.
  package var unrecorded: StoreError?

  package init(
    _ exitCode: ExitCode, error: UploadError? = nil, history: RunHistory = RunHistory(), resumeCommand: String? = nil
  ) {
    self.exitCode = exitCode
    self.error = error
    self.history = history
    self.resumeCommand = resumeCommand
  }
}
