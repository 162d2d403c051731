/// Runs whatever is to be run: a script, a few requests, a recorded run again, what is waiting in the queue. It has
/// what all of them need; anything that only one of them needs is a parameter of its method.
package struct Runner: Sendable {
  let world: World
  /// Those of the code that shows something of these runs.
  let secrets: KnownSecrets
  /// Notified of what happens.
  let report: @Sendable (RunEvent) -> Void

  package init(world: World, secrets: KnownSecrets, report: @escaping @Sendable (RunEvent) -> Void) {
    self.world = world
    self.secrets = secrets
    self.report = report
  }
}
