/// A text that can not print itself and remembers the origins it may go to.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How people call it: `API_TOKEN`.
  public let name: String
  /// Where it may be sent.
  public let origins: [OriginPattern]
  private let text: String
  /// What it is where that is not a text; the text is its hex digits then.
  package let bytes: [UInt8]?
  private let kind: Kind

  private enum Kind: Hashable, Sendable {
    case declared
    /// A text that was made of others. The place is nil until the run knows of it.
    case made(place: String?)
  }

  /// A text that goes to these origins only.
  public init(_ text: String, name: String, for origins: [OriginPattern]) {
    self.text = text
    self.name = name
    self.origins = origins
    bytes = nil
    kind = .declared
  }

  private init(_ text: String, bytes: [UInt8]?, name: String, for origins: [OriginPattern], _ kind: Kind) {
    self.text = text
    self.bytes = bytes
    self.name = name
    self.origins = origins
    self.kind = kind
  }

  /// Secrets of fewer bytes are not sent: hiding them would shred every text.
  public static let fewestBytes = 4

  /// Whether it is so short that hiding it will hide other things, too: whoever shows texts warns.
  public var isShort: Bool { text.utf8.count < 8 }

  /// Whether it has fewer bytes than a secret must have.
  public var isTooShort: Bool { text.utf8.count < Self.fewestBytes }

  /// Whether this secret may be sent to the origin.
  public func isAllowed(at origin: Origin) -> Bool {
    origins.contains { $0.matches(origin) }
  }

  // MARK: What is made of secrets

  /// A text that was made of secrets and has none of the forms in which they are searched for: a digest, a piece. It may
  /// go where all of them may.
  ///
  /// - Parameter bytes: what it is where that is not a text; the text is its hex digits then.
  package init(_ text: String, bytes: [UInt8]? = nil, madeOf sources: some Collection<Secret>) {
    let names = Set(sources.map(\.baseName)).sorted()
    var origins = sources.first?.origins ?? []
    for other in sources.dropFirst() {
      origins =
        origins.filter { mine in other.origins.contains { $0.covers(mine) } }
        + other.origins.filter { theirs in origins.contains { $0.covers(theirs) && $0 != theirs } }
    }
    self.init(text, bytes: bytes, name: names.joined(separator: ", ") + Self.suffix, for: origins, .made(place: nil))
  }

  /// What a name ends with that is not of a secret itself, but of what was made of it, as a pipe would.
  private static let suffix = " | …"

  private var baseName: String { isMade ? String(name.dropLast(Self.suffix.count)) : name }

  /// Whether this text was made of other secrets.
  public var isMade: Bool {
    switch kind {
    case .declared: false
    case .made: true
    }
  }

  /// Whether the run that it belongs to knows of it, as of all that are declared.
  package var isKnown: Bool { kind != .made(place: nil) }

  /// The same, known to the run as what was made at that place of it.
  package func known(at place: String) -> Secret {
    isKnown ? self : Secret(text, bytes: bytes, name: name, for: origins, .made(place: place))
  }

  /// What tells it from all others of its run, for those who write something in its place.
  package var mark: String {
    switch kind {
    case .made(let place?): "\(name)#\(place)"
    case .made(nil), .declared: name
    }
  }

  /// Whether both are the same text.
  package func hasSameText(as other: Secret) -> Bool { text == other.text }

  /// The text and the name tell one from others well enough.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(name)
  }

  /// Hands the text to `body`, for building what is sent or for finding it to hide it.
  ///
  /// The name says that this is the one way to the text: search for it to see every place.
  public func withExposedText<Result, Failure: Error>(
    _ body: (String) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(text)
  }

  public var description: String { "••••" }
  public var debugDescription: String { "Secret(\(name))" }
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
