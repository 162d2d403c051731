// From tree to checked program to request values. This module knows nothing about how a request is sent: it evaluates
// the language over the exchanges so far, purely, and everything outside (environment, files, clock, randomness) comes
// through one injected value.

internal import Diagnostics
internal import HTTPTypes
public import JSONValue
public import Requests

/// The result of an expression, where it came from, and which secrets it was made from.
///
/// A value has no plain text for anyone outside: it leaves by an `Outlet`, and what it was made from goes along or is
/// hidden.
public struct Value: Sendable, Hashable {
  indirect enum Content: Sendable, Hashable {
    case json(JSON)
    case bytes([UInt8])
    /// Is its hex text where a text is wanted.
    case digest([UInt8])
    case file(FileSlice)
    /// One piece of `chunks`: numbered from 1.
    case chunk(FileSlice, number: Int, offset: Int)
    case duration(Duration)
    /// Since 1970.
    case time(Duration)
    case exchange(Exchange)
    case headers(HTTPFields)
    /// The same, each as an array of its lines.
    case headerLines(HTTPFields)
    /// With the content of its body, if that is known.
    case request(SentRequest, body: Content?)
    case timings(Timings)
    case cookies([String: String])
    case list([Value])
    /// The names of a sequence that was run, or the environment.
    case names([String: Value])
  }

  var content: Content
  /// Every secret that it was made from, directly or indirectly.
  var taint = Taint()
  public internal(set) var provenance: Provenance
  /// Whether anything in it came from a response, directly or indirectly.
  public internal(set) var isForeign: Bool
  /// Whether it is exactly what was read from outside, so that its taint is what is found in it.
  var isVerbatim = false
  /// Short texts from outside that it was computed from: one of them may turn out to be a secret.
  private(set) var inputs: [String] = []
  /// Short texts from outside that are unchanged pieces of it.
  private(set) var heldTexts: [String] = []
  /// The cookies that came or went with the response that it belongs to, where it may contain them as such. A server
  /// may put the same text elsewhere, for example as the state of a sign-in in a redirect; there it is a text like any
  /// other.
  var cookies: Set<Secret> = []

  init(_ content: Content, secrets: Set<Secret> = [], provenance: Provenance = .script) {
    self.content = content
    taint = Taint(secrets)
    self.provenance = provenance
    isForeign = if case .response = provenance { true } else { false }
  }

  public init(_ json: JSON, secrets: Set<Secret> = [], provenance: Provenance = .script) {
    self.init(.json(json), secrets: secrets, provenance: provenance)
  }

  /// A value that was read from outside: the secrets in it are found by searching for them.
  static func read(_ content: Content, from provenance: Provenance = .script) -> Value {
    var value = Value(content, provenance: provenance)
    value.isVerbatim = true
    return value
  }

  /// The same value, computed from `others`: it contains their secrets in a form that nobody knows.
  func carrying(_ others: Value...) -> Value {
    var value = self
    for other in others {
      if value.taint.absorb(other.taint) { value.isVerbatim = false }
      value.isForeign = value.isForeign || other.isForeign
      if other.isForeign || other.isVerbatim { value.remember(other.shortTexts) }
      value.remember(other.inputs)
      value.remember(other.heldTexts)
    }
    return value
  }

  /// The same value, with `part` as an unchanged piece of it.
  func holding(_ part: Value) -> Value {
    var value = self
    value.taint.hold(part.exposed)
    value.isForeign = value.isForeign || part.isForeign
    value.remember(part.inputs)
    if value.heldTexts.count < Self.mostInputs { value.remember(held: part.outsidePieces) }
    return value
  }

  /// The same value, which does not depend on what it was asked for with: the content of a file on its path.
  var withoutInputs: Value {
    var value = self
    value.inputs = []
    value.heldTexts = []
    return value
  }

  /// The short texts that were read from outside, or computed from such, and are in it or went into it.
  var outsideTexts: [String] { outsidePieces + inputs }

  private var outsidePieces: [String] {
    let isOutside =
      isForeign || isVerbatim || !inputs.isEmpty
      || heldTexts.contains { $0.utf8.count >= Secret.fewestBytesOfPart }
    return (isOutside ? shortTexts : []) + heldTexts
  }

  /// How many of the texts that it was made from a value remembers, and how long they may be, in bytes.
  static let mostInputs = 16
  static let longestInput = 4 << 10

  private mutating func remember(_ texts: [String]) {
    for text in texts where inputs.count < Self.mostInputs && !inputs.contains(text) { inputs.append(text) }
  }

  private mutating func remember(held texts: [String]) {
    for text in texts where heldTexts.count < Self.mostInputs && !heldTexts.contains(text) { heldTexts.append(text) }
  }

  /// The first texts in it that may be secrets.
  private var shortTexts: [String] {
    var texts: [String] = []
    if let json {
      json.collectTexts(&texts, upTo: Self.mostInputs)
    } else if let text {
      texts.append(text)
    }
    return texts.filter { (Secret.fewestBytes...Self.longestInput).contains($0.utf8.count) }
  }

  /// The same value, which is exactly these secrets.
  func with(secrets: Set<Secret>) -> Value {
    var value = self
    value.taint = Taint(secrets)
    value.isVerbatim = false
    return value
  }

  /// What a sequence or a block has given names to.
  static func names(_ names: [String: Value]) -> Value {
    names.values.reduce(Value(.names(names))) { $0.holding($1) }
  }
}

extension JSON {
  /// As many of the texts in it as a value remembers.
  fileprivate func collectTexts(_ texts: inout [String], upTo limit: Int) {
    guard texts.count < limit else { return }
    switch self {
    case .string(let text): texts.append(text)
    case .number(let number): texts.append(number.text)
    case .array(let elements):
      for element in elements {
        element.collectTexts(&texts, upTo: limit)
        if texts.count >= limit { return }
      }
    case .object(let object):
      for member in object.members {
        member.value.collectTexts(&texts, upTo: limit)
        if texts.count >= limit { return }
      }
    case .bool, .null: break
    }
  }
}

/// Where a value came from.
public enum Provenance: Sendable, Hashable {
  /// Written in the script where it is used, or computed.
  case script
  /// Written in the script, as the value of a name.
  case declared(TextPlace)
  /// Part of this step's response, which came from this URL.
  case response(step: String, path: String, url: String)
  case environment(String)
  /// `--set`, `:set`.
  case setting(String)
  case file(String)
  /// A secret of that name.
  case secret(String)
}
