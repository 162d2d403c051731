/// The text before the input. It may contain colors (SGR sequences, `ESC [ … m`) but no other control characters.
public struct EditorPrompt: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The text with its colors, as given.
  public var text: String

  public init(_ text: String) {
    self.text = text
  }

  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The text without colors and control characters.
  public var plainText: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .style: ""
      }
    }.joined()
  }

  /// The character that encloses anything that takes no space on the screen.
  static let escape: Character = "\u{1}"

  /// The text in the form libedit needs: each color enclosed in ``escape``.
  ///
  /// libedit attaches a color to the visible character after it and loses one that comes last, so such a prompt gets a
  /// space at its end.
  var encoded: String {
    var result = ""
    var openStyle = ""
    for piece in pieces {
      switch piece {
      case .style(let sequence):
        openStyle += sequence
      case .text(let text):
        if !openStyle.isEmpty { result += "\(Self.escape)\(openStyle)\(Self.escape)" }
        openStyle = ""
        result += text
      }
    }
    if !openStyle.isEmpty { result += "\(Self.escape)\(openStyle)\(Self.escape) " }
    return result
  }

  private enum Piece {
    case text(String)
    case style(String)
  }

  private var pieces: [Piece] {
    var pieces: [Piece] = []
    var plain = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if let end = Self.endOfStyle(in: rest) {
        if !plain.isEmpty { pieces.append(.text(plain)) }
        plain = ""
        pieces.append(.style(String(rest[..<end])))
        rest = rest[end...]
      } else {
        if scalar.properties.generalCategory != .control { plain.unicodeScalars.append(scalar) }
        rest.removeFirst()
      }
    }
    if !plain.isEmpty { pieces.append(.text(plain)) }
    return pieces
  }

  /// Where the SGR sequence (ECMA-48 §8.3.117) at the start of `text` ends, if there is one.
  private static func endOfStyle(in text: Substring.UnicodeScalarView) -> String.Index? {
    guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
    let parameters = text.dropFirst(2)
    guard let final = parameters.firstIndex(where: { !("0"..."9" ~= $0 || $0 == ";" || $0 == ":") }),
      parameters[final] == "m"
    else { return nil }
    return parameters.index(after: final)
  }
}
