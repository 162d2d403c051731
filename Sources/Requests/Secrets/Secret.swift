/// A text that can not print itself and remembers the origins it may go to.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How people call it: `API_TOKEN`.
  public let name: String
  /// Where it may be sent.
  public let origins: [OriginPattern]
  private let text: String

  /// A text that goes to these origins only.
  public init(_ text: String, name: String, for origins: [OriginPattern]) {
    self.text = text
    self.name = name
    self.origins = origins
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
