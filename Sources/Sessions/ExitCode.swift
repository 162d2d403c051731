// The prompt and the plain run: two callers of the one stepping primitive. This module knows no terminal, no file
// descriptor and no C library: the world around it is one injected value.

internal import RequestProgram
package import UploaderCore

/// The exit codes of the process: the only table of them.
package enum ExitCode: Int32, Error, Hashable, Sendable {
  case success = 0
  /// A step failed, or an expectation was not met.
  case failed = 1
  /// The command line or the script is wrong; nothing was sent.
  case usage = 2
  /// What was imported is different in something.
  case remarks = 3
  case timeout = 20
  case network = 21
  case tls = 22
  /// A secret would have been sent where it must not go.
  case secretRefused = 23
  /// It is not known whether a request took effect, and a decision is needed.
  case unknownOutcome = 24
  /// A file cannot be read or written.
  case file = 25
  /// Somebody has to sign in first, or a token cannot be had.
  case signIn = 26
  case interrupted = 130

  /// The code of a step's error.
  ///
  /// - Parameter beforeFirstStep: whether nothing was sent yet, so that the script or the command line is wrong.
  package init(_ error: UploadError, beforeFirstStep: Bool = false) {
    switch error.fact {
    case .sequence(let inner as ProgramError):
      if case .file = inner.fact { self = .file } else { self = beforeFirstStep ? .usage : .failed }
    case .sequence:
      self = .failed
    case .expectations:
      self = .failed
    case .unsaved:
      self = .file
    case .group(let errors):
      let codes = errors.map { ExitCode($0) }
      self = [.interrupted, .unknownOutcome].first(where: codes.contains) ?? codes.first ?? .failed
    case .profile, .framing:
      self = .usage
    case .secretRefused:
      self = .secretRefused
    case .signIn(let inner, _):
      self = ExitCode(inner)
    case .cancelled:
      self = .interrupted
    case .journal(.store):
      self = .file
    case .journal(.undecided):
      self = .unknownOutcome
    case .journal(.changed):
      self = .usage
    case .journal(.notRecorded), .journal(.expired):
      self = .failed
    case .transport(let failure, _):
      switch failure.fact {
      case .cancelled: self = .interrupted
      case _ where error.outcome == .unknown: self = .unknownOutcome
      case .url: self = .usage
      case .resolve, .connect, .proxy, .connectionLost, .truncated, .tooMuch, .malformedResponse, .other:
        self = .network
      case .tls: self = .tls
      case .connectTimeout, .firstByteTimeout, .idleTimeout, .timeout: self = .timeout
      case .file: self = .file
      }
    }
  }
}

extension ExitCode {
  /// The code of a sign-in that failed: that of a request, if one got no response.
  package init(_ error: SignInError) {
    switch error {
    case .needed, .refused, .unusable: self = .signIn
    // What a request for a token may have done is nothing that anybody has to decide about.
    case .request(let error, _): self = ExitCode(UploadError(error.fact))
    case .file: self = .file
    case .cancelled: self = .interrupted
    }
  }
}
