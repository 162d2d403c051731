import Foundation
import Requests
import Testing

/// How a program writes a text that has to be escaped.
struct Escaper: Sendable, CustomTestStringConvertible {
  let name: String
  /// Whether the store says which escapes were used, so that the same bytes come back.
  var isDescribed = true
  let write: @Sendable (String) -> String

  var testDescription: String { name }

  private static func scalars(
    _ name: String, isDescribed: Bool = true, _ write: @escaping @Sendable (Unicode.Scalar) -> String?
  ) -> Escaper {
    Escaper(name: name, isDescribed: isDescribed) { text in
      text.unicodeScalars.map { write($0) ?? String($0) }.joined()
    }
  }

  private static func json(
    _ name: String, also characters: String, isUpper: Bool = false, asciiOnly: Bool = false, slash: Bool = false
  ) -> Escaper {
    scalars(name) { scalar in
      if scalar == "/", slash { return "\\/" }
      guard !characters.unicodeScalars.contains(scalar), !(asciiOnly && !scalar.isASCII) else {
        return unicode(scalar, isUpper: isUpper)
      }
      switch scalar {
      case "\"": return "\\\""
      case "\\": return "\\\\"
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      case _ where scalar.value < 0x20: return unicode(scalar, isUpper: isUpper)
      default: return nil
      }
    }
  }

  private static func unicode(_ scalar: Unicode.Scalar, isUpper: Bool) -> String {
    String(scalar).utf16.map { String(format: isUpper ? "\\u%04X" : "\\u%04x", $0) }.joined()
  }

  private static func percent(_ name: String, keeps kept: String, format: String = "%%%02X") -> Escaper {
    scalars(name) { scalar in
      let isKept =
        kept.unicodeScalars.contains(scalar) || scalar.isASCII && CharacterSet.alphanumerics.contains(scalar)
      return isKept ? nil : bytes(scalar, format: format)
    }
  }

  private static func bytes(_ scalar: Unicode.Scalar, format: String) -> String {
    String(scalar).utf8.map { String(format: format, $0) }.joined()
  }

  private static func html(
    _ name: String, _ format: String?, isDescribed: Bool = true, quotes: [Unicode.Scalar: String] = [:]
  ) -> Escaper {
    scalars(name, isDescribed: isDescribed) { scalar in
      guard "&<>\"'".unicodeScalars.contains(scalar) || !scalar.isASCII else { return nil }
      return quotes[scalar] ?? format.map { String(format: $0, scalar.value) }
    }
  }

  private static func quotedPrintable(_ text: String, lineEnd: String) -> String {
    let count = text.utf8.count
    return text.utf8.enumerated().map { index, byte in
      let isPlain = (0x21..<0x7F).contains(byte) && byte != UInt8(ascii: "=")
      let written = isPlain ? String(UnicodeScalar(byte)) : String(format: "=%02X", byte)
      return index % 20 == 19 && index + 1 < count ? written + lineEnd : written
    }.joined()
  }

  private static let named: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]

  static let all: [Escaper] = [
    json("JSON", also: ""), json("PHP", also: "", asciiOnly: true, slash: true),
    json("Python", also: "", asciiOnly: true),
    json("Go", also: "<>&"), json("Gson", also: "<>&='"),
    json(".NET", also: "<>&+'\"`", isUpper: true, asciiOnly: true),
    json("Jackson", also: "", isUpper: true, asciiOnly: true), json("Rails", also: "<>&\u{2028}"),
    json("every character", also: "abcdefghijklmnopqrstuvwxyz-/+~."),
    percent("component", keeps: "-._~"), percent("quote", keeps: "-._~/"),
    percent("encodeURIComponent", keeps: "-_.!~*'()"), percent("encodeURI", keeps: "-_.!~*'();/?:@&=+$,#"),
    percent("lower", keeps: "-._~", format: "%%%02x"), percent("every byte", keeps: ""),
    html("html.escape", nil, quotes: named.merging(["'": "&#x27;"]) { $1 }),
    html("PHP htmlspecialchars", nil, quotes: named.merging(["'": "&#039;"]) { $1 }),
    html("XML", "&#x%X;", quotes: named.merging(["'": "&apos;"]) { $1 }),
    html("decimal entities", "&#%d;"), html("hex entities", "&#x%x;"),
    html("long entities", "&#x%06x;", isDescribed: false),
    scalars("C") { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\t": "\\t"
      case "\"", "'", "\\": "\\\(scalar)"
      case _ where scalar.isASCII && scalar.value >= 0x20: nil
      default: bytes(scalar, format: "\\x%02x")
      }
    },
    scalars("nginx") { scalar in
      scalar.isASCII && scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
        ? nil : bytes(scalar, format: "\\x%02X")
    },
    scalars("octal") { scalar in
      scalar.isASCII && scalar.value >= 0x20 && scalar != "\\" ? nil : bytes(scalar, format: "\\%03o")
    },
    scalars("percent and u") { scalar in
      scalar.isASCII && CharacterSet.alphanumerics.contains(scalar) || scalar.value > 0xFFFF
        ? nil : String(format: "%%u%04X", scalar.value)
    },
    Escaper(name: "short octal") { text in
      let bytes = Array(text.utf8)
      return bytes.indices.map { index in
        let (byte, next) = (bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
        if (0x41..<0x7F).contains(byte), byte != 0x5C { return String(UnicodeScalar(byte)) }
        return String(format: byte < 0o100 && !(0x30...0x37).contains(next) ? "\\%02o" : "\\%03o", byte)
      }.joined()
    },
    Escaper(name: "quoted-printable") { quotedPrintable($0, lineEnd: "=\r\n") },
    Escaper(name: "quoted-printable, LF") { quotedPrintable($0, lineEnd: "=\n") },
    scalars("Rust", isDescribed: false) { scalar in
      scalar == "\\" ? "\\\\" : scalar.isASCII ? nil : "\\u{\(String(scalar.value, radix: 16))}"
    },
    scalars("shell") { $0 == "'" ? #"'\''"# : nil },
    scalars("shlex") { $0 == "'" ? #"'"'"'"# : nil },
    scalars("printf %q") { scalar in
      scalar.isASCII && scalar.value > 0x20 && !CharacterSet.alphanumerics.contains(scalar) ? "\\\(scalar)" : nil
    },
    Escaper(name: "part name") { text in
      text.replacing("\r\n", with: "\n").replacing("\"", with: "%22").replacing("\n", with: "%0D%0A")
    },
  ]
}
