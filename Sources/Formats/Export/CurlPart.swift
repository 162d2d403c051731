package import Requests

/// A part of a multipart body as the value of curl's `-F`, which has a small language of its own: what a text begins with
/// (`@`, `<`), semicolons, commas and quotation marks have a meaning there (curl, src/tool_formparse.c).
package struct CurlPart {
  package let text: String

  /// - Parameter content: already in that language.
  package init(_ part: MultipartPart, content: String) {
    switch part.content {
    case .bytes: self.init(part, isFile: false, content: content)
    case .file: self.init(part, isFile: true, content: content)
    }
  }

  /// - Parameters:
  ///   - part: its name, its type and its file's name.
  ///   - content: already in that language.
  init(_ part: MultipartPart, isFile: Bool, content: String) {
    // Where curl cannot take the name, the part's own headers have it.
    let isDescribed = Self.isName(part.name) && (isFile || part.fileName == nil)
    var text = "\(isDescribed ? part.name : "part")=\(content)"
    if !isDescribed { text += ";headers=\(Self.quoted(part.disposition))" }
    if let type = part.contentType {
      let isPlain = isDescribed && Self.isType(type)
      text += isPlain ? ";type=\(type)" : ";headers=\(Self.quoted("Content-Type: \(type)"))"
    }
    if isFile, isDescribed, let fileName = part.fileName { text += ";filename=\(Self.word(fileName))" }
    self.text = text
  }

  /// Whether it can be written before the `=`.
  package static func isName(_ name: String) -> Bool { !name.isEmpty && !name.utf8.contains(UInt8(ascii: "=")) }

  /// Whether curl takes it for a type, and nothing in it for another of its keywords.
  private static func isType(_ type: String) -> Bool {
    type.wholeMatch(of: /[A-Za-z0-9.+\-]{1,60}\/[A-Za-z0-9.+\-]{1,60}(; charset=[A-Za-z0-9\-]{1,40})?/) != nil
  }

  /// In quotation marks if it needs them.
  package static func word(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "-_./+%:@".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty ? text : quoted(text)
  }

  package static func quoted(_ text: String) -> String {
    var scalars = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { scalars.append("\\") }
      scalars.append(scalar)
    }
    return String(scalars) + "\""
  }
}
