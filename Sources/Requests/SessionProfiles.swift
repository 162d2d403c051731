/// The profiles of a session, and the one rule that chooses between them.
public struct SessionProfiles: Hashable, Sendable {
  /// In the order they were declared.
  public private(set) var all: [SessionProfile] {
    didSet { secrets = all.flatMap(\.secrets) }
  }
  /// Every secret in them, in the same order: each request asks for it.
  public private(set) var secrets: [Secret]
  /// The profile used for a bare path.
  public var current: String?
  /// Whether the one in use is taken of several that match equally well: at a prompt, somebody has chosen it and reads
  /// its name.
  package var prefersCurrent = false

  /// - Parameter current: the profile used for a bare path; nil: the only one that has a base.
  public init(_ all: [SessionProfile], current: String? = nil) {
    self.all = all
    secrets = all.flatMap(\.secrets)
    let based = all.filter { $0.base != nil }
    self.current = current ?? (based.count == 1 ? based[0].name : nil)
  }

  /// No profile at all.
  public init() {
    self.init([])
  }

  /// The profile of that name.
  public subscript(name: String) -> SessionProfile? {
    all.first { $0.name == name }
  }

  /// Adds the profile, or replaces the one of that name.
  public mutating func declare(_ profile: SessionProfile) {
    if let index = all.firstIndex(where: { $0.name == profile.name }) {
      all[index] = profile
    } else {
      all.append(profile)
    }
    if current == nil, profile.base != nil { current = profile.name }
  }

  /// The profile for a URL: the one whose origins match, most specific first; anonymous if none does.
  ///
  /// - Throws: `ProfileError.ambiguous` if two match equally well, and none of them is chosen; a guess could send the
  ///   wrong credential.
  public func profile(for origin: Origin) throws(ProfileError) -> SessionProfile {
    try profile(claiming: origin) ?? .anonymous
  }

  /// The same; nil: no profile's origins match.
  package func profile(claiming origin: Origin) throws(ProfileError) -> SessionProfile? {
    var best: (index: Int, specificity: Int)?
    var equals: [String] = []
    for index in all.indices {
      guard let specificity = all[index].specificity(for: origin) else { continue }
      if let best, best.specificity > specificity { continue }
      if let found = best, found.specificity == specificity {
        equals.append(all[index].name)
      } else {
        best = (index, specificity)
        equals = []
      }
    }
    guard let best else { return nil }
    if prefersCurrent, let current, ([all[best.index].name] + equals).contains(current) { return try named(current) }
    guard equals.isEmpty else { throw .ambiguous(origin, [all[best.index].name] + equals) }
    return all[best.index]
  }

  /// The profile of that name.
  public func named(_ name: String) throws(ProfileError) -> SessionProfile {
    guard let profile = self[name] else { throw .unknown(name, known: all.map(\.name)) }
    return profile
  }
}

extension SessionProfiles: ExpressibleByArrayLiteral {
  public init(arrayLiteral profiles: SessionProfile...) {
    self.init(profiles)
  }
}

/// Why no profile can be chosen, or the chosen one cannot be used.
public enum ProfileError: Error, Hashable, Sendable {
  /// No profile has this name.
  case unknown(String, known: [String])
  /// The profile has no base to append a path to.
  case noBase(profile: String)
  /// A bare path, and no profile is in use. With the names of those that could be.
  case noneInUse(path: String, known: [String])
  /// Two profiles match the origin equally well.
  case ambiguous(Origin, [String])
  /// A secret to be sent has so few bytes that it could not be hidden.
  case secretTooShort(Secret)
}
