/// A message about a place in a text: what is wrong, where, and what to do about it.
public struct Diagnostic: Sendable, Hashable, Error {
  public enum Severity: String, Sendable, Hashable {
    case error, warning
  }

  public var severity: Severity
  /// What happened, as one sentence without a full stop.
  public var message: String
  public var source: SourceText
  public var range: SourceRange
  /// The text after the carets; usually what to do.
  public var label: String?
  /// Further lines, each shown after ` = `.
  public var notes: [String]

  public init(
    _ message: String, in source: SourceText, at range: SourceRange, label: String? = nil, notes: [String] = [],
    severity: Severity = .error
  ) {
    self.severity = severity
    self.message = message
    self.source = source
    self.range = range
    self.label = label
    self.notes = notes
  }
}
