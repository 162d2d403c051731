internal import HTTPTypes
public import Requests

/// Why a step did not succeed. Every error of a run is one of these, made and classified in this module.
public struct UploadError: Error, Sendable {
  /// What happened.
  public enum Fact: Sendable {
    /// The sequence could not make its next step: the previous response lacked something.
    case sequence(any Error)
    /// No profile could be chosen.
    case profile(ProfileError)
    /// No response came from this origin.
    case transport(TransportError, origin: Origin?)
    /// A response came, but not the expected one; it is kept in the run's records.
    case expectations([UnmetExpectation], Exchange)
    /// The response is as expected, but its body could not be written to its file.
    case unsaved(FileError, Exchange)
    /// A secret would have been sent to an origin that it is not for; nothing was sent.
    case secretRefused(Secret, origin: Origin)
    /// A header would have made a false statement about the message; nothing was sent.
    case framing(FramingFault, origin: Origin)
    /// The run was cancelled while it waited to send.
    case cancelled
    /// The journal does not let it continue; nothing was sent.
    case journal(JournalError)
    /// Steps of a group failed; each of these was reported separately.
    case group([UploadError])
    /// The credential of this profile could not be had; nothing was sent.
    case signIn(SignInError, profile: String)
  }

  /// What is known of the request's effect on the server.
  public enum Outcome: Hashable, Sendable {
    /// It was refused or never sent; the same request fails the same way again.
    case permanent
    /// It may succeed when sent again.
    case transient
    /// It may or may not have happened.
    case unknown
  }

  /// What happened.
  public let fact: Fact
  /// The step it happened in, nil if the sequence could not even make it.
  public let step: RequestHead?
  /// The credentials that were withheld from the request that failed.
  public let withheld: [WithheldCredential]

  /// The redirects that led to where it failed.
  public let redirects: [RedirectHop]

  /// Whether a server had responded before, and may have acted on the request: what failed is where it led to.
  public var isAfterResponse: Bool {
    !redirects.allSatisfy { RedirectHop.saysNothingWasDone($0.response.status.code) }
  }

  /// What happened, and in which step.
  public init(
    _ fact: Fact, in step: RequestHead? = nil, withheld: [WithheldCredential] = [], redirects: [RedirectHop] = []
  ) {
    self.fact = fact
    self.step = step
    self.withheld = withheld
    self.redirects = redirects
  }

  /// Whether the journal did not let a step continue, so that the run stopped where it is.
  public var isFromJournal: Bool { refusal != nil }

  /// The first error in it that comes from the journal.
  public var refusal: UploadError? {
    switch fact {
    case .journal: self
    case .group(let errors): errors.lazy.compactMap(\.refusal).first
    case .sequence, .profile, .transport, .expectations, .unsaved, .secretRefused, .framing, .cancelled, .signIn: nil
    }
  }

  /// Whether it goes well once somebody has signed in, and not before.
  public var needsSignIn: Bool {
    guard outcome == .transient else { return false }
    switch fact {
    case .signIn(.needed, _): return true
    case .group(let errors): return errors.contains(where: \.needsSignIn)
    case .sequence, .profile, .transport, .expectations, .unsaved, .secretRefused, .framing, .cancelled, .journal,
      .signIn:
      return false
    }
  }

  /// The one place where errors are classified.
  public var outcome: Outcome {
    if isAfterResponse, step?.effect == .once { return .unknown }
    switch fact {
    case .sequence, .profile, .secretRefused, .framing, .cancelled, .unsaved:
      return .permanent
    case .journal(.undecided):
      return .unknown
    case .journal:
      return .permanent
    case .group(let errors):
      let outcomes = errors.map(\.outcome)
      return outcomes.contains(.unknown) ? .unknown : outcomes.contains(.permanent) ? .permanent : .transient
    case .signIn(let error, _):
      return error.outcome
    case .expectations(_, let exchange):
      return [429, 500, 502, 503, 504].contains(exchange.response.status.code) ? .transient : .permanent
    case .transport(let error, _):
      switch error.fact {
      case .url, .tls, .proxy:
        return .permanent
      case .resolve, .connect, .connectTimeout:
        return .transient
      case .firstByteTimeout, .idleTimeout, .timeout, .connectionLost, .truncated, .tooMuch, .malformedResponse, .file,
        .cancelled, .other:
        guard error.requestWasSent else { return .transient }
        return step?.effect == .once ? .unknown : .transient
      }
    }
  }
}

extension UploadError: CustomStringConvertible {
  /// A few words for a log, without anything that was sent.
  public var description: String {
    let words =
      switch fact {
      case .sequence(let error): "\(error)"
      case .profile(let error): "\(error)"
      case .transport(let error, let origin): "\(error.fact.summary)\(origin.map { " (\($0))" } ?? "")"
      case .expectations(let unmet, let exchange):
        "\(exchange.request) returned \(exchange.response.status); "
          + unmet.map { "\($0.subject) should be \($0.expected)" }.joined(separator: ", ")
      case .unsaved(let error, let exchange): "the body of \(exchange.response.status) was not saved: \(error)"
      case .secretRefused(let secret, let origin): "\(secret.subject) is not for \(origin)"
      case .framing(let fault, let origin): "\(fault) (\(origin))"
      case .cancelled: "cancelled"
      case .journal(let error): error.description
      case .group(let errors): errors.map(\.description).joined(separator: "; ")
      case .signIn(let error, _): "\(error)"
      }
    return step?.label.map { "step \"\($0)\": \(words)" } ?? words
  }
}
