import JSONValue
import Requests

/// The secrets that a value was made from.
struct Taint: Sendable, Hashable {
  private(set) var secrets: Set<Secret>
  /// Whether everything secret in the value is found by looking for these secrets in their forms.
  private(set) var isSearchable = true

  init(_ secrets: Set<Secret> = []) {
    self.secrets = secrets
  }

  var isEmpty: Bool { secrets.isEmpty }

  /// Whether hiding the secrets of the run hides everything secret in the value.
  var isKnown: Bool { isEmpty || isSearchable && secrets.allSatisfy(\.isKnown) }

  /// Only the secrets that are wanted.
  func filter(_ isWanted: (Secret) -> Bool) -> Taint {
    var taint = self
    taint.secrets = secrets.filter(isWanted)
    taint.isSearchable = isSearchable || taint.secrets.isEmpty
    return taint
  }

  /// Something was computed from a value with the other taint.
  ///
  /// - Returns: whether there are any secrets in the other.
  @discardableResult
  mutating func absorb(_ other: Taint) -> Bool {
    guard !other.isEmpty else { return false }
    secrets.formUnion(other.secrets)
    isSearchable = false
    return true
  }

  /// A value with the other taint is a piece of this one, unchanged.
  mutating func hold(_ part: Taint) {
    guard !part.isEmpty else { return }
    secrets.formUnion(part.secrets)
    isSearchable = isSearchable && part.isSearchable
  }

  /// A text that contains none of the forms of the secrets that it was made from becomes a secret itself. One that is
  /// too short would be found in everything.
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
  /// The bytes that it is, if it is not a text; the text is then their hex digits.
  var bytes: [UInt8]?
  /// Shorter ones are too common to be searched for.
  var fewestBytes = Secret.fewestBytes

  /// Longer ones are searched for their secrets, but not for themselves.
  static let mostBytes = 64 << 10

  func isFound(by search: SecretSearch) -> Bool {
    !(bytes.map { search.found(in: $0) } ?? search.found(in: text)).isEmpty
  }

  /// Names of members are mostly the same in all values; one that is shorter than this is taken for such a name.
  static let fewestBytesOfName = 16

  /// Whether it is exactly one of the secrets, or contains one and nothing else that is secret: a search for them finds
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
  /// The taint of whatever this value becomes a piece of: each text in it that was made from secrets, unless it
  /// contains one of them unchanged and nothing else secret, is itself a secret. Whatever encodes it later is then found
  /// again.
  var exposed: Taint {
    guard !taint.isEmpty else { return taint }
    let search = taint.isSearchable ? SecretSearch(taint.secrets) : SecretSearch()
    var exposed = Taint(taint.secrets)
    for piece in pieces where !piece.isFound(in: taint) {
      if taint.isSearchable, !piece.isFound(by: search) { continue }
      exposed.add(piece, madeOf: taint.secrets)
    }
    // Pieces that are too short to be searched for one by one are searched for all together, as they are sent.
    if !exposed.isSearchable, let json {
      exposed.add(ExposedPiece(text: json.description), madeOf: taint.secrets)
    }
    return exposed
  }

  private var pieces: [ExposedPiece] {
    if case .bytes(let bytes) = content, text == nil {
      return [ExposedPiece(text: bytes.hex, bytes: bytes)]
    }
    // If the taint is searchable, names are searched like everything else.
    if let json { return json.pieces + (taint.isSearchable ? [] : json.names) }
    switch content {
    case .list(let values): return values.flatMap(\.pieces)
    case .names(let names): return names.values.flatMap(\.pieces)
    // A file's name is never made from a secret, and its content is sent as it is.
    case .json, .bytes, .digest, .file, .chunk, .duration, .time, .exchange, .headers, .headerLines, .request, .timings,
      .cookies:
      return []
    }
  }
}

extension JSON {
  /// Names of members are not among them.
  fileprivate var pieces: [ExposedPiece] {
    switch self {
    case .string(let text): text.isEmpty ? [] : [ExposedPiece(text: text)]
    // A number that is counted or compared is as long as any other number.
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

  /// Every text in it that may contain a secret.
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
