import Diagnostics

/// A cursor over the bytes of a text. The parser drives it, because the meaning of characters depends on the place: it
/// asks for a name, a number, a word or punctuation, and the lexer records what was taken as a token, if somebody wants
/// to know.
struct Lexer {
  let source: SourceText
  let bytes: [UInt8]
  /// Everything before it is taken, except for the trivia since `triviaStart`.
  private(set) var position = 0
  private(set) var triviaStart = 0
  /// Open brackets; inside them line ends are whitespace.
  var depth = 0
  private let keepsTokens: Bool
  private(set) var tokens: [Token] = []
  private(set) var comments: [CommentSyntax] = []
  private var recentNames = RecentNames()

  init(_ source: SourceText, keepsTokens: Bool = false) {
    self.source = source
    self.keepsTokens = keepsTokens
    bytes = source.bytes
  }

  /// Begins at another place than the beginning of the text.
  mutating func begin(at place: Int) {
    position = place
    triviaStart = place
  }

  // MARK: Looking

  var isAtEnd: Bool { position >= bytes.count }

  /// The byte `offset` bytes after the cursor.
  func peek(_ offset: Int = 0) -> UInt8? {
    let index = position + offset
    return index < bytes.count ? bytes[index] : nil
  }

  @inline(__always)
  func isAt(_ text: StaticString) -> Bool {
    // Mostly the first byte tells.
    position < bytes.count && bytes[position] == text.utf8Start.pointee
      && (text.utf8CodeUnitCount == 1 || isAtAll(of: text))
  }

  private func isAtAll(of text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    return text.withUTF8Buffer { buffer in
      for index in 0..<count where buffer[index] != bytes[position + index] { return false }
      return true
    }
  }

  var isAtLineEnd: Bool {
    switch peek() {
    case nil, UInt8(ascii: "\n"): true
    case UInt8(ascii: "\r"): peek(1) == UInt8(ascii: "\n")
    default: false
    }
  }

  /// Whether whitespace or the end of the text is `offset` bytes after the cursor.
  func isWhiteSpace(at offset: Int) -> Bool {
    peek(offset).map(Lexer.isWhiteSpace) ?? true
  }

  /// Whether there are spaces or comments between the last token and the cursor.
  var isAfterTrivia: Bool { position > triviaStart }

  /// The length of the name that starts `offset` bytes after the cursor; 0 if there is none.
  func nameLength(at offset: Int = 0) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      let start = position &+ offset
      guard start < bytes.count, Lexer.isLetter(bytes[start]) || bytes[start] == UInt8(ascii: "_") else { return 0 }
      var end = start &+ 1
      while end < bytes.count {
        if Lexer.isNamePart(bytes[end]) {
          end &+= 1
        } else if bytes[end] == UInt8(ascii: "-"), end &+ 1 < bytes.count, Lexer.isNamePart(bytes[end &+ 1]) {
          end &+= 2
        } else {
          break
        }
      }
      return end &- start
    }
  }

  /// Whether the name of that length is one of the words.
  func isName(_ length: Int, in words: WordSet, at offset: Int = 0) -> Bool {
    bytes.withUnsafeBufferPointer { words.index($0, at: position + offset, length) != nil }
  }

  /// Which of the words the name of that length at the cursor is.
  func index(ofName length: Int, in words: WordSet) -> Int? {
    bytes.withUnsafeBufferPointer { words.index($0, at: position, length) }
  }

  /// The name at the cursor.
  var peekedName: String? {
    let length = nameLength()
    return length == 0 ? nil : text(length)
  }

  /// The next `count` bytes as text.
  func text(_ count: Int, at offset: Int = 0) -> String {
    source[SourceRange(position + offset, position + offset + count)]
  }

  /// The distance to the first thing that is neither whitespace nor a comment; line ends are skipped too.
  var offsetBehindLineEnds: Int {
    var index = position
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "#"), index == 0 || Lexer.isWhiteSpace(bytes[index - 1]) {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if Lexer.isWhiteSpace(bytes[index]) {
        index += 1
      } else {
        break
      }
    }
    return index - position
  }

  // MARK: Taking

  /// Skips spaces and comments, and inside brackets line ends.
  @inline(__always)
  mutating func skipTrivia() {
    // Mostly there are none.
    if position < bytes.count, Lexer.isNoTrivia(bytes[position]) { return }
    skipAnyTrivia()
  }

  @inline(never)
  private mutating func skipAnyTrivia() {
    // Mostly there are spaces, and no comment after them.
    var index = position
    while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
    position = index
    if index > 0, index < bytes.count, case let byte = bytes[index],
      Lexer.isNoTrivia(byte) || byte == UInt8(ascii: "\n") && depth == 0
    {
      return
    }
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        position += 1
      case UInt8(ascii: "\n") where depth > 0:
        position += 1
      case UInt8(ascii: "\r") where depth > 0 && peek(1) == UInt8(ascii: "\n"):
        position += 2
      case UInt8(ascii: "#") where position == 0 || Lexer.isWhiteSpace(bytes[position - 1]):
        takeComment()
      case 0xEF where position == 0 && isAt("\u{FEFF}"):
        position += 3
      default:
        return
      }
    }
  }

  /// Takes line ends and the trivia around them.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  mutating func takeLineEnds() -> Bool {
    skipTrivia()
    var hasTaken = false
    while !isAtEnd, isAtLineEnd {
      take(.lineEnd, peek() == UInt8(ascii: "\r") ? 2 : 1)
      skipTrivia()
      hasTaken = true
    }
    return hasTaken
  }

  /// Makes the next `count` bytes a token.
  @discardableResult @inline(__always)
  mutating func take(_ kind: Token.Kind, _ count: Int) -> SourceRange {
    let range = SourceRange(position, min(position + count, bytes.count))
    if keepsTokens { keep(kind, range) }
    position = range.upperBound
    triviaStart = position
    return range
  }

  private mutating func keep(_ kind: Token.Kind, _ range: SourceRange) {
    tokens.append(Token(kind: kind, triviaStart: triviaStart, range: range))
  }

  /// Makes everything before `end` a token, if there is anything.
  mutating func skip(to end: Int) {
    guard end > position else { return }
    take(.skipped, end - position)
  }

  /// Takes the name at the cursor.
  mutating func takeName() -> NameSyntax? {
    let length = nameLength()
    return length > 0 ? takeName(length) : nil
  }

  /// Takes the next `length` bytes, which are a name.
  mutating func takeName(_ length: Int) -> NameSyntax {
    let text = recentText(length)
    return NameSyntax(text: text, range: take(.name, length))
  }

  /// The next `length` bytes as a text that probably occurs again.
  mutating func recentText(_ length: Int) -> String {
    guard let number = bytes.withUnsafeBufferPointer({ ShortWord.number($0, at: position, length) }) else {
      return text(length)
    }
    if let text = recentNames.text(of: number) { return text }
    let text = text(length)
    recentNames.remember(text, number)
    return text
  }

  private mutating func takeComment() {
    var end = position
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
    if end > position, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    let line = source.lineRange(source.lineIndex(at: position))
    let standsAlone = bytes[line.lowerBound..<position].allSatisfy {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
    }
    let range = SourceRange(position, end)
    comments.append(
      CommentSyntax(
        text: source[range], range: range, standsAlone: standsAlone, endsParagraph: isEmptyLine(after: end)))
    position = end
  }

  /// Whether the line after the one that ends at `offset` is empty.
  private func isEmptyLine(after offset: Int) -> Bool {
    var lineEnds = 0
    for byte in bytes[offset...] {
      if byte == UInt8(ascii: "\n") { lineEnds += 1 }
      if lineEnds == 2 { return true }
      if !Lexer.isWhiteSpace(byte) { return false }
    }
    return false
  }

  // MARK: Characters

  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// Whether a byte is neither white space nor a control, and begins no comment and no byte order mark.
  static func isNoTrivia(_ byte: UInt8) -> Bool {
    byte > UInt8(ascii: " ") && byte != UInt8(ascii: "#") && byte != 0xEF
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  static func isUppercase(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }

  /// ASCII letters, and everything that is not ASCII (as RFC 9535 defines member names).
  static func isLetter(_ byte: UInt8) -> Bool {
    let folded = byte | 0x20
    return (folded >= UInt8(ascii: "a") && folded <= UInt8(ascii: "z")) || byte >= 0x80
  }

  static func isNamePart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (byte < 0x40 ? nameParts.low : nameParts.high) >> UInt64(byte & 0x3F) & 1 != 0
  }

  /// A bit for each ASCII character: digits, then letters and `_`.
  private static var nameParts: (low: UInt64, high: UInt64) { (0x03FF_0000_0000_0000, 0x07FF_FFFE_87FF_FFFE) }

  /// C0 controls and DEL; they are refused in words and strings.
  static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F
  }
}
