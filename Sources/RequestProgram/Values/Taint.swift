import JSONValue
import Requests

/// The secrets that a value was made of.
struct Taint: Sendable, Hashable {
  private(set) var secrets: Set<Secret>
  /// Whether all that is secret in the value is found by looking for these secrets in their forms.
  private(set) var isSearchable = true

  init(_ secrets: Set<Secret> = []) {
    self.secrets = secrets
  }

  var isEmpty: Bool { secrets.isEmpty }

  /// Whether whoever hides the secrets of the run hides all that is secret in the value.
  var isKnown: Bool { isEmpty || isSearchable && secrets.allSatisfy(\.isKnown) }

  /// Something was computed from what has the other taint.
  ///
  /// - Returns: whether there are any secrets in that.
  @discardableResult
  mutating func absorb(_ other: Taint) -> Bool {
    guard !other.isEmpty else { return false }
    secrets.formUnion(other.secrets)
    isSearchable = false
    return true
  }

  /// What has the other taint is a piece of this, as it is.
  mutating func hold(_ part: Taint) {
    guard !part.isEmpty else { return }
    secrets.formUnion(part.secrets)
    isSearchable = isSearchable && part.isSearchable
  }

  /// A text that has none of the forms of the secrets that it was made of becomes one itself. One that is too short would
  /// be found in everything.
  fileprivate mutating func add(_ piece: ExposedPiece, madeOf sources: Set<Secret>) {
    if (piece.fewestBytes...ExposedPiece.mostBytes).contains(piece.text.utf8.count) {
      secrets.insert(Secret(piece.text, bytes: piece.bytes, madeOf: sources))
    } else {
      isSearchable = false
    }
  }
}

/// A text or a number in a value.
private struct ExposedPiece {
  var text: String
  /// What it is where that is not a text; the text is its hex digits then.
  var bytes: [UInt8]?
  /// Shorter ones are too common to be looked for.
  var fewestBytes = Secret.fewestBytes

  /// Longer ones are searched for their secrets, but not for themselves.
  static let mostBytes = 64 << 10

  func isFound(by search: SecretSearch) -> Bool {
    !(bytes.map { search.found(in: $0) } ?? search.found(in: text)).isEmpty
  }

  /// Names of members are mostly the same in all values; one that is shorter than this is taken for such a name.
  static let fewestBytesOfName = 16

  /// Whether it is one of the secrets as it is, or one is in it and nothing else that is secret: whoever looks for them finds
  /// it in whatever form the piece takes.
  func isFound(in taint: Taint) -> Bool {
    taint.secrets.contains { secret in
      if let bytes { return secret.bytes == bytes }
      return secret.withExposedText { secret in
        guard secret.utf8.count >= Secret.fewestBytes else { return false }
        return taint.isSearchable ? text.contains(secret) : text == secret
      }
    }
  }
}

extension Value {
  /// The taint of whatever this value becomes a piece of: each text in it that was made of secrets, and does not hold one
  /// of them as it is and nothing else, is a secret of its own. What encodes it then is found again.
  var exposed: Taint {
    guard !taint.isEmpty else { return taint }
    let search = taint.isSearchable ? SecretSearch(taint.secrets) : SecretSearch()
    var exposed = Taint(taint.secrets)
    for piece in pieces where !piece.isFound(in: taint) {
      if taint.isSearchable, !piece.isFound(by: search) { continue }
      exposed.add(piece, madeOf: taint.secrets)
    }
    // Pieces that are too short to be looked for one by one are looked for all together, as they are sent.
    if !exposed.isSearchable, let json {
      exposed.add(ExposedPiece(text: json.description), madeOf: taint.secrets)
    }
    return exposed
  }

  private var pieces: [ExposedPiece] {
    if case .bytes(let bytes) = content, text == nil {
      return [ExposedPiece(text: bytes.hex, bytes: bytes)]
    }
    // Names that were looked through are searched like all else.
    if let json { return json.pieces + (taint.isSearchable ? [] : json.names) }
    switch content {
    case .list(let values): return values.flatMap(\.pieces)
    case .names(let names): return names.values.flatMap(\.pieces)
    // A file's name is never made of a secret, and its content is sent as it is.
    case .json, .bytes, .digest, .file, .chunk, .duration, .time, .exchange, .headers, .request, .timings, .cookies:
      return []
    }
  }
}

extension JSON {
  /// Names of members are not among them.
  fileprivate var pieces: [ExposedPiece] {
    switch self {
    case .string(let text): text.isEmpty ? [] : [ExposedPiece(text: text)]
    // What is counted or compared is as long as any other number.
    case .number(let number): [ExposedPiece(text: number.text, fewestBytes: 6)]
    case .array(let elements): elements.flatMap(\.pieces)
    case .object(let object): object.members.flatMap(\.value.pieces)
    case .bool, .null: []
    }
  }

  /// The names of members that may be more than names.
  fileprivate var names: [ExposedPiece] {
    switch self {
    case .array(let elements): elements.flatMap(\.names)
    case .object(let object):
      object.keys.filter { $0.utf8.count >= ExposedPiece.fewestBytesOfName }.map { ExposedPiece(text: $0) }
        + object.members.flatMap(\.value.names)
    case .string, .number, .bool, .null: []
    }
  }

  /// Every text in it that a secret may be in.
  func forEachText(_ body: (String) -> Void) {
    switch self {
    case .string(let text): body(text)
    case .number(let number): body(number.text)
    case .array(let elements): for element in elements { element.forEachText(body) }
    case .object(let object):
      for member in object.members {
        body(member.key)
        member.value.forEachText(body)
      }
    case .bool, .null: break
    }
  }
}
