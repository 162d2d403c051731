/// The secrets that somebody knows who hides them: all that were declared or received, and of what was made of them the
/// latest. A loop that signs each request makes a new one each time, and what knows of them must not grow for ever.
package struct RememberedSecrets: Sendable {
  package private(set) var all: Set<Secret> = []
  /// Oldest first.
  private var made: [Secret] = []
  private let fewestMade: Int

  /// How many texts that were made of secrets a run looks for at least in what it reads.
  package static let fewestInRun = 64

  /// - Parameter fewestMade: how many texts that were made of secrets are remembered at least; whoever hides them
  ///   remembers more than the run does, so that what the run still knows is not learned again and again.
  package init(fewestMade: Int = 16 * Self.fewestInRun) {
    self.fewestMade = fewestMade
  }

  /// What is to be done by whoever looks for the secrets.
  package enum Change: Hashable, Sendable {
    case none
    case added
    /// The oldest were forgotten: what is looked for has to be put together again.
    case forgotten
  }

  package mutating func learn(_ secret: Secret) -> Change {
    guard all.insert(secret).inserted else { return .none }
    guard secret.isMade else { return .added }
    made.append(secret)
    guard made.count >= 2 * fewestMade else { return .added }
    let forgotten = made.prefix(made.count - fewestMade)
    made.removeFirst(forgotten.count)
    all.subtract(forgotten)
    return .forgotten
  }

  /// In the order in which they were learned, those that were made last.
  package var inOrder: [Secret] { all.filter { !$0.isMade } + made }
}
