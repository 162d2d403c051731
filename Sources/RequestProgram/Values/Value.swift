// Tree to checked program to request values. This module knows nothing of how a request is sent: it evaluates the
// language over the exchanges so far, purely, and what is outside (environment, files, clock, chance) comes through
// one injected value.

internal import Diagnostics
public import HTTPTypes
public import JSONValue
public import Requests

/// What an expression stands for, where it came from, and which secrets are in it.
public struct Value: Sendable, Hashable {
  public indirect enum Content: Sendable, Hashable {
    case json(JSON)
    case bytes([UInt8])
    /// Stands as its hex text where a text is wanted.
    case digest([UInt8])
    case file(FileSlice)
    /// One piece of `chunks`: numbered from 1.
    case chunk(FileSlice, number: Int, offset: Int)
    case duration(Duration)
    /// Since 1970.
    case time(Duration)
    case exchange(Exchange)
    case headers(HTTPFields)
    case request(SentRequest)
    case timings(Timings)
    case cookies([String: String])
    case list([Value])
    /// The names of a sequence that was run, or the environment.
    case names([String: Value])
  }

  public var content: Content
  /// Every secret whose text is in the value, through whatever it was made of.
  public var secrets: Set<Secret>
  public var provenance: Provenance
  /// Whether anything in it came from an answer, through whatever it was made of.
  public var isForeign: Bool

  public init(_ content: Content, secrets: Set<Secret> = [], provenance: Provenance = .script) {
    self.content = content
    self.secrets = secrets
    self.provenance = provenance
    isForeign = if case .response = provenance { true } else { false }
  }

  public init(_ json: JSON, secrets: Set<Secret> = [], provenance: Provenance = .script) {
    self.init(.json(json), secrets: secrets, provenance: provenance)
  }

  /// The same value with what `others` carry: for whatever is made of several.
  func carrying(_ others: Value...) -> Value {
    var value = self
    for other in others {
      value.secrets.formUnion(other.secrets)
      value.isForeign = value.isForeign || other.isForeign
    }
    return value
  }
}

/// Where a value came from.
public enum Provenance: Sendable, Hashable {
  /// Written in the script where it is used, or computed.
  case script
  /// Written in the script, as what a name stands for.
  case declared(TextPlace)
  /// Part of the answer of this step, which this URL gave.
  case response(step: String, path: String, url: String)
  case environment(String)
  /// `--set`, `:set`.
  case setting(String)
  case file(String)
  /// A secret of that name.
  case secret(String)
}
