internal import JSONValue
public import Requests

/// How the children of a group are run.
public enum GroupPace: Hashable, Sendable {
  /// One after another, each request a step, so that each can be examined.
  case oneByOne
  /// In parallel up to the group's limit, the whole group a step.
  case atOnce
}

/// The one type that performs requests.
///
/// A plain run, the prompt and a debugger are callers of `step`, so a sequence sends the same bytes whichever of them
/// runs it. Every error passes through `report`: nothing ends failed and unreported.
public struct Uploader: Sendable {
  /// The profiles of sequences that declare none.
  public var profiles: SessionProfiles
  /// Where each step is recorded before and after it is sent; nil: nowhere.
  public var journal: (any StepJournal)?
  /// The cookies set for profiles that keep cookies.
  public let cookies: CookieStore
  /// The attempts of a request if neither it nor its profile sets them.
  public var retry = RetryRule.standard
  /// Whether bodies are kept whatever their length if the request itself sets no limit: for responses that continue
  /// through a pipe.
  public var keepsWholeBodies = false
  /// Refuses a file to which nothing can be written, before the request is sent whose body belongs there.
  public var checkFile: @Sendable (_ path: String) throws(FileError) -> Void = { _ throws(FileError) in }
  /// Makes the missing directories of a file that is about to be written, between a directory and it.
  public var makeDirectories: @Sendable (_ path: String, _ root: String) throws(FileError) -> Void = {
    path, root throws(FileError) in try MissingDirectories.make(for: path, below: root)
  }
  /// Takes the bodies of responses as they come, and they are not kept, except for what is read by a condition; false
  /// ends the transfer: nobody reads it anymore. nil: bodies are kept. Only for a single request without a file to save
  /// its body to.
  public var passOn: (@Sendable (_ piece: [UInt8]) -> Bool)?
  /// Whether only what comes bit by bit is passed on, and anything else is kept, however long it is.
  public var passesStreamsOnly = false
  /// Notified of what comes bit by bit, on the thread where it comes, which waits for it; nil: nobody looks.
  public var stream: (@Sendable (StreamEvent) -> Void)?
  /// Gets what credentials are made of that is elsewhere; nil: nothing does, and requests that need it fail.
  public var credentials: (any CredentialSource)?
  let transport: any Transport
  let clock: UploadClock
  private let boundaries: Boundaries
  var observe: @Sendable (UploadEvent) -> Void
  let chance: @Sendable () -> Double
  private(set) var budget = RetryBudget()
  /// That of the run that this performs; nil: nothing else watches its task.
  private(set) var cancellation: RunCancellation?
  let digests = DigestSessions()
  let late = LateSecrets()
  let cache = PreparationCache()
  private let writeFile: @Sendable (_ path: String, _ body: ResponseBody) throws(FileError) -> Void
  private let makeSeed: @Sendable () -> UInt128
  private let report: @Sendable (UploadError) -> Void

  /// - Parameters:
  ///   - journal: where each step is recorded before and after it is sent; nil: nowhere.
  ///   - makeBoundary: a new multipart boundary, which no content may contain: long and random.
  ///   - chance: from 0 to 1, for how long to wait before a retry.
  ///   - writeFile: writes the body of a response to the file that a request names.
  ///   - makeSeed: what the random values of a step are made from.
  ///   - observe: notified of what happens, on the thread where it happens.
  ///   - report: notified of every error once, before `step` throws it.
  public init(
    transport: any Transport, profiles: SessionProfiles = SessionProfiles(), journal: (any StepJournal)? = nil,
    clock: UploadClock = .system, cookies: CookieStore = CookieStore(),
    makeBoundary: @escaping @Sendable () -> String = Uploader.randomBoundary,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    makeSeed: @escaping @Sendable () -> UInt128 = StepSeed.newSeed,
    writeFile: @escaping @Sendable (String, ResponseBody) throws(FileError) -> Void = { path, body throws(FileError) in
      try body.write(to: path)
    },
    observe: @escaping @Sendable (UploadEvent) -> Void = { _ in },
    report: @escaping @Sendable (UploadError) -> Void = { _ in }
  ) {
    self.transport = transport
    self.profiles = profiles
    self.journal = journal
    self.clock = clock
    self.cookies = cookies
    boundaries = Boundaries(makeBoundary)
    self.chance = chance
    self.makeSeed = makeSeed
    self.writeFile = writeFile
    self.observe = observe
    self.report = report
  }

  /// From now on, retries cost what both have together: an origin that is down gets no more of them because many runs
  /// send to it.
  public mutating func share(budgetOf other: Uploader) { budget = other.budget }

  /// Performs the next step of the run and records it: one request, in groups too, whose children run one after
  /// another.
  ///
  /// A step that failed is recorded as failed, and the run continues with what has to be done in any case: after an
  /// error call it again, until it returns nil.
  ///
  /// - Parameter groups: whether children of a group may run in parallel. Then the group is one step.
  /// - Returns: what happened; nil when the sequence is complete.
  /// - Throws: `UploadError`, which was reported. A response that is not what was expected is in the records
  ///   nevertheless.
  public func step(
    _ run: inout SequenceRun<some OperationRequestSequence>, groups: GroupPace = .oneByOne
  ) async throws(UploadError) -> StepRecord? {
    try await withTaskExecutorPreference(transport.executor) { () async throws(UploadError) in
      try await apart(&run, groups)
    }
  }

  /// Performs steps until one fails or none is left, children of groups in parallel up to their limits.
  ///
  /// After an error call it again, for what has to be done in any case.
  ///
  /// - Throws: the error of the step that failed; it was reported.
  public func advance(_ run: inout SequenceRun<some OperationRequestSequence>) async throws(UploadError) {
    try await withTaskExecutorPreference(transport.executor) { () async throws(UploadError) in
      while try await apart(&run, .atOnce) != nil {}
    }
  }

  /// Performs all that is left of the run, children of groups in parallel up to their limits.
  ///
  /// - Throws: the first error, when everything that has to be done after it is done; if the task is cancelled,
  ///   immediately. Every error was reported.
  public func run(_ run: inout SequenceRun<some OperationRequestSequence>) async throws(UploadError) {
    let errors = await withTaskExecutorPreference(transport.executor) { await finish(&run) }
    if let error = errors.first { throw error }
  }

  /// Leaves the caller's actor.
  @concurrent
  private func apart(
    _ run: inout SequenceRun<some OperationRequestSequence>, _ groups: GroupPace
  ) async throws(UploadError) -> StepRecord? {
    do {
      return try await perform(&run, groups)
    } catch {
      throw reported(error)
    }
  }

  /// The error, which was reported, unless it consists of others that were.
  fileprivate func reported(_ error: UploadError) -> UploadError {
    if case .group = error.fact {} else { report(error) }
    return error
  }

  /// - Returns: every error. A refusal by the journal ends the run immediately: nothing is to be undone.
  @concurrent
  private func finish(_ run: inout SequenceRun<some OperationRequestSequence>) async -> [UploadError] {
    let cancellation = RunCancellation()
    var uploader = self
    uploader.cancellation = cancellation
    return await withTaskCancellationHandler { [uploader] in
      await run.finish(by: uploader)
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// What sending the description on its own would mean now; nothing is sent.
  public func prepare(_ description: RequestDescription) throws(UploadError) -> PreparedRequest {
    try prepare(description, profiles: profiles, secrets: late.all)
  }

  /// What sending the description as a step of the sequence would mean now; nothing is sent.
  ///
  /// - Parameter hasCookies: whether it has the cookies that are kept by now; a journal is told of it without.
  public func prepare(
    _ description: RequestDescription, of sequence: some OperationRequestSequence, hasCookies: Bool = true
  ) throws(UploadError) -> PreparedRequest {
    try prepare(
      description, profiles: sequence.profiles ?? profiles, secrets: known(to: sequence), hasCookies: hasCookies)
  }

  private func prepare(
    _ description: RequestDescription, profiles: SessionProfiles, secrets: Set<Secret>, hasCookies: Bool = true
  ) throws(UploadError) -> PreparedRequest {
    var prepared = try PreparedRequest(
      description, profiles: profiles, secrets: secrets, boundary: boundary(for: description, isSent: false),
      now: clock.now(), origin: transport.origin)
    if hasCookies { cookies.attach(to: &prepared, now: clock.now()) }
    return prepared
  }

  // Inlined, as is what it calls for each request: every frame of an asynchronous function costs.
  @inline(__always) fileprivate func perform<Sequence>(
    _ run: inout SequenceRun<Sequence>, _ groups: GroupPace
  ) async throws(UploadError) -> StepRecord? {
    let next: PendingStep?
    var position: StepPosition?
    var entered: [StepPosition] = []
    do {
      next = try run.proceed(
        at: { asked in
          position = asked
          if asked.indices.count > 2, asked.indices.suffix(2) == [0, 0] { entered.append(asked) }
          return moment(at: asked)
        }, entersGroups: groups == .oneByOne)
    } catch {
      learn(run.innermostSequence.secrets)
      observe(.step(.failed(label: nil, nil), at: position ?? run.position))
      // An interruption during evaluation is an interruption.
      throw UploadError(Task.isCancelled ? .cancelled : .sequence(error))
    }
    let sequence = run.innermostSequence
    learn(sequence.secrets)
    if !entered.isEmpty { tell(entered, of: run.openGroups) }
    switch consume next {
    case nil:
      return nil
    case .group:
      let position = position ?? run.position
      run.withGroup { group, _ in
        if group.group.kind == .loop { journal?.enter(loop: position) }
        observe(.group(children: group.group.count, at: position))
      }
      let (histories, errors) = await performGroup(of: &run)
      if !errors.isEmpty { throw UploadError(.group(errors)) }
      return .group(histories)
    case .skipped(let label, let reason):
      let position = run.position
      journal?.skip(position, label: label, reason: reason)
      return record(.skipped(label: label, reason: reason), at: position, in: &run)
    case .request(let description):
      let position = position ?? run.position
      let outcome = await outcome(of: description, at: position, of: sequence)
      record(outcome.record, at: position, in: &run)
      if let exchange = outcome.ended { try save(exchange) }
      if let error = outcome.error { throw error }
      return outcome.record
    }
  }

  /// Reports groups whose children run one after another.
  ///
  /// - Parameter steps: the first of each.
  private func tell(_ steps: [StepPosition], of groups: [GroupRun<some OperationRequestSequence>]) {
    for step in steps {
      let depth = step.indices.count / 2
      guard depth <= groups.count else { continue }
      observe(.group(children: groups[depth - 1].group.count, at: StepPosition(Array(step.indices.dropLast(2)))))
    }
  }

  /// What became of one request, for its run to record.
  private struct StepOutcome {
    var record: StepRecord
    /// What came of a stream that somebody ended.
    var ended: Exchange?
    var error: UploadError?
  }

  /// It is not given the run: to hand on a value of a generic type, its type is looked up each time.
  @inline(__always) private func outcome(
    of description: RequestDescription, at position: StepPosition, of sequence: some OperationRequestSequence
  ) async -> StepOutcome {
    let label = description.head.label
    let result: StepExchange
    let watch = watch(description, of: sequence, at: position)
    do {
      try check(description)
      result = try await self.exchange(for: description, of: sequence, at: position, watch: watch)
    } catch {
      // What came of a stream is kept.
      let kept = watch.kept
      return StepOutcome(
        record: .failed(label: label, kept), ended: kept.flatMap { $0.isEndedStream ? $0 : nil }, error: error)
    }
    let exchange = result.exchange
    let unmet = result.isAccepted ? [] : sequence.unmetExpectations(of: exchange)
    if let step = result.unfinished {
      await journal?.finish(step, .received(exchange, secrets: sequence.secrets(in: exchange), unmet: unmet))
    }
    guard unmet.isEmpty else {
      // What could not be looked into because of an interruption was not unmet.
      let fact: UploadError.Fact = Task.isCancelled ? .cancelled : .expectations(unmet, exchange)
      return StepOutcome(
        record: .failed(label: label, exchange), error: UploadError(fact, in: description.head))
    }
    if sequence.isRepeated(after: exchange) { return StepOutcome(record: .round(exchange)) }
    do {
      try save(exchange)
    } catch {
      return StepOutcome(record: .failed(label: label, exchange), error: error)
    }
    return StepOutcome(record: .exchange(exchange))
  }

  /// Writes the body to the file that the step names, if it names one.
  private func save(_ exchange: Exchange) throws(UploadError) {
    let head = exchange.description.head
    guard let path = head.savesBodyTo else { return }
    do throws(FileError) {
      if let root = head.savesBelow { try makeDirectories(path, root) }
      try writeFile(path, exchange.response.body)
    } catch {
      throw UploadError(.unsaved(error, exchange), in: head)
    }
  }

  private func check(_ description: RequestDescription) throws(UploadError) {
    guard let path = description.head.savesBodyTo else { return }
    do throws(FileError) {
      try checkFile(path)
    } catch {
      throw UploadError(
        .transport(TransportError(.file(error), requestWasSent: false), origin: nil), in: description.head)
    }
  }

  /// Drives the runs of a group, as many in parallel as it allows. After a failure none begins, unless it continues
  /// after failures; when the task is cancelled they stay where they are.
  private func performGroup<Sequence>(
    of run: inout SequenceRun<Sequence>
  ) async -> (histories: [RunHistory], errors: [UploadError]) {
    var errors: [(child: Int, errors: [UploadError])] = []
    var waiting: ArraySlice<Int> = []
    var limit = 1
    var hasFailed = false
    run.withGroup { group, _ in (waiting, limit, hasFailed) = (group.unfinished[...], group.group.limit, group.isFailed)
    }
    await withTaskGroup(of: (Int, SequenceRun<Sequence>, [UploadError]).self) { tasks in
      var active = 0
      while true {
        while active < limit, !Task.isCancelled, let index = waiting.popFirst() {
          var begun: SequenceRun<Sequence>?
          run.withGroup { group, _ in
            if !hasFailed || group.mayRunAfterFailure(index) { begun = group.take(index) }
          }
          guard let child = begun else { continue }
          tasks.addTask {
            var child = child
            let errors = await finish(&child)
            return (index, child, errors)
          }
          active += 1
        }
        guard let (index, child, failures) = await tasks.next() else { return }
        active -= 1
        hasFailed = hasFailed || child.isFailed
        run.withGroup { group, sequence in
          group.put(child, at: index)
          group.forget(index, in: &sequence)
        }
        if !failures.isEmpty { errors.append((index, failures)) }
      }
    }
    var histories: [RunHistory] = []
    run.withGroup { group, _ in histories = group.histories }
    return (histories, errors.sorted { $0.child < $1.child }.flatMap(\.errors))
  }

  private func moment(at position: StepPosition) -> StepSeed {
    let moment =
      if let journal {
        journal.moment(at: position) { StepSeed(time: clock.now(), seed: makeSeed()) }
      } else {
        StepSeed(time: clock.now(), seed: makeSeed())
      }
    observe(.asked(position, moment))
    return moment
  }

  /// - Parameter isSent: whether it is sent now, and not only looked at.
  func boundary(for description: RequestDescription, isSent: Bool) -> String {
    description.isMultipart ? boundaries.next(isSent: isSent) : ""
  }

  /// Secrets that a run knows before a step are also known to its journal and its observers.
  private func learn(_ secrets: Set<Secret>) {
    if !secrets.isEmpty { journal?.learn(secrets) }
    tell(secrets)
  }

  func tell(_ secrets: Set<Secret>) {
    if !secrets.isEmpty { observe(.secrets(secrets)) }
  }

  @discardableResult @inline(__always)
  private func record(
    _ record: StepRecord, at position: StepPosition, in run: inout SequenceRun<some OperationRequestSequence>
  ) -> StepRecord {
    run.record(record)
    observe(.step(record, at: position))
    return record
  }

  /// 128 random bits, so that no content contains it.
  public static func randomBoundary() -> String {
    var generator = SystemRandomNumberGenerator()
    return "workbench-\(generator.next().hex(16))\(generator.next().hex(16))"
  }
}

extension SequenceRun {
  /// Performs all that is left, as far as it can be.
  //
  // A method of the run knows its type, which the uploader would have to look up for each step.
  fileprivate mutating func finish(by uploader: Uploader) async -> [UploadError] {
    var errors: [UploadError] = []
    while true {
      do {
        guard try await uploader.perform(&self, .atOnce) != nil else { return errors }
      } catch {
        let error = uploader.reported(error)
        if case .group(let inner) = error.fact { errors += inner } else { errors.append(error) }
        if error.isFromJournal { return errors }
        // What has to be done in any case cannot be done here: the run's owner continues with it.
        if Task.isCancelled { return errors }
      }
    }
  }
}
