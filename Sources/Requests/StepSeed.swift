/// All that time and chance contribute when a sequence is asked what comes next: given these again, it gives the same
/// answer again. So whoever keeps a run's records keeps these with them.
public struct StepSeed: Hashable, Sendable {
  /// Since 1970.
  public var time: Duration
  /// Where every random value of this moment is derived from.
  public var seed: UInt128

  public init(time: Duration, seed: UInt128) {
    self.time = time
    self.seed = seed
  }

  /// This time, and chance from the system.
  public init(time: Duration) {
    self.init(time: time, seed: UInt128.random(in: .min ... .max))
  }
}
