public import Requests

/// The one type that performs requests.
///
/// A plain run, the prompt and a debugger are callers of `step`, so a sequence sends the same bytes
/// whichever of them runs it. Every error passes `report`: nothing finishes failed and unreported.
public struct Uploader: Sendable {
  /// The profiles of sequences that declare none.
  public var profiles: SessionProfiles
  /// Where each step is kept before and after it is sent; nil: nowhere.
  public var journal: (any StepJournal)?
  let transport: any Transport
  let clock: UploadClock
  let makeBoundary: @Sendable () -> String
  let observe: @Sendable (UploadEvent) -> Void
  let chance: @Sendable () -> Double
  let budget = RetryBudget()
  private let report: @Sendable (UploadError) -> Void

  /// - Parameters:
  ///   - journal: where each step is kept before and after it is sent; nil: nowhere.
  ///   - makeBoundary: a new multipart boundary, which no content may contain: long and random.
  ///   - chance: from 0 to 1, for how long to wait before a retry.
  ///   - observe: told what happens, from the thread where it happens.
  ///   - report: told every error once, before `step` throws it.
  public init(
    transport: any Transport, profiles: SessionProfiles = SessionProfiles(), journal: (any StepJournal)? = nil,
    clock: UploadClock = .system,
    makeBoundary: @escaping @Sendable () -> String = Uploader.randomBoundary,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    observe: @escaping @Sendable (UploadEvent) -> Void = { _ in },
    report: @escaping @Sendable (UploadError) -> Void = { _ in }
  ) {
    self.transport = transport
    self.profiles = profiles
    self.journal = journal
    self.clock = clock
    self.makeBoundary = makeBoundary
    self.chance = chance
    self.observe = observe
    self.report = report
  }

  /// Performs the next step of the run and records it.
  ///
  /// - Returns: what happened; nil when the sequence is complete.
  /// - Throws: `UploadError`. When an answer came that is not what was expected, it is in the records all the same.
  public func step(_ run: inout SequenceRun<some OperationRequestSequence>) async throws(UploadError) -> StepRecord? {
    do {
      return try await perform(&run)
    } catch {
      report(error)
      throw error
    }
  }

  /// Performs all that is left of the run.
  public func run(_ run: inout SequenceRun<some OperationRequestSequence>) async throws(UploadError) {
    while try await step(&run) != nil {}
  }

  /// What sending the description would mean now; nothing is sent.
  public func prepare(
    _ description: RequestDescription, profiles: SessionProfiles? = nil
  ) throws(UploadError) -> PreparedRequest {
    try PreparedRequest(
      description, profiles: profiles ?? self.profiles, boundary: makeBoundary(), origin: transport.origin)
  }

  private func perform(
    _ run: inout SequenceRun<some OperationRequestSequence>
  ) async throws(UploadError) -> StepRecord? {
    let next: SequenceStep?
    do {
      next = try run.sequence.nextStep(previous: run.lastExchange)
    } catch {
      throw UploadError(.sequence(error))
    }
    switch next {
    case nil:
      return nil
    case .skipped(let label, let reason):
      let record = StepRecord.skipped(label: label, reason: reason)
      journal?.skip(run.nextPath, label: label, reason: reason)
      run.append(record)
      return record
    case .request(let description):
      let answered = try await exchange(for: description, in: run)
      let exchange = answered.exchange
      let unmet = answered.isAccepted ? [] : run.sequence.unmetExpectations(of: exchange)
      if let step = answered.unfinished {
        let secrets = run.sequence.secrets(broughtBy: exchange)
        journal?.finish(step, .answered(exchange, secrets: secrets, unmet: unmet))
      }
      run.append(.exchange(exchange))
      guard unmet.isEmpty else { throw UploadError(.expectations(unmet, exchange), in: description.head) }
      return .exchange(exchange)
    }
  }

  /// 128 random bits, so that no content has it.
  public static func randomBoundary() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<2).map { _ in
      let hex = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - hex.count) + hex
    }
    return "workbench-" + digits.joined()
  }
}
