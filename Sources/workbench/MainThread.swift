internal import POSIX

/// The thread that the program began with, for what a command does between its requests.
///
/// Swift's pool would start four threads for the first of its tasks, which takes longer than a request to this machine.
enum MainThread {
  /// Does the work, and ends the process when it is done.
  static func run(_ work: @escaping @Sendable () async -> Void) -> Never {
    // Whoever started the process may have blocked signals, and it has inherited that.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    let executor = ThreadExecutor()
    Task(executorPreference: executor) {
      await work()
      exit(0)
    }
    executor.run()
  }
}
