public import Requests
internal import Synchronization

extension Uploader {
  /// Performs a sequence, and reports what happens while it does.
  ///
  ///     for try await event in uploader.events(of: SnapshotUpload(sheet: "A-101", image: image)) {
  ///       if case .progress(_, let progress, _) = event { show(progress) }
  ///     }
  ///
  /// The run begins with the loop, and is cancelled when the loop is left or its task is cancelled. A slow reader sees
  /// the latest progress of each step, and every other event. What `run` throws, the loop throws after the last event.
  public func events(of sequence: some OperationRequestSequence) -> UploadEvents {
    UploadEvents { buffer in
      var uploader = self
      uploader.observe = { [observe] event in
        observe(event)
        buffer.append(event)
      }
      var run = SequenceRun(sequence)
      do throws(UploadError) {
        try await uploader.run(&run)
        buffer.finish(.success(()))
      } catch {
        buffer.finish(.failure(error))
      }
    }
  }
}

/// The events of a run, in the order they happen. Each iteration is a run of its own.
public struct UploadEvents: AsyncSequence, Sendable {
  fileprivate let run: @Sendable (EventBuffer) async -> Void

  public func makeAsyncIterator() -> AsyncIterator {
    let buffer = EventBuffer()
    return AsyncIterator(buffer: buffer, task: RunningTask(Task { [run] in await run(buffer) }))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let buffer: EventBuffer
    fileprivate let task: RunningTask

    public mutating func next() async throws(UploadError) -> UploadEvent? {
      try await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(UploadError) -> UploadEvent? {
      let next = await withTaskCancellationHandler {
        await buffer.next(isolation: actor)
      } onCancel: { [task] in
        task.cancel()
      }
      return try next.get()
    }
  }
}

/// A task that is cancelled when its owner is released.
private final class RunningTask: Sendable {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) {
    self.task = task
  }

  deinit {
    task.cancel()
  }

  func cancel() {
    task.cancel()
  }
}

/// Holds events until they are read. Progress that nobody has read yet is replaced by newer progress, so the buffer
/// does not grow with the size of a transfer.
private final class EventBuffer: Sendable {
  typealias Next = Result<UploadEvent?, UploadError>

  private struct State {
    var events: [UploadEvent] = []
    var end: Result<Void, UploadError>?
    var reader: CheckedContinuation<Next, Never>?

    /// The next thing to read, if there is one.
    mutating func next() -> Next? {
      if !events.isEmpty { return .success(events.removeFirst()) }
      return end.map { $0.map { nil } }
    }

    mutating func append(_ event: UploadEvent) {
      if case .progress(_, _, let position) = event {
        for index in events.indices.reversed() {
          guard case .progress(_, _, let other) = events[index] else { break }
          if other == position {
            events[index] = event
            return
          }
        }
      }
      events.append(event)
    }

    /// The waiting reader, with what it has waited for.
    mutating func wake() -> (CheckedContinuation<Next, Never>, Next)? {
      guard let waiting = reader, let next = next() else { return nil }
      reader = nil
      return (waiting, next)
    }
  }

  private let state = Mutex(State())

  func append(_ event: UploadEvent) {
    change { $0.append(event) }
  }

  func finish(_ end: Result<Void, UploadError>) {
    change { $0.end = end }
  }

  func next(isolation actor: isolated (any Actor)?) async -> Next {
    await withCheckedContinuation(isolation: actor) { continuation in
      change { $0.reader = continuation }
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let wake = state.withLock { state in
      body(&state)
      return state.wake()
    }
    if let (reader, next) = wake { reader.resume(returning: next) }
  }
}
