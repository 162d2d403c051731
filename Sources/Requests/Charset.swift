internal import POSIX

/// A character encoding by the name that a `Content-Type` gives it, as far as this machine knows it.
package struct Charset: Hashable, Sendable {
  private let name: String

  /// nil if nobody here knows the name.
  package init?(_ label: String) {
    let name = label.trimmed.uppercased()
    guard !name.isEmpty, name.utf8.count <= 40, name.utf8.allSatisfy(Self.isNamePart) else { return nil }
    self.name = Self.others[name] ?? name
    guard self.name != "UTF-8" else { return }
    guard let converter = Self.open(self.name) else { return nil }
    iconv_close(converter)
  }

  /// The charset that HTML or XML names in its beginning (HTML: `meta`; XML 1.0 §4.3.3); nil as above.
  package init?(declaredIn bytes: [UInt8], ofType type: String) {
    let essence = MediaType.essence(of: type)
    let (isHTML, isXML) = (essence.hasSuffix("html") || essence == "application/xhtml+xml", essence.hasSuffix("xml"))
    guard isHTML || isXML, !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return nil }
    let head = String(decoding: bytes.prefix(1_024), as: UTF8.self)
    let xml = /^\s*<\?xml[^>]{1,200}?\sencoding\s*=\s*["'](?<name>[\w.:\-]{1,40})["']/
    let meta = /<meta\s[^>]{0,200}?charset\s*=\s*["']?(?<name>[\w.:\-]{1,40})/.ignoresCase()
    let name = head.firstMatch(of: xml).map { $0.name } ?? (isHTML ? head.firstMatch(of: meta)?.name : nil)
    // It could be read, so it is in none of those with two bytes for a letter.
    guard let name, !name.lowercased().hasPrefix("utf-16"), !name.lowercased().hasPrefix("utf-32") else { return nil }
    self.init(String(name))
  }

  /// The charset of a `Content-Type` (RFC 9110 §8.3.2); nil if it names none, or none that is known.
  package init?(ofType contentType: String) {
    for parameter in contentType.split(separator: ";").dropFirst() {
      let sides = parameter.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, sides[0].trimmed.lowercased() == "charset" else { continue }
      self.init(sides[1].trimmed.filter { $0 != "\"" })
      return
    }
    return nil
  }

  /// Spellings of the web for UTF-8; what is called Latin-1 or ASCII there is read as Windows-1252 (WHATWG Encoding §4.2).
  private static let others = [
    "UTF8": "UTF-8", "LATIN1": "WINDOWS-1252", "ISO-8859-1": "WINDOWS-1252", "ISO8859-1": "WINDOWS-1252",
    "US-ASCII": "WINDOWS-1252", "ASCII": "WINDOWS-1252", "GB2312": "GBK",
  ]

  /// The text, with U+FFFD for each byte that is not part of the encoding.
  package func lenientText(_ bytes: [UInt8]) -> String {
    name == "UTF-8" ? String(decoding: bytes, as: UTF8.self) : convert(bytes).text
  }

  /// - Throws: `CharsetError` for bytes that are not in this encoding.
  package func text(_ bytes: [UInt8]) throws(CharsetError) -> String {
    if name == "UTF-8" {
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      throw CharsetError(offset: Self.validUTF8Length(bytes))
    }
    let converted = convert(bytes)
    if let offset = converted.firstFault { throw CharsetError(offset: offset) }
    return converted.text
  }

  private static func validUTF8Length(_ bytes: [UInt8]) -> Int {
    var (low, high) = (0, bytes.count)
    // The longest prefix that is valid, up to a character that is cut off.
    while low < high {
      let middle = (low + high + 1) / 2
      let isValid = (0...3).contains {
        middle + $0 <= bytes.count && String(validating: bytes[..<(middle + $0)], as: UTF8.self) != nil
      }
      if isValid { low = middle } else { high = middle - 1 }
    }
    return min(low, bytes.count - 1)
  }

  private func convert(_ bytes: [UInt8]) -> (text: String, firstFault: Int?) {
    guard let converter = Self.open(name) else { return (String(decoding: bytes, as: UTF8.self), nil) }
    defer { iconv_close(converter) }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 2)
    var firstFault: Int?
    var input = bytes.map { CChar(bitPattern: $0) }
    var chunk = [CChar](repeating: 0, count: 16 << 10)
    input.withUnsafeMutableBufferPointer { input in
      var next = input.baseAddress
      var left = input.count
      while left > 0 {
        let (state, written) = chunk.withUnsafeMutableBufferPointer { chunk in
          var place = chunk.baseAddress
          var room = chunk.count
          let result = iconv(converter, &next, &left, &place, &room)
          return (result == -1 ? errno : 0, chunk.count - room)
        }
        output += chunk[..<written].map { UInt8(bitPattern: $0) }
        if state == EILSEQ || state == EINVAL {
          firstFault = firstFault ?? (bytes.count - left)
          output += [0xEF, 0xBF, 0xBD]
          next = next?.successor()
          left -= 1
        }
      }
    }
    return (String(decoding: output, as: UTF8.self), firstFault)
  }

  private static func open(_ name: String) -> iconv_t? {
    let converter = iconv_open("UTF-8", name)
    // It returns -1 for a name that it does not know.
    return Int(bitPattern: converter) == -1 ? nil : converter
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"):
      true
    default: false
    }
  }
}

/// A byte that is not part of a text in the encoding that it is said to be in.
package struct CharsetError: Error, Hashable {
  /// The byte's offset.
  package let offset: Int
}
