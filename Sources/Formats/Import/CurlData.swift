internal import Imports
package import RequestSyntax
internal import Requests

/// The pieces of a body that curl's `-d` and its relatives give, in their order.
package struct CurlData {
  enum Piece {
    case text(String)
    /// `-d @file` leaves out what ends lines (CR, LF, NUL); `--data-binary @file` sends the file as it is.
    case file(String, isStripped: Bool)
    /// `--data-urlencode name@file`; the name may be empty.
    case encodedFile(name: String, String)
  }

  private(set) var pieces: [Piece] = []
  /// What `@-` is.
  var input: CurlInput?
  private(set) var readsInput = false

  init() {}

  /// - Parameter values: those of `-d`.
  package init(_ values: [String]) throws(CurlCommand.ParseError) {
    for value in values { try append(value) }
  }

  var isEmpty: Bool { pieces.isEmpty }

  mutating func append(raw text: String) { pieces.append(.text(text)) }

  /// The value of `-d`, or of `--data-binary` and `--json`.
  mutating func append(_ value: String, isBinary: Bool = false) throws(CurlCommand.ParseError) {
    guard value.hasPrefix("@") else { return append(raw: value) }
    guard value == "@-" else { return pieces.append(.file(String(value.dropFirst()), isStripped: !isBinary)) }
    switch try readInput() {
    case .text(let text): append(raw: isBinary ? text : Self.stripped(text))
    case .file(let path): pieces.append(.file(path, isStripped: !isBinary))
    }
  }

  /// What `-` stands for where a file could be named.
  mutating func readInput() throws(CurlCommand.ParseError) -> CurlInput {
    guard let input else { throw .standardInput }
    readsInput = true
    return input
  }

  /// The value of `--data-urlencode`: `text`, `=text`, `name=text`, `@file`, `name@file`.
  mutating func append(encoding value: String) throws(CurlCommand.ParseError) {
    guard let mark = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
      return append(raw: Self.encoded(value))
    }
    let (name, content) = (String(value[..<mark]), String(value[value.index(after: mark)...]))
    if value[mark] == "@" {
      if content != "-" { return pieces.append(.encodedFile(name: name, content)) }
      guard case .text(let text) = try readInput() else { throw .standardInput }
      append(raw: (name.isEmpty ? "" : "\(name)=") + Self.encoded(text))
    } else {
      let encoded = Self.encoded(content)
      append(raw: name.isEmpty ? encoded : "\(name)=\(encoded)")
    }
  }

  /// Without what ends lines.
  private static func stripped(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !["\r", "\n", "\0"].contains($0) }))
  }

  /// A space becomes `+`.
  private static func encoded(_ text: String) -> String {
    ShellVariable.encoded(text) {
      PercentEncoding.component.encode(ShellBytes.bytes(of: $0)).replacing("%20", with: "+")
    }
  }

  /// All pieces, if none of them is a file.
  func text(separator: String = "&") -> String? {
    var texts: [String] = []
    for piece in pieces {
      guard case .text(let text) = piece else { return nil }
      texts.append(text)
    }
    return texts.joined(separator: separator)
  }

  /// The body of a form, as `-d` sends it.
  package var clauses: [ClauseSyntax] { [body(separator: "&", type: "application/x-www-form-urlencoded")] }

  func body(separator: String, type: String?) -> ClauseSyntax {
    if pieces.count == 1, case .file(let path, false) = pieces[0] { return .body(file: path, type: type) }
    let typed = TypedSyntax(type: type)
    if let text = text(separator: separator) { return ClauseSyntax(.body(ShellBytes.expression(text), typed)) }
    let values = pieces.map(\.expression)
    if values.count == 1 { return ClauseSyntax(.body(values[0], typed)) }
    let joined = ExpressionSyntax.array(ArraySyntax(values)).piped(to: "join", .text(separator))
    return ClauseSyntax(.body(joined, typed))
  }
}

extension CurlData.Piece {
  /// What curl leaves out of a file whose text it sends.
  private static let lineEnds = #"[\r\n\x00]"#

  /// As a text.
  fileprivate var expression: ExpressionSyntax {
    switch self {
    case .text(let text): return .text(text)
    case .file(let path, let isStripped):
      let text = ExpressionSyntax.call("file", .text(path)).path([.member("text")])
      return isStripped
        ? text.piped(through: [("replace-regex", [.raw(Self.lineEnds), .text("")])]) : text
    case .encodedFile(let name, let path):
      let text = ExpressionSyntax.call("file", .text(path)).path([.member("text")])
      let encoded = text.piped(through: [("url-encode", []), ("replace", [.text("%20"), .text("+")])])
      if name.isEmpty { return encoded }
      return ExpressionSyntax.array(ArraySyntax([.text("\(name)="), encoded])).piped(to: "join", .text(""))
    }
  }
}

/// What a curl line reads as its standard input.
package enum CurlInput: Hashable {
  case text(String)
  case file(String)

  /// What came through a pipe.
  package init(_ bytes: [UInt8]) { self = .text(ShellBytes.text(of: bytes)) }
}
