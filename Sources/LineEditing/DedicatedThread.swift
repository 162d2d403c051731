internal import POSIX

/// Runs `work`, which may block as long as a person thinks, on a thread of its own.
func onDedicatedThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    startThread { continuation.resume(returning: work()) }
  }
}

private final class Work: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

private func startThread(_ run: @escaping @Sendable () -> Void) {
  let work = Unmanaged.passRetained(Work(run: run))
  #if canImport(Glibc)
    var thread = pthread_t()
    let failure = pthread_create(&thread, nil, runWork, work.toOpaque())
    if failure == 0 { pthread_detach(thread) }
  #else
    var thread: pthread_t?
    let failure = pthread_create(&thread, nil, { runWork($0) }, work.toOpaque())
    if failure == 0, let thread { pthread_detach(thread) }
  #endif
  // If no thread can be created, the caller's has to do.
  if failure != 0 { work.takeRetainedValue().run() }
}

private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
  return nil
}
