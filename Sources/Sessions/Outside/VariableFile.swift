internal import Requests

/// A `.env` file: lines of `NAME=value`. Values are taken as they are written: nothing is expanded.
///
/// `export` before a name, comments and empty lines are skipped. `'…'` is taken literally, `"…"` has the escapes
/// `\n \r \t \" \\ \$`; both may span lines. Without quotes a value ends before ` #` or the line's end.
package struct VariableFile: Sendable {
  /// The longest one, in bytes.
  private static let longest = 1 << 20

  package let variables: [String: String]

  /// - Parameter path: `-` is standard input.
  package init(_ path: String, in world: World) throws(OutsideFileError) {
    try self.init(try world.readOutside(path), path: path)
  }

  package init(_ bytes: [UInt8], path: String) throws(OutsideFileError) {
    let name = path == "-" ? "<stdin>" : path
    guard bytes.count <= Self.longest else {
      throw .content(path: name, line: nil, problem: "this is more than 1 MiB, which no file of variables is")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw .content(path: name, line: nil, problem: "this is not text in UTF-8")
    }
    var reader = LineReader(text.replacing("\r\n", with: "\n"), path: name)
    variables = try reader.variables()
  }
}

private struct LineReader {
  private let characters: [Character]
  private let path: String
  private var index = 0
  private var line = 1

  init(_ text: String, path: String) {
    characters = Array(text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...])
    self.path = path
  }

  mutating func variables() throws(OutsideFileError) -> [String: String] {
    var found: [String: String] = [:]
    while let next {
      if next.isWhitespace {
        advance()
      } else if next == "#" {
        skipLine()
      } else {
        let (name, value) = try variable()
        found[name] = value
      }
    }
    return found
  }

  private var next: Character? { index < characters.count ? characters[index] : nil }

  private mutating func advance() {
    if characters[index].isNewline { line += 1 }
    index += 1
  }

  private mutating func skipLine() {
    while let next, !next.isNewline { advance() }
  }

  private mutating func skipSpaces() {
    while let next, next == " " || next == "\t" { advance() }
  }

  private mutating func variable() throws(OutsideFileError) -> (String, String) {
    var name = word()
    if name == "export", let next, next == " " || next == "\t" {
      skipSpaces()
      name = word()
    }
    skipSpaces()
    guard !name.isEmpty, next == "=" else {
      throw failure("this is not NAME=value", at: line, "a comment begins with #; a value of several lines is quoted")
    }
    advance()
    skipSpaces()
    switch next {
    case "'"?: return (name, try quoted("'", hasEscapes: false))
    case "\""?: return (name, try quoted("\"", hasEscapes: true))
    default: return (name, bare())
    }
  }

  private mutating func word() -> String {
    let start = index
    while let next, next.isASCII, next.isLetter || next.isNumber || "_.-".contains(next) { advance() }
    let text = String(characters[start..<index])
    return text.first?.isNumber ?? true ? "" : text
  }

  private mutating func bare() -> String {
    let start = index
    while let next, !next.isNewline {
      if next == "#", index == start || characters[index - 1] == " " || characters[index - 1] == "\t" { break }
      advance()
    }
    let value = String(characters[start..<index])
    skipLine()
    return String(value.reversed().drop(while: \.isWhitespace).reversed())
  }

  private mutating func quoted(_ mark: Character, hasEscapes: Bool) throws(OutsideFileError) -> String {
    let start = line
    var value = ""
    advance()
    while let next, next != mark {
      advance()
      guard hasEscapes, next == "\\", let escaped = self.next else {
        value.append(next)
        continue
      }
      advance()
      switch escaped {
      case "n": value.append("\n")
      case "r": value.append("\r")
      case "t": value.append("\t")
      case "\"", "\\", "$": value.append(escaped)
      default: value += "\\\(escaped)"
      }
    }
    guard next == mark else { throw failure("the quote is not closed", at: start) }
    advance()
    skipSpaces()
    guard next.map({ $0.isNewline || $0 == "#" }) ?? true else {
      throw failure("something follows the closing quote", at: line)
    }
    skipLine()
    return value
  }

  private func failure(_ problem: String, at line: Int, _ advice: String...) -> OutsideFileError {
    .content(path: path, line: line, problem: problem, advice: advice)
  }
}
