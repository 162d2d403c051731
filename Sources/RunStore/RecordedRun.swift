public import JSONValue
internal import Requests

/// What a run is made from, as far as its owner needs it to make it again.
public struct RunSetup: Hashable, Sendable {
  /// Whose it is: `script`, or an app's own word.
  public var kind: String
  /// How people know it: the script's name, perhaps with the sequence.
  public var name: String
  /// What its owner wrote down: parameters, directories. No secret may stand in it that is not given to `begin`.
  public var parameters: JSON
  /// The texts it is made from, by name.
  public var texts: [RunText]

  public init(kind: String, name: String, parameters: JSON = .null, texts: [RunText] = []) {
    self.kind = kind
    self.name = name
    self.parameters = parameters
    self.texts = texts
  }
}

/// A text that a run is made from.
public struct RunText: Hashable, Sendable {
  public var name: String
  public var text: String

  public init(name: String, text: String) {
    self.name = name
    self.text = text
  }
}

/// A run that was recorded.
public struct RecordedRun: Hashable, Sendable {
  /// How it stands.
  public enum State: Int, Hashable, Sendable, CaseIterable {
    /// It began, and nobody said that it ended: its owner is at it, or died.
    case open = 0
    /// All its steps are done.
    case done = 1
    /// A step failed.
    case failed = 2
    /// Somebody gave it up.
    case abandoned = 3
  }

  let row: Int64
  public let id: String
  public let kind: String
  public let name: String
  public let state: State
  /// Whether a process is at it now.
  public let isAlive: Bool
  /// Since 1970.
  public let created: Duration
  /// Since 1970.
  public let updated: Duration
  /// How many requests were answered.
  public let stepCount: Int
  /// Why it ended, if it did not end well.
  public let failure: String?

  /// Whether something of it is left to do, and nobody is at it.
  public var isResumable: Bool {
    switch state {
    case .open: !isAlive
    case .failed: true
    case .done, .abandoned: false
    }
  }
}
