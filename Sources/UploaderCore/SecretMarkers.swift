public import Requests

/// Replaces the bytes of a secret by markers that name it, and fills them in again: for what has to be complete when it
/// is used, but must not contain a secret while it is stored.
///
/// A marker names the secret and its form, so a secret whose value has changed since is filled in with the new value.
public struct SecretMarkers: Sendable {
  private struct Place: Sendable {
    let marker: [UInt8]
    let bytes: [UInt8]
  }

  private var search: FormSearch
  private var markers: [[UInt8]: [UInt8]]
  private var fillings: [String: [UInt8]]
  /// The forms of what was made from other secrets.
  private var made: Set<[UInt8]> = []
  /// What secrets are called in markers, and are called now.
  private var otherNames: [String: String] = [:]

  /// Every marker begins with this. Bytes that look like it but are not a marker are marked as such.
  private static let opening = Array("\u{1}{secret:".utf8)
  private static let mask = Array("••••".utf8)
  private static let closing = UInt8(ascii: "}")
  /// Represents an opening that was in the original bytes.
  private static let literal = opening + [closing]

  /// For what looks like a marker.
  private static let ownSearch = FormSearch(literal: opening)

  /// Markers for no secret: made once, for what is written with each step.
  public static let none = SecretMarkers([])

  /// Markers for these secrets.
  public init(_ secrets: Set<Secret>) {
    markers = [Self.opening: Self.literal]
    fillings = [:]
    search = Self.ownSearch
    for secret in secrets.sorted(by: { $0.mark < $1.mark }) { insert(secret) }
  }

  /// Adds this secret.
  package mutating func insert(_ secret: Secret) {
    let name = Self.label(of: secret.mark)
    search.insert(secret)
    for form in SecretForms.named(of: secret) {
      fillings["\(name):\(form.name)"] = form.bytes
      if markers[form.bytes] == nil {
        markers[form.bytes] = Self.marker(labelled: "\(name):\(form.name)")
        if secret.isMade { made.insert(form.bytes) }
      }
    }
  }

  /// The same, for what was recorded when some secrets had other names.
  ///
  /// - Parameter names: those names, and the present ones.
  package func reading(_ names: [String: String]) -> SecretMarkers {
    var markers = self
    markers.otherNames = names
    return markers
  }

  /// Replaces secrets by `••••`: they cannot be filled in again.
  public init(masking secrets: Set<Secret>) {
    markers = [:]
    for secret in secrets { for form in SecretForms.all(of: secret) { markers[form] = Self.mask } }
    fillings = [:]
    search = FormSearch(secrets)
  }

  /// The name as it appears in a marker, without the two characters that would end it.
  public static func label(of name: String) -> String {
    String(name.map { $0 == "}" || $0 == ":" ? "_" : $0 })
  }

  /// The bytes with markers in place of secrets; nil: there is nothing to replace.
  public func concealed(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    search.isMatched(in: bytes) ? conceal(Array(bytes)) : nil
  }

  /// Whether something in the bytes may have to be replaced; false for most.
  package func mayChange(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    search.isMatched(in: bytes) || bytes.contains(CutText.firstByte)
  }

  /// The bytes with markers in place of secrets.
  public func conceal(_ bytes: [UInt8]) -> [UInt8] {
    guard search.isMatched(in: bytes) else { return bytes }
    var concealed: [UInt8] = []
    return conceal(bytes, isLast: true, into: &concealed) == 0 ? bytes : concealed
  }

  /// The text with a marker in place of each secret.
  public func conceal(_ text: String) -> String {
    var text = text
    let isPlain = text.withUTF8 { !search.isMatched(in: $0) }
    return isPlain ? text : String(decoding: conceal(Array(text.utf8)), as: UTF8.self)
  }

  /// A text that was cut earlier, with a marker in place of each secret and `••••` in place of one that the cut went
  /// through.
  public func concealCut(_ text: String) -> String {
    String(decoding: concealCut(Array(text.utf8)), as: UTF8.self)
  }

  /// The same for bytes.
  public func concealCut(_ whole: [UInt8]) -> [UInt8] {
    let bytes = conceal(whole)
    var concealed: [UInt8] = []
    var start = 0
    for range in search.cutOff(in: bytes).sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= start
    {
      concealed += bytes[start..<range.lowerBound] + Self.mask
      start = range.upperBound
    }
    return concealed + bytes[start...]
  }

  /// Conceals a stream piece by piece, even if the end of a piece cuts a secret in two.
  public struct Stream {
    private let markers: SecretMarkers
    private var held: [UInt8] = []

    /// What can be written now that this piece has arrived.
    public mutating func conceal(_ piece: [UInt8]) -> [UInt8] {
      held += piece
      return advance(isLast: false)
    }

    /// The rest.
    public mutating func finish() -> [UInt8] {
      advance(isLast: true)
    }

    fileprivate init(_ markers: SecretMarkers) {
      self.markers = markers
    }

    private mutating func advance(isLast: Bool) -> [UInt8] {
      var concealed: [UInt8] = []
      let done = markers.conceal(held, isLast: isLast, into: &concealed)
      if done == 0, concealed.isEmpty, isLast { return held }
      held.removeFirst(done)
      return concealed
    }
  }

  /// The same for bytes that arrive in pieces.
  public func stream() -> Stream { Stream(self) }

  /// - Parameter isLast: if false, the end is held back where a secret may have begun.
  /// - Returns: how many bytes are done; if nothing was concealed and none are done, the bytes stay the same.
  private func conceal(_ bytes: [UInt8], isLast: Bool, into concealed: inout [UInt8]) -> Int {
    var start = 0
    let limit = isLast ? bytes.count : search.end(of: bytes)
    // What looks like a marker once its escapes are undone is none.
    var matches = search.matches(in: bytes).filter { $0.spelling == nil || !$0.form.elementsEqual(Self.opening) }[...]
    while let group = OverlappingMatches(from: matches), group.range.lowerBound < limit {
      concealed += bytes[start..<group.range.lowerBound]
      // What follows may overlap with the last of them, and what is held has a limit.
      if !isLast, group.range.upperBound > limit, group.range.lowerBound > 0 || group.range.count < Self.mostHeld {
        return group.range.lowerBound
      }
      for tile in group.tiles(rank: rank) { concealed += marker(of: tile, in: bytes) }
      start = group.range.upperBound
      matches = matches.dropFirst(group.count)
    }
    if isLast, start == 0 { return 0 }
    let end = max(start, limit)
    concealed += bytes[start..<end]
    return end
  }

  /// If more bytes than this overlap without an end, they are concealed piece by piece.
  private static let mostHeld = 1 << 18

  private func marker(of tile: OverlappingMatches.Tile, in bytes: [UInt8]) -> [UInt8] {
    var marker = markers[Array(tile.match.form)] ?? []
    guard marker != Self.mask else { return marker }
    if let spelling = tile.match.spelling { marker = marker.dropLast() + Array(":\(spelling)}".utf8) }
    guard tile.piece != tile.match.range else { return marker }
    let start = tile.piece.lowerBound - tile.match.range.lowerBound
    return marker.dropLast() + Array(":\(start)-\(start + tile.piece.count)}".utf8)
  }

  /// Which of several overlapping ones stays whole: what looks like a marker, then what was declared, then what was
  /// made from it.
  private func rank(_ match: FormSearch.Match) -> Int {
    match.form.elementsEqual(Self.opening) ? 0 : made.contains(Array(match.form)) ? 2 : 1
  }

  /// The bytes with the secrets back in their places.
  ///
  /// - Throws: `UnfilledMarkers` when a marker names a secret that is not known here.
  public func reveal(_ bytes: [UInt8]) throws(UnfilledMarkers) -> [UInt8] {
    var missing: Set<String> = []
    let revealed = Self.replacing(in: bytes) { label in
      if let filling = filling(label) { return filling }
      missing.insert(Self.name(in: label))
      return []
    }
    guard missing.isEmpty else { throw UnfilledMarkers(names: missing) }
    return revealed
  }

  /// The bytes with something else in place of each marker.
  ///
  /// - Parameter replacement: for what is between the opening and the end of the marker.
  static func replacing(in bytes: [UInt8], _ replacement: (String) -> [UInt8]) -> [UInt8] {
    guard bytes.contains(1) else { return bytes }
    let openings = ByteSearch([opening])
    var replaced: [UInt8] = []
    var start = 0
    while let match = openings.firstMatch(in: bytes, from: start),
      let end = bytes[match.upperBound...].firstIndex(of: closing)
    {
      replaced += bytes[start..<match.lowerBound]
      let label = bytes[match.upperBound..<end]
      replaced += label.isEmpty ? opening : replacement(String(decoding: label, as: UTF8.self))
      start = end + 1
    }
    return start == 0 ? bytes : replaced + bytes[start...]
  }

  /// A marker with this between its opening and its end.
  static func marker(labelled label: String) -> [UInt8] { opening + Array(label.utf8) + [closing] }

  /// The name of the secret.
  static func name(in label: String) -> String { String(label.prefix { $0 != ":" }) }

  /// What a marker represents: a form of a secret, in a spelling of its own, or a piece of that:
  /// `name:form:4p1u3p:0-8`.
  private func filling(_ label: String) -> [UInt8]? {
    let name = Self.name(in: label)
    let label = otherNames[name].map { $0 + label.dropFirst(name.count) } ?? label
    if let filling = fillings[label] { return filling }
    let parts = label.split(separator: ":")
    guard parts.count > 2, var filling = fillings["\(parts[0]):\(parts[1])"] else { return nil }
    for part in parts[2...] {
      if let spelling = Spelling(part) {
        filling = spelling.applied(to: filling)
      } else {
        let bounds = part.split(separator: "-").compactMap { Int($0) }
        guard bounds.count == 2, bounds[0] <= bounds[1], bounds[1] <= filling.count else { return nil }
        filling = Array(filling[bounds[0]..<bounds[1]])
      }
    }
    return filling
  }

  /// The text with each secret in place of its marker.
  public func reveal(_ text: String) throws(UnfilledMarkers) -> String {
    guard text.utf8.contains(1) else { return text }
    return String(decoding: try reveal(Array(text.utf8)), as: UTF8.self)
  }

  /// The names in the markers of these texts.
  public static func names(in texts: [[UInt8]]) -> Set<String> {
    var names: Set<String> = []
    for text in texts where text.contains(1) {
      do {
        _ = try SecretMarkers([]).reveal(text)
      } catch {
        names.formUnion(error.names)
      }
    }
    return names
  }

  /// The bytes with `••••` in place of each marker, for display.
  public static func display(_ bytes: [UInt8]) -> [UInt8] {
    replacing(in: bytes) { _ in mask }
  }

  /// The text with `••••` in place of each marker.
  public static func display(_ text: String) -> String {
    text.utf8.contains(1) ? String(decoding: display(Array(text.utf8)), as: UTF8.self) : text
  }
}

/// Markers whose secrets are not known: their names.
public struct UnfilledMarkers: Error, Hashable, Sendable {
  /// Those whose text is not known here.
  public let names: Set<String>

  public init(names: Set<String>) {
    self.names = names
  }
}
