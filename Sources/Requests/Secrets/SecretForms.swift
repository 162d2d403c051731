package import HTTPTypes
internal import JSONValue

/// The forms a secret takes on its way through URLs, forms, headers and JSON, as bytes to look for.
package enum SecretForms {
  /// A form with the name it is recorded under.
  package struct Named: Sendable {
    package let name: String
    package let bytes: [UInt8]
  }

  /// All forms of a secret.
  struct All: Sendable {
    let named: [Named]
    let bytes: Set<[UInt8]>

    init(of secret: Secret) {
      named = SecretForms.made(of: secret)
      bytes = Set(named.map(\.bytes))
    }
  }

  /// The bytes of all forms.
  package static func all(of secret: Secret) -> Set<[UInt8]> { secret.forms.bytes }

  /// The secret itself, percent-encoded in each way, JSON-escaped once and twice, in lowercase as header field names
  /// and media types are read, in UTF-16, in hex, and in base64 at each of the three alignments, without the characters
  /// that depend on its neighbors.
  ///
  /// `FormSearch` finds each of them with any other escapes, too. Those that have a name here are recorded under it.
  package static func named(of secret: Secret) -> [Named] { secret.forms.named }

  private static func made(of secret: Secret) -> [Named] {
    secret.withExposedText { text in
      guard !text.isEmpty else { return [] }
      if let bytes = secret.bytes { return [Named(name: "bytes", bytes: bytes)] + encoded(bytes) }
      let bytes = Array(text.utf8)
      var forms = [Named(name: "text", bytes: bytes)] + escaped(text, bytes)
      // A short one may be a word that occurs in other texts.
      if !secret.isShort { forms.append(Named(name: "lower", bytes: Array(text.lowercased().utf8))) }
      return forms + rewritten(bytes) + encoded(bytes)
    }
  }

  private static let jsonStyles = ["", "-slash", "-ascii", "-ascii-slash", "-html"]

  /// In the escapes that have a name.
  private static func escaped(_ text: String, _ bytes: [UInt8]) -> [Named] {
    // Most secrets need none.
    let isPlain = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if isPlain { return plainNames.map { Named(name: $0, bytes: bytes) } }
    let percent = PercentEncoding.component.encode(text)
    var forms = [
      Named(name: "percent", bytes: Array(percent.utf8)),
      Named(name: "percent-lower", bytes: Array(lowercasingEscapes(percent).utf8)),
      Named(name: "percent-reserved", bytes: Array(PercentEncoding.reserved.encode(text).utf8)),
      Named(name: "form", bytes: Array(PercentEncoding.form.encode(text).utf8)),
    ]
    for (style, escaped) in zip(jsonStyles, jsonEscaped(text)) {
      forms.append(Named(name: "json" + style, bytes: Array(escaped.utf8)))
    }
    forms.append(Named(name: "json-twice", bytes: Array(jsonEscaped(jsonEscaped(text, also: none), also: none).utf8)))
    return forms
  }

  private static let plainNames =
    ["percent", "percent-lower", "percent-reserved", "form"] + jsonStyles.map { "json" + $0 } + ["json-twice"]

  /// In UTF-16, with the line endings of others, with `+` for a space, and without the escapes that it contains.
  private static func rewritten(_ bytes: [UInt8]) -> [Named] {
    guard bytes.count >= Secret.fewestBytes else { return [] }
    var forms: [Named] = []
    let units = String(decoding: bytes, as: UTF8.self).utf16
    for (name, isLittle) in [("utf16-le", true), ("utf16-be", false)] {
      let pairs = units.flatMap { unit in
        let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
        return isLittle ? [low, high] : [high, low]
      }
      forms.append(Named(name: name, bytes: pairs))
    }
    var texts = [(name: "", bytes: bytes)]
    if bytes.contains(0x0A) {
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
        line.last == 0x0D ? line.dropLast() : line
      }
      texts.append(("lf", Array(lines.joined(separator: [0x0A]))))
      texts.append(("crlf", Array(lines.joined(separator: [0x0D, 0x0A]))))
    }
    if bytes.contains(UInt8(ascii: " ")) {
      texts += texts.map { name, bytes in
        ((name.isEmpty ? "" : name + "-") + "plus", bytes.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 })
      }
    }
    forms += texts.dropFirst().map(Named.init)
    for (index, said) in (UnescapedText(bytes, reach: 0)?.texts ?? []).enumerated() where said.count >= 8 {
      forms.append(Named(name: "unescaped-\(index + 1)", bytes: said))
    }
    return forms
  }

  /// In hex, and in base64 at each alignment.
  private static func encoded(_ bytes: [UInt8]) -> [Named] {
    // Shorter ones would be found everywhere.
    guard bytes.count >= 4 else { return [] }
    var forms: [Named] = []
    let hex = bytes.hex
    forms.append(Named(name: "hex", bytes: Array(hex.utf8)))
    forms.append(Named(name: "hex-upper", bytes: Array(hex.uppercased().utf8)))
    forms.append(Named(name: "base64", bytes: Array(Base64.encode(bytes).utf8)))
    for shift in 0..<3 {
      let core = base64Core(of: bytes, after: shift)
      forms.append(Named(name: "base64-\(shift)", bytes: core))
      let urlCore = core.map { byte in
        byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
      }
      forms.append(Named(name: "base64url-\(shift)", bytes: urlCore))
    }
    return forms
  }

  /// The base64 characters that depend on the secret alone when `shift` bytes precede it and any bytes follow.
  private static func base64Core(of bytes: [UInt8], after shift: Int) -> [UInt8] {
    let encoded = Array(Base64.encode([UInt8](repeating: 0, count: shift) + bytes).utf8)
    let first = (shift * 8 + 5) / 6
    let end = (shift + bytes.count) * 8 / 6
    return Array(encoded[first..<end])
  }

  /// `%2f` for `%2F`: both are in use.
  private static func lowercasingEscapes(_ text: String) -> String {
    var result: [UInt8] = []
    var digits = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "%") {
        digits = 3
      }
      result.append(digits > 0 && (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte + 32 : byte)
      digits = max(0, digits - 1)
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// As JSON writers escape it: only what must be escaped, slashes too, ASCII only, and safe for HTML.
  private static func jsonEscaped(_ text: String) -> [String] {
    let slash: (Unicode.Scalar) -> Bool = { $0 == "/" }
    let html: (Unicode.Scalar) -> Bool = { $0 == "<" || $0 == ">" || $0 == "&" }
    return [none, slash, { !$0.isASCII }, { slash($0) || !$0.isASCII }, html].map { jsonEscaped(text, also: $0) }
  }

  private static func none(_: Unicode.Scalar) -> Bool { false }

  private static func jsonEscaped(_ text: String, also isEscaped: (Unicode.Scalar) -> Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      case "/" where isEscaped(scalar): escaped += "\\/"
      case _ where isEscaped(scalar) || scalar.value < 0x20:
        for unit in String(scalar).utf16 {
          escaped += "\\u" + unit.hex(4)
        }
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The parts of a request that contain one of the secrets, in any form.
  package static func parts(
    holding secrets: Set<Secret>, headers: HTTPFields, query: [QueryItem], body: [BodySegment]? = nil
  ) -> [WithheldCredential.Part] {
    guard !secrets.isEmpty else { return [] }
    let search = FormSearch(secrets)
    let holds = { (bytes: [UInt8]) in search.isMatched(in: bytes) }
    var parts: [WithheldCredential.Part] = headers.filter { holds(Array($0.value.utf8)) }.map { .header($0.name) }
    parts += query.filter { holds(Array($0.value.utf8)) }.map { .query($0.name) }
    let isInBody = (body ?? []).contains { segment in
      switch segment {
      case .bytes(let bytes): holds(bytes)
      case .file: false
      }
    }
    return isInBody ? parts + [.body] : parts
  }
}
