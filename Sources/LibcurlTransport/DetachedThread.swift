internal import POSIX

/// A thread that nobody waits for: it ends when its work does.
enum DetachedThread {
  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// - Returns: whether it could be started; if not, nothing is done.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(run: run))
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    if failure == 0 { pthread_detach(thread) } else { work.release() }
    return failure == 0
  }
}
