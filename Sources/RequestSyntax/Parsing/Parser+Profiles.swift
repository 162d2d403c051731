import Diagnostics

extension Parser {
  /// `"profile" name "{" { setting } "}"`
  mutating func profile(from start: Int) throws(SyntaxError) -> ProfileSyntax {
    let name = try name("the name of the profile")
    let opened = try openBlock()
    var settings: [SettingSyntax] = []
    while true {
      lexer.takeLineEnds()
      expects(.words(Keywords.settings))
      if lexer.isAtEnd || lexer.peek() == UInt8(ascii: "}") { break }
      lastWordValue = nil
      do throws(SyntaxError) {
        let setting = try setting()
        settings.append(setting)
        lexer.skipTrivia()
        if !lexer.isAtLineEnd, lexer.peek() != UInt8(ascii: "}") { try settingEnd() }
      } catch {
        report(error)
        recover()
      }
    }
    try closeBlock(opened)
    return ProfileSyntax(name: name, settings: settings, range: SourceRange(start, lexer.triviaStart))
  }

  /// Settings may share a line, as clauses may.
  private mutating func settingEnd() throws(SyntaxError) {
    expects(.words(Keywords.settings))
    if let name = lexer.peekedName, Keywords.settings.contains(name) { return }
    try statementEnd()
  }

  private mutating func setting() throws(SyntaxError) -> SettingSyntax {
    guard let name = lexer.peekedName else { throw expected("a setting or }") }
    let start = lexer.position
    let kind: SettingSyntax.Kind
    if Keywords.clauseSet.contains(name), Keywords.settings.contains(name) {
      kind = .clause(try clause(self.name("a clause")))
    } else {
      guard Keywords.settings.contains(name) else { throw failure(.unknownSetting(name), name.utf8.count) }
      lexer.take(.name, name.utf8.count)
      if lexer.peek() == UInt8(ascii: "#") { throw expected("a space after \(name)") }
      kind = try settingKind(name)
    }
    return SettingSyntax(kind: kind, range: SourceRange(start, lexer.triviaStart))
  }

  private mutating func settingKind(_ name: String) throws(SyntaxError) -> SettingSyntax.Kind {
    switch name {
    case "base": return .base(try origin())
    case "origin": return .origin(try origin())
    case "proxy": return .proxy(try value())
    case "http": return .http(try value())
    case "unix-socket": return .unixSocket(try value())
    case "cookies":
      if takeKeyword("on") { return .cookies(isOn: true) }
      if takeKeyword("off") { return .cookies(isOn: false) }
      throw expected("on or off")
    case "tls":
      lexer.skipTrivia()
      guard lexer.peek() == UInt8(ascii: "{") else { throw expected("{") }
      return .tls(try object())
    default:
      return try resolve()
    }
  }

  private mutating func origin() throws(SyntaxError) -> ExpressionSyntax {
    lexer.skipTrivia()
    expects(.origin)
    return try value()
  }

  /// `"resolve" host ":" word`
  private mutating func resolve() throws(SyntaxError) -> SettingSyntax.Kind {
    lexer.skipTrivia()
    var length = 0
    while let byte = lexer.peek(length), !Lexer.isWhiteSpace(byte), byte != UInt8(ascii: "{"), byte != UInt8(ascii: "}")
    {
      length += 1
    }
    guard length > 1, lexer.peek(length - 1) == UInt8(ascii: ":") else { throw expected("a host followed by :") }
    let host = lexer.text(length - 1)
    lexer.take(.word, length - 1)
    lexer.take(.punctuation, 1)
    lexer.skipTrivia()
    let address = try word()
    if address.pieces.isEmpty { throw expected("an address") }
    return .resolve(host: host, address: address)
  }
}
