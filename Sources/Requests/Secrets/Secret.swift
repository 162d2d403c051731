/// A text that cannot print itself and knows the origins it may be sent to.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Sets of secrets are made with each request, so one is passed on as a single reference.
  private let parts: CopyOnWrite<Parts>

  private struct Parts: Hashable, Sendable {
    let name: String
    let origins: [OriginPattern]
    let text: String
    let bytes: [UInt8]?
    let kind: Kind
    let forms = KnownForms()
  }

  private enum Kind: Hashable, Sendable {
    case declared
    /// A text that a secret was put together from.
    case part
    /// A text that is only hidden: nobody said where it may go.
    case hidden(isForgotten: Bool)
    /// A text made from others, or given to a step itself, which is remembered like a declared one. The place is nil
    /// until the run knows of it.
    case made(place: String?, given: Given? = nil)
  }

  private struct Given: Hashable {
    /// What sentences call the step; nil: it has no name yet.
    let step: String?
    /// Whether the server did not take it.
    var isRefused = false
  }

  /// A text that may be sent to these origins only.
  public init(_ text: String, name: String, for origins: [OriginPattern]) {
    self.init(text, bytes: nil, name: name, for: origins, .declared)
  }

  private init(_ text: String, bytes: [UInt8]?, name: String, for origins: [OriginPattern], _ kind: Kind) {
    parts = CopyOnWrite(Parts(name: name, origins: origins, text: text, bytes: bytes, kind: kind))
  }

  /// A text that nobody declared a secret, though its name says that it is one: hidden wherever it is shown or stored,
  /// and sent wherever it is written.
  ///
  /// - Parameter isForgotten: whether there may be so many that only the latest need to be remembered.
  package init(hidden text: String, name: String, isForgotten: Bool = false) {
    self.init(text, bytes: nil, name: name, for: [], .hidden(isForgotten: isForgotten))
  }

  /// Whether it may go anywhere.
  package var isOnlyHidden: Bool {
    switch kind {
    case .hidden: true
    case .made(_, let given): given?.isRefused ?? false
    case .declared, .part: false
    }
  }

  /// Its display name: `API_TOKEN`.
  public var name: String { parts.name }
  /// Where it may be sent.
  public var origins: [OriginPattern] { parts.origins }
  /// Its value if that is not text; the text is then its hex digits.
  package var bytes: [UInt8]? { parts.bytes }
  /// The forms in which it is looked for, made when they are first asked for.
  var forms: SecretForms.All { parts.forms.value { SecretForms.All(of: self) } }
  private var text: String { parts.text }
  private var kind: Kind { parts.kind }

  /// Secrets of fewer bytes are not sent: hiding them would shred every text.
  public static let fewestBytes = 4

  /// One of fewer bytes may be in texts that have nothing to do with it.
  package static let fewestBytesOfLong = 8

  /// Whether it is so short that hiding it will hide other things too: code that shows texts warns.
  public var isShort: Bool { text.utf8.count < Self.fewestBytesOfLong }

  /// Whether it is so short, and of letters only, that it is not looked for as part of a longer word.
  package var isShortWord: Bool { ShortWord.isOne(text.utf8) }

  /// Whether it has fewer bytes than a secret needs.
  public var isTooShort: Bool { text.utf8.count < Self.fewestBytes }

  /// Whether this secret may be sent to the origin. What a step was given itself goes to a server of this machine by each of
  /// its names, `localhost` and `127.0.0.1`; a profile says by which.
  public func isAllowed(at origin: Origin) -> Bool {
    if isOnlyHidden || origins.contains(where: { $0.matches(origin) }) { return true }
    return isGivenToStep && origins.contains { $0.isSameServer(as: origin) }
  }

  // MARK: What secrets are made from

  /// A text that was read from outside, and that the secret of this name was put together from.
  ///
  /// - Parameter number: distinguishes it from the others, from 1.
  package init(part text: String, _ number: Int, of name: String, for origins: [OriginPattern]) {
    self.init(
      text, bytes: nil, name: "a part of \(name)" + (number > 1 ? " (\(number))" : ""), for: origins, .part)
  }

  /// Whether it is a secret only because another was put together from it.
  package var isPart: Bool { kind == .part }

  /// Shorter texts are parts of secrets without being secret themselves: an identifier such as `7`.
  package static let fewestBytesOfPart = 8

  // MARK: What is made from secrets

  /// A text that was made from secrets and has none of the forms in which they are searched for: a digest, a piece. It
  /// may be sent where all of them may.
  ///
  /// - Parameter bytes: its value if that is not text; the text is then its hex digits.
  package init(_ text: String, bytes: [UInt8]? = nil, madeOf sources: some Collection<Secret>) {
    let names = Set(sources.map(\.baseName)).sorted()
    // The same text may be the secret of several profiles.
    let allowed = Dictionary(grouping: sources, by: \.text).values.map { $0.flatMap(\.origins) }
    var origins = allowed.first ?? []
    for other in allowed.dropFirst() {
      origins =
        origins.filter { mine in other.contains { $0.covers(mine) } }
        + other.filter { theirs in origins.contains { $0.covers(theirs) && $0 != theirs } }
    }
    self.init(text, bytes: bytes, name: names.joined(separator: ", ") + Self.suffix, for: origins, .made(place: nil))
  }

  /// A text that a step was given as its own credential.
  ///
  /// - Parameter step: what sentences call the step: `step "login"`, `$3`; nil: it has no name yet.
  package init(givenToStep text: String, named step: String? = nil, for origins: [OriginPattern]) {
    self.init(
      text, bytes: nil, name: Self.nameOfGiven + Self.suffix, for: origins,
      .made(place: nil, given: Given(step: step)))
  }

  /// No name in a script has a space in it.
  private static let nameOfGiven = "auth of a step"

  /// Ends the name of something that is not a secret itself but was made from one, as by a pipe.
  private static let suffix = " | …"

  private var baseName: String { isMade ? String(name.dropLast(Self.suffix.count)) : name }

  /// Whether this text was made from other secrets.
  public var isMade: Bool {
    switch kind {
    case .declared, .part, .hidden: false
    case .made: true
    }
  }

  /// Whether it is made from others that are remembered, so that only the latest need to be.
  package var isForgotten: Bool {
    switch kind {
    case .declared, .part: false
    case .hidden(let isForgotten): isForgotten
    case .made(_, let given): given == nil
    }
  }

  /// Whether it was given to a step's own `auth`, and is not declared anywhere.
  package var isGivenToStep: Bool { isMade && baseName == Self.nameOfGiven }

  /// The longest word that somebody may have guessed as a password, in bytes.
  private static let longestGuess = 16

  /// Whether it is a word that somebody may have guessed as a password.
  package var isGuess: Bool { text.utf8.count <= Self.longestGuess && ShortWord.hasOnlyLetters(text.utf8) }

  /// A word that was given to a step, after the server refused it, as in `-u admin:wrong`: the key of nothing, and the
  /// word of any text. It is hidden, and may go anywhere. nil: it is no such word, and may be the key of something else.
  package var refused: Secret? {
    guard case .made(let place, var given?) = kind, isGivenToStep, isGuess else { return nil }
    given.isRefused = true
    return Secret(text, bytes: bytes, name: name, for: origins, .made(place: place, given: given))
  }

  /// The same, which may go to that origin, too.
  package func admitted(at origin: Origin) -> Secret {
    Secret(text, bytes: bytes, name: name, for: origins + [OriginPattern(origin)], kind)
  }

  /// What a sentence calls it.
  package var subject: String {
    guard isGivenToStep else { return "the secret \"\(givenName)\"" }
    if case .made(_, let given?) = kind, let step = given.step { return "the credential of \(step)" }
    return "the credential of a step"
  }

  /// Whether the run that it belongs to knows of it, as it does of all that are declared.
  package var isKnown: Bool {
    switch kind {
    case .declared, .part, .hidden: true
    case .made(let place, _): place != nil
    }
  }

  /// The same, known to the run as made at that place in it.
  package func known(at place: String) -> Secret {
    switch kind {
    case .made(nil, let given):
      Secret(text, bytes: bytes, name: name, for: origins, .made(place: place, given: given))
    case .declared, .part, .hidden, .made: self
    }
  }

  /// The name of what a server reads in its place, if it is in a form or a query: recorded values have it in their place.
  package static func name(ofDecoded name: String) -> String { "\(name), decoded" }

  /// The name that somebody gave it, or the one that it was decoded from.
  package var givenName: Substring {
    let suffix = Self.name(ofDecoded: "")
    return name.hasSuffix(suffix) ? name.dropLast(suffix.count) : name[...]
  }

  /// Distinguishes it from all others of its run, for code that writes something in its place.
  package var mark: String {
    switch kind {
    case .made(let place?, _): "\(name)#\(place)"
    case .made(nil, _), .declared, .part, .hidden: name
    }
  }

  /// Whether it is in what somebody has typed; a short word, as one of its own.
  package func isWritten(in text: String) -> Bool { !ShortWord.places(of: self.text, in: text).isEmpty }

  /// Whether both have the same text.
  package func hasSameText(as other: Secret) -> Bool { text == other.text }

  /// Whether it reads like one of them.
  package func isOne(of words: Set<String>) -> Bool { words.contains(text) }

  /// The text and the name distinguish secrets well enough.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(text)
    hasher.combine(name)
  }

  /// Passes the text to `body`, to build what is sent or to find it in order to hide it.
  ///
  /// The name makes clear that this is the only way to the text: search for it to see every place.
  public func withExposedText<Result, Failure: Error>(
    _ body: (String) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(text)
  }

  public var description: String { "••••" }
  public var debugDescription: String { "Secret(\(name))" }
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
