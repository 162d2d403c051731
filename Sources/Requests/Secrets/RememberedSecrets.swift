/// The secrets known to code that hides them: all that were declared, received or given to a step, and the latest of
/// those made from them. A loop that signs each request makes a new one each time, so this collection must not grow forever.
package struct RememberedSecrets: Sendable {
  package private(set) var all: Set<Secret> = []
  /// Oldest first.
  private var made: [Secret] = []
  private let fewestMade: Int

  /// The minimum number of texts made from secrets that a run looks for in what it reads.
  package static let fewestInRun = 64

  /// - Parameter fewestMade: the minimum number of texts made from secrets that are remembered; code that hides them
  ///   remembers more than the run does, so that what the run still knows is not learned again and again.
  package init(fewestMade: Int = 16 * Self.fewestInRun) {
    self.fewestMade = fewestMade
  }

  /// What the code that looks for the secrets has to do.
  package enum Change: Hashable, Sendable {
    case none
    case added
    /// The oldest were forgotten: the search has to be rebuilt.
    case forgotten
  }

  package mutating func learn(_ secret: Secret) -> Change {
    guard all.insert(secret).inserted else { return .none }
    guard secret.isForgotten else { return .added }
    made.append(secret)
    guard made.count >= 2 * fewestMade else { return .added }
    let forgotten = made.prefix(made.count - fewestMade)
    made.removeFirst(forgotten.count)
    all.subtract(forgotten)
    return .forgotten
  }

  /// - Returns: whether it was there.
  package mutating func replace(_ secret: Secret, with other: Secret) -> Bool {
    guard all.remove(secret) != nil else { return false }
    all.insert(other)
    return true
  }

  /// Forgets those with the text of any of these.
  package mutating func forget(textsOf secrets: some Collection<Secret>) {
    func isOne(_ secret: Secret) -> Bool { secrets.contains { $0.hasSameText(as: secret) } }
    all = all.filter { !isOne($0) }
    made.removeAll(where: isOne)
  }

  /// In the order in which they were learned, with those that were made at the end.
  package var inOrder: [Secret] { all.filter { !$0.isForgotten } + made }
}
