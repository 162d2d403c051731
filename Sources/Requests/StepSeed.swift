/// All that time and chance contribute when a sequence is asked what comes next: given the same seed again, it returns
/// the same result again. So code that keeps a run's records keeps its seeds with them.
public struct StepSeed: Hashable, Sendable {
  /// Since 1970.
  public var time: Duration
  /// What every random value of this step is derived from.
  public var seed: UInt128

  public init(time: Duration, seed: UInt128) {
    self.time = time
    self.seed = seed
  }

  /// This time, with a random seed from the system.
  public init(time: Duration) {
    self.init(time: time, seed: UInt128.random(in: .min ... .max))
  }
}
