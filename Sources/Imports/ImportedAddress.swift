package import Diagnostics
package import RequestSyntax
import Requests

/// Where a request of another tool goes: the target of its step, and the origin or base of its profile.
package struct ImportedAddress {
  package private(set) var target: TargetSyntax
  package private(set) var place: ImportedProfiles.Place
  /// `host:port`, if it is known.
  package private(set) var authority: String?
  /// Who the URL says is asking.
  package private(set) var user: AddressUser?

  /// Whether only the run knows where it leads.
  package var isUnknown: Bool { if case .unknown = place { true } else { false } }

  /// - Parameters:
  ///   - pieces: the URL, with expressions for what is not known yet.
  ///   - keepsDotSegments: whether `.` and `..` in the path are sent.
  ///   - isExact: whether values are put in without being encoded.
  ///   - isEncoded: whether what a name has is percent-encoded already.
  ///   - isKnownEarly: whether a name has its value before the first step, so that a profile can use it.
  package init(
    _ pieces: [StringSyntax.Piece], at range: SourceRange, keepsDotSegments: Bool, isExact: Bool,
    isEncoded: (String) -> Bool = { _ in false }, isKnownEarly: (String) -> Bool
  ) throws(ImportRefusal) {
    let pieces = StringSyntax(pieces).pieces
    func isExactly(_ value: ExpressionSyntax) -> Bool {
      guard case .reference(let reference) = value, reference.segments.isEmpty else { return isExact }
      return isExact || isEncoded(reference.root.text)
    }
    if case .interpolation(let base)? = pieces.first {
      self = Self.address(base, Array(pieces.dropFirst()), isExact: isExactly, isKnownEarly)
      return
    }
    guard case .text(let start)? = pieces.first, let scheme = start.firstRange(of: "://"),
      ["http", "https"].contains(start[..<scheme.lowerBound].lowercased())
    else { throw ImportRefusal("a URL begins with http:// or https://", at: range) }
    if pieces.count == 1 {
      self = Self.address(start, scheme, keepsDotSegments: keepsDotSegments)
      return
    }
    let origin = Self.origin(of: pieces, after: start.distance(from: start.startIndex, to: scheme.upperBound))
    if let plain = origin.plainText {
      target = Self.target(pieces, isExact: isExactly)
      place = .origin(.value(plain))
      authority = String(plain[scheme.upperBound...])
    } else {
      target = .string(StringSyntax(pieces))
      place = .origin(.string(origin))
    }
  }

  /// Up to the first slash after the scheme, wherever that is.
  private static func origin(of pieces: [StringSyntax.Piece], after scheme: Int) -> StringSyntax {
    var origin: [StringSyntax.Piece] = []
    for (index, piece) in pieces.enumerated() {
      guard case .text(let text) = piece else {
        origin.append(piece)
        continue
      }
      let begin = index == 0 ? text.index(text.startIndex, offsetBy: scheme) : text.startIndex
      guard let end = text[begin...].firstIndex(where: { "/?#".contains($0) }) else {
        origin.append(piece)
        continue
      }
      origin.append(.text(String(text[..<end])))
      break
    }
    return StringSyntax(origin)
  }

  /// `{{base}}/path`
  private static func address(
    _ base: ExpressionSyntax, _ rest: [StringSyntax.Piece], isExact: (ExpressionSyntax) -> Bool,
    _ isKnownEarly: (String) -> Bool
  ) -> ImportedAddress {
    let whole = TargetSyntax.string(StringSyntax([.interpolation(base)] + rest))
    guard case .reference(let reference) = base, reference.segments.isEmpty else {
      return ImportedAddress(whole, .unknown)
    }
    let place: ImportedProfiles.Place =
      isKnownEarly(reference.root.text) ? .base(.reference(reference.root.text)) : .unknown
    if rest.isEmpty { return ImportedAddress(.reference(reference, tail: nil), place) }
    if case .word(let tail) = Self.target(rest, isExact: isExact), case .text(let text)? = tail.pieces.first,
      text.hasPrefix("/") || text.hasPrefix("?")
    {
      return ImportedAddress(.reference(reference, tail: tail), place)
    }
    return ImportedAddress(whole, place)
  }

  private init(_ target: TargetSyntax, _ place: ImportedProfiles.Place) {
    self.target = target
    self.place = place
  }

  /// A URL that is known.
  private static func address(
    _ url: String, _ scheme: Range<String.Index>, keepsDotSegments: Bool
  ) -> ImportedAddress {
    let user = AddressUser(url)
    let url = user?.url ?? url
    let rest = url[scheme.upperBound...]
    let host = rest.prefix { !"/?#".contains($0) }
    let path = rest[host.endIndex...]
    let origin = String(url[..<scheme.upperBound]) + String(host)
    let segments = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    let isDotted = !keepsDotSegments && segments.contains(where: \.isDotSegment)
    let target = isDotted ? URLReference.resolve(String(path), against: origin) : origin + String(path)
    var address = ImportedAddress(TargetSyntax(target), .origin(.value(origin)))
    address.authority = String(host)
    address.user = user
    return address
  }

  /// A word, if everything in it stands for itself there; otherwise a text.
  private static func target(
    _ pieces: [StringSyntax.Piece], isExact: (ExpressionSyntax) -> Bool
  ) -> TargetSyntax {
    var words: [WordSyntax.Piece] = []
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .text(let text):
        guard WordSyntax.isPlain(text) else { return .string(StringSyntax(pieces)) }
        words.append(.text(text))
      case .interpolation(let value):
        words.append(.interpolation(value, keepsReserved: isExact(value) || !fillsItsPlace(index, pieces)))
      }
    }
    return .word(WordSyntax(words))
  }

  /// Whether a value is a whole segment of the path, or a whole value of the query.
  private static func fillsItsPlace(_ index: Int, _ pieces: [StringSyntax.Piece]) -> Bool {
    guard index > 0, case .text(let before) = pieces[index - 1], let last = before.last, "/=".contains(last) else {
      return false
    }
    guard index + 1 < pieces.count else { return true }
    guard case .text(let after) = pieces[index + 1], let first = after.first else { return false }
    return "/?&#".contains(first)
  }
}
