/// A thread of the operating system, for work that blocks.
package struct SystemThread: ~Copyable {
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private let thread: pthread_t

  /// Starts it.
  ///
  /// - Returns: nil if the system refuses: nothing is done then.
  package init?(_ run: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(run: run))
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { work in
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
      return nil
    }
    #if canImport(Glibc)
      var thread = pthread_t()
      let failure = pthread_create(&thread, nil, run, work.toOpaque())
    #else
      var thread: pthread_t?
      let failure = pthread_create(&thread, nil, { run($0) }, work.toOpaque())
    #endif
    guard failure == 0 else {
      work.release()
      return nil
    }
    #if canImport(Glibc)
      self.thread = thread
    #else
      guard let thread else { return nil }
      self.thread = thread
    #endif
  }

  /// Runs the work on a thread that nobody waits for.
  ///
  /// - Returns: whether it could be started; if not, nothing is done.
  package static func detach(_ run: @escaping @Sendable () -> Void) -> Bool {
    guard let started = SystemThread(run) else { return false }
    started.detach()
    return true
  }

  /// Waits until the work is done.
  package consuming func join() { pthread_join(thread, nil) }

  private consuming func detach() { pthread_detach(thread) }
}
