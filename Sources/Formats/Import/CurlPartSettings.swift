/// What follows the content of a part in curl's `-F`: `;type=…;filename=…`, each perhaps in quotation marks (curl,
/// src/tool_formparse.c).
struct CurlPartSettings {
  private(set) var value = ""
  private(set) var type: String?
  private(set) var fileName: String?

  init(_ text: String) throws(CurlCommand.ParseError) {
    var rest = text[...]
    value = Self.word(&rest)
    while rest.popFirst() == ";" {
      rest = rest.drop { $0 == " " }
      if rest.hasPrefix("type=") {
        rest.removeFirst(5)
        type = Self.type(&rest)
      } else if rest.hasPrefix("filename=") {
        rest.removeFirst(9)
        fileName = Self.word(&rest)
      } else if rest.hasPrefix("headers=") || rest.hasPrefix("encoder=") {
        throw .otherwise(
          option: "-F with headers= or encoder=", "multipart { name: value as \"type\" named \"file name\" }")
      } else {
        // curl leaves it out, and says so.
        _ = Self.word(&rest)
      }
    }
  }

  /// The type that curl knows by a file's name; nil: it knows none.
  static func type(ofFile name: String) -> String? {
    switch name.split(separator: ".", omittingEmptySubsequences: false).last?.lowercased() {
    case "gif": "image/gif"
    case "jpg", "jpeg": "image/jpeg"
    case "png": "image/png"
    case "svg": "image/svg+xml"
    case "txt": "text/plain"
    case "htm", "html": "text/html"
    case "pdf": "application/pdf"
    case "xml": "application/xml"
    default: nil
    }
  }

  /// What it gives any other file.
  static let unknownType = "application/octet-stream"

  /// Up to a semicolon, or between quotation marks, in which a backslash keeps one of them or itself.
  private static func word(_ rest: inout Substring) -> String {
    guard rest.first == "\"" else {
      let word = rest.prefix { $0 != ";" }
      rest = rest[word.endIndex...]
      return String(word)
    }
    var word = ""
    var inner = rest.dropFirst()
    while let character = inner.popFirst() {
      if character == "\"" {
        rest = inner.drop { $0 != ";" }
        return word
      }
      if character == "\\", let next = inner.first, next == "\"" || next == "\\" {
        word.append(next)
        inner.removeFirst()
      } else {
        word.append(character)
      }
    }
    // A quotation mark that is not closed is a part of the text.
    let whole = rest.prefix { $0 != ";" }
    rest = rest[whole.endIndex...]
    return String(whole)
  }

  /// A type may have parameters, each after a semicolon that belongs to it.
  private static func type(_ rest: inout Substring) -> String {
    var type = rest.prefix { $0 != ";" }
    rest = rest[type.endIndex...]
    while rest.first == ";", !rest.dropFirst().drop(while: { $0 == " " }).hasPrefix("filename="),
      !rest.dropFirst().drop(while: { $0 == " " }).hasPrefix("headers=")
    {
      let more = rest.dropFirst().prefix { $0 != ";" }
      type = rest[..<more.endIndex].base[type.startIndex..<more.endIndex]
      rest = rest[more.endIndex...]
    }
    return String(type)
  }
}
