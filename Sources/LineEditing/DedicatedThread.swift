internal import POSIX

/// Runs `work`, which may block as long as a person thinks, on a thread of its own.
func onDedicatedThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    let run: @Sendable () -> Void = { continuation.resume(returning: work()) }
    // If no thread can be created, the caller's has to do.
    if !SystemThread.detach(run) { run() }
  }
}
