package import RequestSyntax

/// A line split into words as a POSIX shell splits it (POSIX.1-2017 XCU §2.2), and `$'…'` as browsers write it.
/// Nothing is expanded: what is not in single quotes and would be is refused, since its value is not known here.
package enum ShellWords {
  /// What becomes of `$NAME`.
  package enum Expansion {
    case refused
    /// A variable keeps its place (`ShellVariable`); anything else is refused.
    case marked
    /// The same, and so does a reference to a response, `$1.body.token`, `{$login.body.id}`: a line that is typed.
    case typed
    /// The same, and any reference does: `$token`, too.
    case references
    /// All of it is text: where a command ends does not depend on it.
    case text

    /// Whether references keep their places, also in braces.
    var takesReferences: Bool { self == .typed || self == .references }
  }

  package enum ParseError: Error, Hashable {
    /// A quotation mark is open, or the line ends with a backslash.
    case open
    /// The shell would replace this: `$NAME`, a backquote.
    case expansion(String)
    /// The shell would do more than run one command: `|`, `;`, `&`, `<`, `>`.
    case operatorFound(Character)
    /// `>>`: what is saved replaces the file.
    case appended(String)
    /// `>` without a file.
    case noFile(Character)
    /// Bytes that are no text, where nothing but a text can be.
    case bytes
  }

  package static func split(_ text: String) throws(ParseError) -> [String] {
    let (words, rest) = try splitCommand(text)
    if let character = rest.first { throw .operatorFound(character) }
    return words
  }

  /// A command, the files it is connected to, and what follows it from the next operator on: `| jq .`.
  package struct Command {
    package var words: [String]
    /// `< file`
    package var input: String?
    /// `> file`; what is thrown away is not in a file.
    package var output: String?
    /// `2>&1`
    package var joinsErrors = false
    package var rest: Substring
  }

  /// The first command with its redirections, which may be before other words of it.
  package static func command(_ text: String, _ expansion: Expansion = .refused) throws(ParseError) -> Command {
    try command(of: withoutReturns(text)[...], expansion)
  }

  /// The same of a text whose lines end with a line feed.
  static func command(of text: Substring, _ expansion: Expansion = .refused) throws(ParseError) -> Command {
    let (words, rest) = try splitCommand(of: text, expansion)
    var command = Command(words: words, rest: rest)
    while let redirection = Redirection(command.rest) {
      let (words, rest) = try splitCommand(of: redirection.rest, expansion)
      command.rest = rest
      var more = words[...]
      if redirection.isToDescriptor {
        command.joinsErrors = command.joinsErrors || redirection.kind == .errors
        command.words += more
        continue
      }
      guard let file = more.popFirst() else { throw .noFile(redirection.sign) }
      command.words += more
      switch redirection.kind {
      case .input: command.input = file
      case .appended: throw .appended(file)
      case .output where !file.hasPrefix("/dev/"): command.output = file
      case .output, .errors: break
      }
    }
    return command
  }

  /// `>`, `>>`, `2>`, `2>&1`, `&>`, `<` at the beginning of a text.
  private struct Redirection {
    enum Kind { case input, output, appended, errors }

    let kind: Kind
    let sign: Character
    /// `2>&1`: no file is meant.
    let isToDescriptor: Bool
    let rest: Substring

    init?(_ text: Substring) {
      var rest = text
      let descriptor = rest.first.flatMap { "12&".contains($0) ? $0 : nil }
      if descriptor != nil { rest.removeFirst() }
      guard let sign = rest.popFirst(), sign == ">" || sign == "<" && descriptor == nil else { return nil }
      self.sign = sign
      let isAppended = sign == ">" && rest.first == ">"
      if isAppended { rest.removeFirst() }
      // `<<` is a text, which is not here.
      if sign == "<", rest.first == "<" { return nil }
      if sign == ">", rest.first == "|" { rest.removeFirst() }
      isToDescriptor = rest.first == "&"
      if isToDescriptor { rest = rest.dropFirst().drop { $0.isNumber || $0 == "-" } }
      kind = descriptor == "2" ? .errors : sign == "<" ? .input : isAppended ? .appended : .output
      self.rest = rest
    }
  }

  /// The words of the first command, and what follows them from an operator on: `| jq .`, `> file`.
  package static func splitCommand(
    _ text: String, _ expansion: Expansion = .refused
  ) throws(ParseError) -> (words: [String], rest: Substring) {
    try splitCommand(of: withoutReturns(text)[...], expansion)
  }

  private static func withoutReturns(_ text: String) -> String {
    text.utf8.contains(0x0D) ? text.replacing("\r\n", with: "\n") : text
  }

  private static func splitCommand(
    of text: Substring, _ expansion: Expansion
  ) throws(ParseError) -> (words: [String], rest: Substring) {
    var words: [String] = []
    var word: String?
    func add(_ part: some StringProtocol) {
      if word == nil { word = "" }
      word?.append(contentsOf: part)
    }
    func endWord() {
      // Pieces may be text together: `$'\xc3'$'\xa4'`.
      if let word { words.append(ShellBytes.isIn(word) ? ShellBytes.text(of: ShellBytes.bytes(of: word)) : word) }
      word = nil
    }
    var rest = text
    while let character = rest.first {
      let start = rest
      rest.removeFirst()
      switch character {
      case " ", "\t", "\n":
        endWord()
      case "'":
        guard let end = rest.firstIndex(of: "'") else { throw .open }
        add(rest[..<end])
        rest = rest[rest.index(after: end)...]
      case "\"":
        add(try doubleQuoted(&rest, expansion))
      case "$" where rest.first == "'":
        rest.removeFirst()
        add(try cQuoted(&rest))
      case "$", "`":
        if character == "$", rest.first.map({ $0.isWhitespace }) ?? true {
          add("$")
          continue
        }
        add(try expanded(character, &rest, expansion))
      case "{" where expansion.takesReferences:
        add(braced(&rest, expansion) ?? "{")
      case "\\":
        guard let next = rest.popFirst() else { throw .open }
        if next != "\n" { add(String(next)) }
      // `file@p;type=image/png`: nobody who types it means two commands.
      case ";" where word.map { $0.contains("@") || $0.contains("=") } ?? false && isParameter(rest):
        add(";")
      case "|", ";", "&", "<", ">":
        // `2>` belongs to the operator.
        if character == ">", word == "1" || word == "2" {
          return (words, text[text.index(before: start.startIndex)...])
        }
        endWord()
        return (words, start)
      case "#" where word == nil:
        rest = rest.drop { $0 != "\n" }
      default:
        add(String(character))
      }
    }
    endWord()
    return (words, rest)
  }

  /// What `;` is followed by in a part of a form, for curl or HTTPie.
  private static func isParameter(_ rest: Substring) -> Bool {
    ["type=", "filename=", "headers=", "encoder="].contains { rest.hasPrefix($0) }
  }

  /// Whether what a command says beside its output goes with that, `2>&1`.
  package static func joinsErrors(_ line: String) -> Bool { (try? command(line).joinsErrors) ?? false }

  /// A line whose output goes through a program, `curl … | jq .`; nil: it does not.
  package static func pipeline(_ line: String) -> (command: String, program: String)? {
    guard let rest = try? command(line).rest, rest.first == "|", !rest.hasPrefix("||") else { return nil }
    // It is the end of the line, whatever is before it.
    let text = line.replacing("\r\n", with: "\n")
    return (String(text.dropLast(rest.count)), String(rest.dropFirst().drop(while: \.isWhitespace)))
  }

  /// Whether the data of a line is JSON without quotation marks around it, `-d {"a":1}`: nobody means what a shell makes
  /// of it.
  static func hasTornJSON(_ line: String) -> Bool {
    let (backslash, single, double) = (UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""))
    var quote: UInt8?
    var isEscaped = false
    var beginsWord = true
    for index in line.utf8.indices {
      let byte = line.utf8[index]
      defer {
        isEscaped = !isEscaped && byte == backslash && quote != single
        beginsWord = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n")].contains(byte)
      }
      if let open = quote {
        if byte == open, open == single || !isEscaped { quote = nil }
      } else if byte == single || byte == double {
        if !isEscaped { quote = byte }
      } else if byte == UInt8(ascii: "-"), beginsWord {
        let option = /(?:-[A-Za-z]*d|--data(?:-raw|-binary|-ascii)?|--json)(?:=|(?:\s|\\\n)*)(?:\[?\{"|\[")/
        if line[index...].prefixMatch(of: option) != nil { return true }
      }
    }
    return false
  }

  /// Whether a word that is no option and no URL is the end of such JSON: `1}` of `-d {"a": 1}`.
  static func isEndOfTornJSON(_ word: String) -> Bool {
    (word.hasSuffix("}") || word.hasSuffix("]")) && !word.contains("://")
  }

  /// A comment about what is left out of a line: the commands after the first.
  package static func note(of rest: Substring) -> CommentSyntax {
    CommentSyntax("without: \(rest)", standsAlone: false)
  }

  /// What is in the place of `$…` or of a backquote, which has been read.
  private static func expanded(
    _ sign: Character, _ rest: inout Substring, _ expansion: Expansion
  ) throws(ParseError) -> String {
    if expansion == .text { return String(sign) }
    if sign == "$", let reference = reference(rest, expansion) {
      // A shell would read `$login.body.token` as a variable and a text: nobody means that.
      if expansion == .marked { throw .expansion("$\(reference)") }
      rest = rest[reference.endIndex...]
      return ShellVariable.marked("$\(reference)")
    }
    let isBraced = sign == "$" && rest.first == "{"
    let name = (isBraced ? rest.dropFirst() : rest).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    let end = rest[name.endIndex...]
    guard expansion != .refused, sign == "$", let first = name.first, !first.isNumber,
      !isBraced || end.first == "}"
    else { throw .expansion("\(sign)\(isBraced ? "{" : "")\(name)") }
    rest = isBraced ? end.dropFirst() : end
    return ShellVariable.marked(name)
  }

  /// What follows the `$` of a reference: `1.body.id`, `login.body.token`, `token`; nil: it is a variable of a shell.
  private static func reference(_ rest: Substring) -> Substring? {
    guard let found = ReferenceText.beginning(rest) else { return nil }
    let isVariable =
      found.whole == found.name && found.name.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
    return isVariable ? nil : found.whole
  }

  /// The same, where it means one of the language.
  private static func reference(_ rest: Substring, _ expansion: Expansion) -> Substring? {
    guard expansion != .refused, expansion != .text, let reference = reference(rest) else { return nil }
    return expansion == .references || ReferenceText.isOfResponse("$\(reference)") ? reference : nil
  }

  /// What is in braces after a `{`: an expression that begins with a reference. The braces around a variable are those of
  /// a text, `{$FIELDS}`, and in a URL curl takes them away (`ShellVariable.withoutBraces`).
  private static func braced(_ rest: inout Substring, _ expansion: Expansion) -> String? {
    guard rest.first == "$", reference(rest.dropFirst(), expansion) != nil, let end = rest.firstIndex(of: "}") else {
      return nil
    }
    defer { rest = rest[rest.index(after: end)...] }
    return ShellVariable.marked(rest[..<end])
  }

  /// The text between `<<END` and `END`, in which the shell would put the values of variables unless the word is quoted.
  static func hereDocument(_ text: String, _ expansion: Expansion) throws(ParseError) -> String {
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let next = rest.first, "$`\\\n".contains(next) else {
          result += "\\"
          continue
        }
        rest.removeFirst()
        if next != "\n" { result.append(next) }
      case "{" where expansion == .typed: result += braced(&rest, expansion) ?? "{"
      case "$" where startsName(rest) || expansion == .typed && reference(rest, expansion) != nil, "`":
        result += try expanded(character, &rest, expansion)
      default: result.append(character)
      }
    }
    return result
  }

  /// Whether something would be expanded after a `$` in double quotes.
  private static func startsName(_ rest: Substring) -> Bool {
    rest.first.map { $0.isLetter || $0 == "_" || $0 == "{" || $0 == "(" } ?? false
  }

  private static func doubleQuoted(_ rest: inout Substring, _ expansion: Expansion) throws(ParseError) -> String {
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return text
      case "\\":
        guard let next = rest.popFirst() else { throw .open }
        if "$`\"\\".contains(next) { text.append(next) } else if next != "\n" { text += "\\\(next)" }
      case "{" where expansion.takesReferences: text += braced(&rest, expansion) ?? "{"
      case "$" where startsName(rest) || expansion != .text && reference(rest)?.contains(".") ?? false, "`":
        text += try expanded(character, &rest, expansion)
      default: text.append(character)
      }
    }
    throw .open
  }

  /// What is in `$'…'`, as bash has it; but a NUL, which no argument of a program can hold, is what a browser means by it.
  private static func cQuoted(_ rest: inout Substring) throws(ParseError) -> String {
    guard let end = endOfQuote(rest.utf8) else { throw .open }
    defer { rest = rest[rest.utf8.index(after: end)...] }
    var escaped = rest[..<end].utf8
    var bytes: [UInt8] = []
    while let byte = escaped.popFirst() {
      if byte == UInt8(ascii: "\\") { bytes += escape(&escaped) } else { bytes.append(byte) }
    }
    return ShellBytes.text(of: bytes)
  }

  /// The quotation mark that no backslash keeps.
  private static func endOfQuote(_ text: Substring.UTF8View) -> Substring.Index? {
    var isEscaped = false
    return text.indices.first { index in
      defer { isEscaped = !isEscaped && text[index] == UInt8(ascii: "\\") }
      return !isEscaped && text[index] == UInt8(ascii: "'")
    }
  }

  /// The bytes of what follows a backslash.
  private static func escape(_ rest: inout Substring.UTF8View) -> [UInt8] {
    let backslash = UInt8(ascii: "\\")
    guard let letter = rest.popFirst() else { return [backslash] }
    switch Unicode.Scalar(letter) {
    case "a": return [0x07]
    case "b": return [0x08]
    case "e", "E": return [0x1B]
    case "f": return [0x0C]
    case "n": return [0x0A]
    case "r": return [0x0D]
    case "t": return [0x09]
    case "v": return [0x0B]
    case "\\", "'", "\"", "?": return [letter]
    case "0"..."7":
      let digits = [letter] + popped(&rest, 2) { ("0"..."7").contains($0) }
      return [UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 & 7) })]
    case "x" where rest.first == UInt8(ascii: "{"):
      rest.removeFirst()
      let code = number(&rest, digits: rest.count) ?? 0
      if rest.first == UInt8(ascii: "}") { rest.removeFirst() }
      return [UInt8(truncatingIfNeeded: code)]
    case "x": return number(&rest, digits: 2).map { [UInt8(truncatingIfNeeded: $0)] } ?? [backslash, letter]
    case "u": return number(&rest, digits: 4).map(encoded) ?? [backslash, letter]
    case "U": return number(&rest, digits: 8).map(encoded) ?? [backslash, letter]
    case "c":
      guard let key = rest.popFirst() else { return [backslash, letter] }
      if key == backslash, rest.first == backslash { rest.removeFirst() }
      return [key == UInt8(ascii: "?") ? 0x7F : key & 0x1F]
    default: return [backslash, letter]
    }
  }

  private static func popped(
    _ rest: inout Substring.UTF8View, _ most: Int, _ isMeant: (Unicode.Scalar) -> Bool
  ) -> [UInt8] {
    let found = Array(rest.prefix(most).prefix { isMeant(Unicode.Scalar($0)) })
    rest.removeFirst(found.count)
    return found
  }

  /// nil: there is no digit.
  private static func number(_ rest: inout Substring.UTF8View, digits: Int) -> UInt32? {
    let digits = popped(&rest, digits) { $0.properties.isASCIIHexDigit }
    return digits.isEmpty
      ? nil : digits.reduce(0) { $0 << 4 | UInt32(Character(Unicode.Scalar($1)).hexDigitValue ?? 0) }
  }

  /// In UTF-8, half of a pair of UTF-16 too, which is not text then.
  private static func encoded(_ code: UInt32) -> [UInt8] {
    if code < 0x80 { return [UInt8(code)] }
    var rest = code
    var following: [UInt8] = []
    // The lead has a bit less for each byte that follows.
    while rest >= 0x40 >> UInt32(following.count) || following.isEmpty {
      following.insert(0x80 | UInt8(rest & 0x3F), at: 0)
      rest >>= 6
    }
    return [UInt8(truncatingIfNeeded: 0xFF80 >> following.count) | UInt8(rest)] + following
  }
}
