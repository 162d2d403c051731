internal import HTTPTypes
package import Requests

/// Values that let anyone who has them act in somebody's name for a while, and that nobody declares as secrets: the
/// signatures of presigned URLs, and the fields of forms that a server signed for an upload.
///
/// They are sent wherever a response says, and hidden wherever they are shown.
package enum PresignedValues {
  private static let names = SensitiveName.signatures.map { (name: Array($0.name.utf8), evidence: $0.evidence) }

  /// Where such values are in the text, as byte offsets, in order.
  package static func ranges(in text: [UInt8]) -> [Range<Int>] {
    var found: [(range: Range<Int>, evidence: SensitiveName.Evidence, isQueryItem: Bool)] = []
    var index = 0
    while index < text.count {
      guard let (name, evidence) = name(at: index, in: text) else {
        index += 1
        continue
      }
      let start = index
      index += name.count
      guard let value = PresignedValue(behind: start..<index, in: text) else { continue }
      found.append((value.range, evidence, value.isQueryItem))
      index = value.range.upperBound
    }
    let hasCompany = found.contains { $0.evidence == .sufficient }
    return found.filter { value in
      switch value.evidence {
      case .sufficient: true
      case .circumstantial: hasCompany || value.isQueryItem
      case .policy: hasCompany || isBase64JSON(text[value.range])
      }
    }.map(\.range)
  }

  /// What a request was signed with: storage repeats it in what it says of an error, under names of its own.
  ///
  /// - Parameter parts: those of a form, by their names.
  package static func proofs(
    inURL url: String, parts: some Sequence<(name: String, content: [UInt8])>
  ) -> Set<Secret> {
    var found: Set<Secret> = []
    func add(_ name: String, _ text: String) {
      // A shorter one may be any other text, and who signed is no proof.
      guard text.utf8.count >= fewestBytesOfProof, SensitiveName.isSignature(name), found.count < 64 else { return }
      let name = name.lowercased()
      if name.hasSuffix("credential") || name.hasSuffix("keyid") { return }
      found.insert(Secret(hidden: text, name: name, isForgotten: true))
    }
    if let query = url.utf8.firstIndex(of: UInt8(ascii: "?")) {
      let items = url.utf8[query...].dropFirst().prefix { $0 != UInt8(ascii: "#") }
      for item in items.split(separator: UInt8(ascii: "&")) where item.count > fewestBytesOfProof {
        guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = String(Substring(item[..<equals]))
        guard SensitiveName.isSignature(name) else { continue }
        let value = String(Substring(item[equals...].dropFirst()))
        add(name, value)
        add(name, String(decoding: PercentEncoding.decode(value), as: UTF8.self))
      }
    }
    for part in parts where SensitiveName.isSignature(part.name) {
      add(part.name, String(decoding: part.content, as: UTF8.self))
    }
    return found
  }

  private static let fewestBytesOfProof = 16

  /// Those of the request that got this response, if it may say what is wrong with them.
  package static func proofs(in exchange: Exchange) -> Set<Secret> {
    if exchange.response.status.kind == .successful { return [] }
    var parts: [(name: String, content: [UInt8])] = []
    if case .multipart(let form) = exchange.description {
      for part in form.parts { if case .bytes(let bytes) = part.content { parts.append((part.name, bytes)) } }
    }
    return proofs(inURL: exchange.request.url, parts: parts)
  }

  /// How much of a text that arrives in pieces can be shown before the next one is there: up to a name at its end, or
  /// one whose value has no end yet.
  static func openEnd(of text: [UInt8]) -> Int {
    var index = text.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    while index < text.count {
      if let (name, _) = name(at: index, in: text) {
        guard let value = PresignedValue(behind: index..<index + name.count, in: text),
          value.range.upperBound < text.count
        else { return index }
        index = value.range.upperBound
      } else if canBegin[Int(text[index])], isBeginning(text[index...]) {
        return index
      } else {
        index += 1
      }
    }
    return text.count
  }

  /// Whether a name could go on where the text ends.
  private static func isBeginning(_ rest: ArraySlice<UInt8>) -> Bool {
    names.contains { name, _ in
      name.count >= rest.count && zip(rest, name).allSatisfy { $0.lowercased == $1 }
    }
  }

  /// The name that begins there, as a separate word, in any capitalization.
  private static func name(at index: Int, in text: [UInt8]) -> (name: [UInt8], evidence: SensitiveName.Evidence)? {
    guard canBegin[Int(text[index])] else { return nil }
    // What costs most is asked last: every text that is shown is looked through.
    return names.first { name, evidence in
      guard text.count - index > name.count, has(name, at: index, in: text), !text[index + name.count].isPartOfWord
      else { return false }
      return evidence == .sufficient || PresignedValue.beginsItem(at: index, in: text)
        || !text[index - 1].isPartOfWord
    }
  }

  /// Whether a byte is the first of a name.
  private static let canBegin = (UInt8.min...UInt8.max).map { byte in
    names.contains { $0.name.first == byte.lowercased }
  }

  private static func has(_ name: [UInt8], at index: Int, in text: [UInt8]) -> Bool {
    for offset in name.indices where text[index + offset].lowercased != name[offset] { return false }
    return true
  }

  /// A policy begins with `{`, perhaps after a space.
  private static func isBase64JSON(_ value: ArraySlice<UInt8>) -> Bool {
    guard value.count >= 24, value.allSatisfy({ $0.isPartOfWord || "+/=%".utf8.contains($0) }) else { return false }
    return value.first == UInt8(ascii: "e")
      && value.dropFirst().first.map { "wxyz0123456789+/".utf8.contains($0) } == true
  }
}

/// The value of a name, in any notation.
private struct PresignedValue {
  let range: Range<Int>
  /// `?name=value`, as opposed to a member of JSON or a part of a form.
  let isQueryItem: Bool

  init?(behind name: Range<Int>, in text: [UInt8]) {
    let rest = text[name.upperBound...]
    if rest.first == UInt8(ascii: "=") {
      let isQueryItem = Self.beginsItem(at: name.lowerBound, in: text)
      self.init(from: name.upperBound + 1, in: text, isQueryItem: isQueryItem)
    } else if rest.starts(with: "%3D".utf8) || rest.starts(with: "%3d".utf8) {
      self.init(from: name.upperBound + 3, in: text, isQueryItem: true, isEncoded: true)
    } else if let value = Self.startOfMember(name.upperBound, in: text) {
      self.init(from: value, in: text, isQueryItem: false)
    } else if let value = Self.startOfPart(name.upperBound, in: text) {
      let end = text[value...].firstIndex { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") } ?? text.count
      self.init(range: value..<end, isQueryItem: false)
    } else {
      return nil
    }
  }

  private init?(range: Range<Int>, isQueryItem: Bool) {
    guard !range.isEmpty else { return nil }
    self.range = range
    self.isQueryItem = isQueryItem
  }

  /// A value in quotes, or one that ends at the first character that cannot belong to it; or where it is cut off.
  private init?(from start: Int, in text: [UInt8], isQueryItem: Bool, isEncoded: Bool = false) {
    guard start < text.count else { return nil }
    var first = start
    if text[first] == UInt8(ascii: "\\"), first + 1 < text.count { first += 1 }
    if "\"'".utf8.contains(text[first]) {
      let quote = text[first]
      let end =
        text.indices[(first + 1)...].first {
          text[$0] == quote || text[$0] == UInt8(ascii: "\\") || CutText.isMark(at: $0, in: text)
        } ?? text.count
      self.init(range: first + 1..<end, isQueryItem: isQueryItem)
      return
    }
    // Computed values, and values that are not text.
    guard !"${[\\".utf8.contains(text[start]) else { return nil }
    var end = start
    while end < text.count, !text[end].endsValue, !CutText.isMark(at: end, in: text),
      !(isEncoded && text[end...].starts(with: "%26".utf8))
    {
      end += 1
    }
    let isLiteral = ["null", "true", "false"].contains { text[start..<end].elementsEqual($0.utf8) }
    self.init(range: start..<(isLiteral ? start : end), isQueryItem: isQueryItem)
  }

  /// Whether an item of a query, or of a header's parameters, begins there.
  static func beginsItem(at index: Int, in text: [UInt8]) -> Bool {
    index == 0
      || ["?", "&", ";", ", ", "\\u0026", "%26", "%3F", "%3f"].contains {
        text[..<index].suffix($0.utf8.count).elementsEqual($0.utf8)
      }
  }

  /// After `": ` in JSON, `: ` in a script or a header.
  private static func startOfMember(_ index: Int, in text: [UInt8]) -> Int? {
    var index = index
    while index < text.count, "\"'\\ ".utf8.contains(text[index]) { index += 1 }
    guard index < text.count, text[index] == UInt8(ascii: ":") else { return nil }
    return text[(index + 1)...].firstIndex { $0 != UInt8(ascii: " ") }
  }

  /// After the empty line of `name="policy"`, a part of a form.
  private static func startOfPart(_ index: Int, in text: [UInt8]) -> Int? {
    guard index < text.count, text[index] == UInt8(ascii: "\"") else { return nil }
    for blank in ["\r\n\r\n", "\n\n"] {
      if let range = text[index..<min(text.count, index + 300)].firstRange(of: Array(blank.utf8)) {
        return range.upperBound < text.count ? range.upperBound : nil
      }
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }

  fileprivate var lowercased: UInt8 { isUpperCase ? self | 0x20 : self }

  /// A letter, a digit, `-` or `_`.
  fileprivate var isPartOfWord: Bool {
    isUpperCase || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || self == UInt8(ascii: "-")
      || self == UInt8(ascii: "_")
  }

  /// Characters that occur neither in base64 nor in percent-encoding.
  fileprivate var endsValue: Bool { self <= 0x20 || "&#\"'<>\\`,;)]}".utf8.contains(self) }
}
