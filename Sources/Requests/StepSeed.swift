internal import Synchronization

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

  /// This time, with a seed of its own.
  public init(time: Duration) {
    self.init(time: time, seed: Self.newSeed())
  }

  /// A seed that never repeats. They count up from a random one, because only a hash of a seed is used: the system is
  /// asked for randomness once, and not at every step.
  public static func newSeed() -> UInt128 {
    firstSeed &+ UInt128(seedCount.add(1, ordering: .relaxed).newValue)
  }

  private static let firstSeed = UInt128.random(in: .min ... .max)
  private static let seedCount = Atomic<UInt>(0)
}
