internal import HTTPTypes
internal import JSONValue
internal import RequestSyntax
package import Requests

/// Where values came from: which response brought a text first, and under which path.
///
/// A text that was in a request before is the user's own, even if a server repeats it.
package struct AnsweredValues {
  package struct Origin: Hashable {
    /// The number of the response.
    var number: Int
    /// `.body.snapshot.uid`
    var path: [SegmentSyntax]
    /// The last name in the path, lowercase.
    var key: String
    var isNumber = false
    /// Whether it is in a list, where small numbers are whatever comes next.
    var isInList = false
    /// Whether a list has it several times under this name: then it is what things are like, a product or a category, and
    /// who types it means that.
    var isRepeated = false
    /// The object it is a member of, `.body.snapshot.fields`, if all its members are texts, and their number.
    var parent: [SegmentSyntax]?
    var siblings = 0
  }

  /// How much of a body is searched, in bytes, and how many of its values.
  private static let bodyLimit = 8 << 20
  private static let valueLimit = 20_000

  private var origins: [String: Origin] = [:]
  /// The values that may be found within longer texts, longest first.
  private let distinctive: [(text: String, origin: Origin)]
  /// The texts of each request, `$1` first.
  private let asked: [String]

  /// The requests whose texts are the user's own, even if a response had brought them: with what it brought they would be
  /// others.
  var literal: Set<Int> = []

  /// - Parameter exchanges: all exchanges of the session, `$1` first.
  package init(_ exchanges: [Exchange]) {
    asked = exchanges.map(Self.requestText)
    var origins: [String: Origin] = [:]
    for (index, exchange) in exchanges.enumerated() {
      var listed: Set<String> = []
      for (text, origin) in Self.values(of: exchange, number: index + 1) {
        let first = origins[text, default: origin]
        origins[text] = first
        // What something that is no list brought first may be in each element of a list later.
        guard origin.isInList, first.isInList, origin.key == first.key else { continue }
        if !listed.insert(text).inserted { origins[text]?.isRepeated = true }
      }
    }
    self.origins = origins
    distinctive = origins.filter { $0.key.count >= 6 && Self.isDistinctive($0.key, $0.value) }
      .map { (text: $0.key, origin: $0.value) }
      .sorted { ($1.text.count, $0.text) < ($0.text.count, $1.text) }
  }

  /// The origin of a text that is a whole value, if it is of a kind that people carry over: an identifier, a link, a
  /// token.
  package func origin(of text: String, before number: Int) -> Origin? {
    guard !literal.contains(number), let origin = origins[text], Self.isDistinctive(text, origin) else { return nil }
    return isBrought(text, by: origin, before: number) ? origin : nil
  }

  /// The origin of a secret, which need not look like anything.
  package func origin(ofSecret text: String, before number: Int) -> Origin? {
    origins[text].flatMap { isBrought(text, by: $0, before: number) ? $0 : nil }
  }

  /// The longest value that occurs in the text as a whole word.
  ///
  /// - Parameter encode: how a value is written there.
  package func firstValue(
    in text: Substring, before number: Int, encode: (String) -> String = { $0 }
  ) -> (range: Range<String.Index>, origin: Origin)? {
    if literal.contains(number) { return nil }
    for (value, origin) in distinctive where origin.number < number && value.utf8.count <= text.utf8.count {
      guard let range = Self.mention(of: encode(value), in: text), isBrought(value, by: origin, before: number) else {
        continue
      }
      return (range, origin)
    }
    return nil
  }

  /// Whether a request has it.
  func isSent(_ text: String) -> Bool { asked.contains { Self.mention(of: text, in: $0[...]) != nil } }

  private func isBrought(_ text: String, by origin: Origin, before number: Int) -> Bool {
    origin.number < number && !asked[..<origin.number].contains { Self.mention(of: text, in: $0[...]) != nil }
  }

  /// Whether a text is more than a word or a small number that two places may share by chance.
  private static func isDistinctive(_ text: String, _ origin: Origin) -> Bool {
    // The third of a list, and the third that was asked for: who types a small number need not have it from there.
    if origin.isInList, text.count < 4, text.allSatisfy(\.isNumber) { return false }
    if isIdentifying(origin.key) { return !text.isEmpty }
    if origin.isRepeated { return false }
    // An address of this machine or of a host is everywhere.
    if text.count <= 15, text.wholeMatch(of: /\d{1,3}(?:\.\d{1,3}){3}/) != nil { return false }
    let hasDigit = text.contains(where: \.isNumber)
    return text.count >= 20 || (hasDigit && text.count >= 6 && !origin.isNumber)
  }

  /// Whether a value of this name is meant to be passed on.
  package static func isIdentifying(_ key: String) -> Bool {
    let words = key.split { !$0.isLetter }
    guard let last = words.last else { return false }
    let known: Set<Substring> = [
      "id", "uid", "uuid", "guid", "key", "token", "url", "uri", "href", "link", "etag", "location", "cursor", "next",
      "nonce", "slug", "ticket", "handle", "ref", "hash", "signature", "policy", "credential",
    ]
    return known.contains(last) || key.hasSuffix("id") && key.count > 3 && words.count == 1 && key.last == "d"
  }

  // MARK: What there is

  private static func requestText(of exchange: Exchange) -> String {
    var text = exchange.firstRequest.url
    text += "\n" + text.percentDecoded
    for field in exchange.description.head.headers { text += "\n\(field.value)" }
    for segment in exchange.description.bodySegments(boundary: "-") ?? [] {
      if case .bytes(let bytes) = segment { text += "\n" + String(decoding: bytes.prefix(1 << 20), as: UTF8.self) }
    }
    return text
  }

  /// Where the text occurs as a whole, not as part of a longer word.
  private static func mention(of text: String, in other: Substring) -> Range<String.Index>? {
    other.ranges(of: text).first { range in
      let before = range.lowerBound == other.startIndex ? nil : other[other.index(before: range.lowerBound)]
      let after = range.upperBound == other.endIndex ? nil : other[range.upperBound]
      return ![before, after].contains { $0.map { $0.isLetter || $0.isNumber } ?? false }
    }
  }

  private static func values(of exchange: Exchange, number: Int) -> [(String, Origin)] {
    var values: [(String, Origin)] = []
    let response = exchange.response
    if response.isJSON, response.body.count <= bodyLimit, let bytes = try? response.body.bytes(),
      let json = try? JSON(parsing: bytes)
    {
      collect(json, Origin(number: number, path: [.member("body")], key: ""), &values)
    }
    // A server that repeats the URL of its request has not brought it, not even if a redirect had led there.
    let url = exchange.request.url
    let path = url.originEnd.map { String(url[$0...]) }
    values.removeAll { $0.0 == url || $0.0 == path }
    for name in [HTTPField.Name.eTag, .location] {
      guard let value = response.headers[name] else { continue }
      let key = name.canonicalName
      values.append(
        (
          value,
          Origin(
            number: number, path: key == "location" ? [.member(key)] : [.member("headers"), .member(key)], key: key)
        ))
    }
    for field in response.headers
    where field.name.canonicalName.hasPrefix("x-") && isIdentifying(field.name.canonicalName) {
      let key = field.name.canonicalName
      values.append((field.value, Origin(number: number, path: [.member("headers"), .member(key)], key: key)))
    }
    return values
  }

  private static func collect(_ json: JSON, _ place: Origin, _ values: inout [(String, Origin)]) {
    guard values.count < valueLimit else { return }
    switch json {
    case .object(let object):
      let isFlat = object.members.allSatisfy { if case .string = $0.value { true } else { false } }
      for member in object.members {
        var inner = place
        inner.parent = isFlat ? place.path : nil
        inner.siblings = object.members.count
        inner.path.append(.member(member.key))
        inner.key = member.key.lowercased()
        collect(member.value, inner, &values)
      }
    case .array(let items):
      for (index, item) in items.enumerated() {
        var inner = place
        inner.path.append(.element(index))
        inner.isInList = true
        collect(item, inner, &values)
      }
    case .string(let text): if !text.isEmpty { values.append((text, place)) }
    case .number(let number):
      var place = place
      place.isNumber = true
      values.append((number.text, place))
    case .bool, .null: break
    }
  }
}
