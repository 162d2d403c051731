public import JSONValue
internal import Requests

/// What a run is made from, as far as its owner needs it to rebuild the run.
public struct RunSetup: Hashable, Sendable {
  /// Its owner: `script`, or an app's own word.
  public var kind: String
  /// Its display name: the script's name, perhaps with the sequence.
  public var name: String
  /// What its owner stored: parameters, directories. It must not contain a secret that is not passed to `begin`.
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
  /// Its state.
  public enum State: Int, Hashable, Sendable, CaseIterable {
    /// It began, and has not been ended: its owner is working on it, or died.
    case open = 0
    /// All its steps are done.
    case done = 1
    /// A step failed.
    case failed = 2
    /// Somebody abandoned it.
    case abandoned = 3
  }

  let row: Int64
  public let id: String
  public let kind: String
  public let name: String
  public let state: State
  /// Whether a process is working on it now.
  public let isAlive: Bool
  /// Since 1970.
  public let created: Duration
  /// Since 1970.
  public let updated: Duration
  /// How many steps got the expected response, each once however many rounds it had.
  public let stepCount: Int
  /// Why it ended, if it did not succeed.
  public let failure: String?

  /// Whether something of it is left to do, and nobody is working on it.
  public var isResumable: Bool {
    switch state {
    case .open: !isAlive
    case .failed: true
    case .done, .abandoned: false
    }
  }
}
