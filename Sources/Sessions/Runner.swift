/// Runs what is to be run: a script, a few requests, a recorded run again, what waits in the queue. It has what each of
/// these needs; what is only one's own is said when it begins.
package struct Runner: Sendable {
  let world: World
  /// Of whoever shows something of these runs.
  let secrets: KnownSecrets
  /// Told what happens.
  let report: @Sendable (RunEvent) -> Void

  package init(world: World, secrets: KnownSecrets, report: @escaping @Sendable (RunEvent) -> Void) {
    self.world = world
    self.secrets = secrets
    self.report = report
  }
}
