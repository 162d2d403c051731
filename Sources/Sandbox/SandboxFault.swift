/// Something that goes wrong on purpose: `drop-before-response@confirm`.
///
/// Each happens once, at the next request it applies to; those that describe a state (`skew`, `slow-processing`,
/// `redirect`) last.
public struct SandboxFault: Hashable, Sendable {
  /// The requests of an upload.
  public enum Step: String, Hashable, Sendable, CaseIterable {
    case allocate, upload, confirm, poll
  }

  public enum Kind: Hashable, Sendable {
    /// What is allocated has already expired.
    case expiredPolicy
    /// Storage's clock is this many seconds ahead of the API's; behind, if negative.
    case skew(Int)
    /// The response is 200, and its body an `<Error>`; nothing is done.
    case error200
    /// Requests that do not come to this origin are sent there with 307. Without a port it gets storage's.
    case redirect(String)
    /// Only this many bytes of the file are stored, and nobody is notified.
    case truncate(Int)
    /// A confirmed snapshot takes this many seconds to be ready.
    case slowProcessing(Double)
    /// The request is read, the connection closed, and nothing done.
    case dropAfterRequest
    /// The request is carried out, and the connection closed without a response.
    case dropBeforeResponse
  }

  public var kind: Kind
  public var step: Step

  public init(_ kind: Kind, at step: Step? = nil) {
    self.kind = kind
    self.step = step ?? kind.usualStep
  }

  /// Reads `NAME[=VALUE][@STEP]`.
  ///
  /// - Throws: `SandboxFaultError`.
  public init(parsing text: String) throws {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].prefix { $0 != "=" }
    let value = parts[0].contains("=") ? String(parts[0].dropFirst(name.count + 1)) : nil
    guard let kind = Kind(String(name), value) else { throw SandboxFaultError.kind(String(parts[0])) }
    var step: Step?
    if parts.count == 2 {
      step = Step(rawValue: String(parts[1]))
      if step == nil { throw SandboxFaultError.step(String(parts[1])) }
    }
    self.init(kind, at: step)
  }

  /// The notation of each.
  public static let usages = [
    "expired-policy", "skew=SECONDS", "error-200", "redirect=ORIGIN", "truncate=BYTES", "slow-processing=SECONDS",
    "drop-after-request", "drop-before-response",
  ]

  public static var stepNames: String { Step.allCases.map(\.rawValue).joined(separator: ", ") }
}

extension SandboxFault.Kind {
  fileprivate init?(_ name: String, _ value: String?) {
    switch (name, value) {
    case ("expired-policy", nil): self = .expiredPolicy
    case ("error-200", nil): self = .error200
    case ("drop-after-request", nil): self = .dropAfterRequest
    case ("drop-before-response", nil): self = .dropBeforeResponse
    case ("skew", let value?):
      guard let seconds = Int(value) else { return nil }
      self = .skew(seconds)
    case ("redirect", let value?):
      guard value.hasPrefix("http://") || value.hasPrefix("https://") else { return nil }
      self = .redirect(value.hasSuffix("/") ? String(value.dropLast()) : value)
    case ("truncate", let value?):
      guard let bytes = Int(value), bytes >= 0 else { return nil }
      self = .truncate(bytes)
    case ("slow-processing", let value?):
      guard let seconds = Double(value), seconds >= 0 else { return nil }
      self = .slowProcessing(seconds)
    default: return nil
    }
  }

  /// Where it happens by default.
  fileprivate var usualStep: SandboxFault.Step {
    switch self {
    case .expiredPolicy: .allocate
    case .skew, .error200, .redirect, .truncate, .dropAfterRequest, .dropBeforeResponse: .upload
    case .slowProcessing: .poll
    }
  }
}

/// Why a text is not a fault.
public enum SandboxFaultError: Error, Hashable, Sendable, CustomStringConvertible {
  case kind(String)
  case step(String)

  public var description: String {
    switch self {
    case .kind(let text): "\"\(text)\" is not a fault; there are \(SandboxFault.usages.joined(separator: ", "))."
    case .step(let text): "\"\(text)\" is not a step; there are \(SandboxFault.stepNames)."
    }
  }
}
