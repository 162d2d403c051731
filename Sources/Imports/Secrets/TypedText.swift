internal import RequestSyntax
internal import Requests

/// A secret in a text, and what it is called there.
package struct TypedPlace: Hashable {
  package let name: String
  /// As UTF-8 offsets, without quotation marks.
  package let range: Range<Int>
}

/// What is secret by its name in a text of any kind: JSON, a form, a query for GraphQL, a line for a shell, several of
/// these, or what nobody finished.
package enum TypedText {
  package static func places(in text: String) -> [TypedPlace] { lexical(text) + TypedURL.secrets(in: text) }

  // A literal in a function is compiled each time that it is reached. A `Regex` does not change.
  private nonisolated(unsafe) static let named =
    /(?<name>(?>[A-Za-z][\w-]{0,63}))\\?["']?\s*(?<sign>==|:=|=|:(?!\/\/))\s*(?<value>"(?:[^"\\]|\\.)*"?|'[^']*'?|\\"(?:[^"\\]|\\[^"])*|[^\s,;&"'{}()\[\]\\]+)/
  // The default boundary of a word is none in `Authorization:Bearer` (UAX #29). What ends in `/bearer` is a path,
  // and what `-A bearer` names comes after another option.
  private nonisolated(unsafe) static let scheme =
    /\/(?i:bearer)\b|\s(?:-A|--auth-type)[\s=]*(?i:bearer)(?=\s+-)|(?i:\bbearer|\bauthori[sz]ation["']?\s*:=?\s*["']?(?:basic|token|digest|apikey|negotiate))\s+(?<value>"(?:[^"\\]|\\.)*"?|[^\s,"'{}()]+)/
    .wordBoundaryKind(.simple)
  private nonisolated(unsafe) static let login =
    /(?i:\b(?:basic|digest))\s+(?:"[^"]*"|[^\s,]+)\s*,\s*(?<value>"(?:[^"\\]|\\.)*"?)|(?i:\bauth\s+(?:basic|digest))\s+["']?[^\s,:"']+:(?<joined>[^\s,"']+)|\s(?:-[uU]|--(?:proxy-)?us\w{0,3}[\s=])[\s=]*['"]?[^\s:'"]+:(?<word>[^\s'"]+)|(?:^|\s)(?:-a|--auth)[\s=]+['"]?(?:[^\s:'"]+:)?(?<given>[^\s'"]+)/
    .wordBoundaryKind(.simple)

  /// The word between a user and the address that the request is for: a password, whose colon was forgotten.
  private nonisolated(unsafe) static let apart =
    /\s(?:-[uUa]|--(?:proxy-)?user|--auth)[\s=]+(?:"[^":]+"|'[^':]+'|[^\s:'"]+)\s+(?!-|[A-Z]+\s|["']?(?:https?:\/\/|[:\/]|localhost))(?:(?<value>"[^"]*"|'[^']*'|[^\s"']+)(?=(?:\s+(?:-\S+|[A-Z]+)){0,8}\s+["']?(?:https?:\/\/|[:\/]|localhost|[\w\-]+\.\w))|(?<word>[^\s"'.:\/]+)(?=\s.{0,500}\s["']?(?:https?:\/\/|:\d|:?\/|localhost)))/

  /// A token that says of itself what it is (RFC 7519), and the text of an element.
  private nonisolated(unsafe) static let other =
    /\b(?<token>eyJ[\w\-]{8,1000}\.eyJ[\w\-]{8,}\.[\w\-]*)|<(?<name>[A-Za-z][\w.\-]*)>(?<value>[^<>]+)<\//
    .wordBoundaryKind(.simple)

  /// Tokens that begin as their makers have them begin, wherever they are.
  private nonisolated(unsafe) static let marked =
    /\b(?<token>(?:gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|[rs]k_(?:live|test)_|npm_|hf_|AIza|sk-(?:proj-|ant-)?)[A-Za-z0-9][\w\-]{15,255})/
    .wordBoundaryKind(.simple)

  /// A secret that nobody said the profile of.
  private nonisolated(unsafe) static let declared =
    /^\s*secret\s+(?<name>[A-Za-z][\w-]*)\s*=\s*(?<value>"(?:[^"\\]|\\.)*"?|'[^']*'?|(?>[^\s"'$({]+)(?!\())/
    .anchorsMatchLineEndings()

  private static func lexical(_ text: String) -> [TypedPlace] {
    var places: [TypedPlace] = []
    // Each is perhaps a port: `http -a ann:pw :8080/x`.
    var ports: [(name: Substring, place: TypedPlace)] = []
    func add(_ name: String, _ value: Substring) {
      if let place = place(name, value, in: text) { places.append(place) }
    }
    var (rest, next) = (text.startIndex, text.startIndex)
    // A long word would be looked at from each of its letters: what a name is before is looked for first.
    while let sign = text.utf8[next...].firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) {
      next = text.utf8.index(after: sign)
      guard let start = nameStart(in: text.utf8[rest..<sign]), let match = text[start...].prefixMatch(of: named) else {
        continue
      }
      (rest, next) = (match.range.upperBound, max(next, match.range.upperBound))
      // The item of a request, or of a query; a member of that name may be anything.
      let isAuth = match.name == "auth" && match.sign != ":"
      guard isAuth || SensitiveName.contains(String(match.name)) else {
        // There may be one in the value: JSON in a string in JSON.
        (rest, next) = (match.value.startIndex, match.value.startIndex)
        continue
      }
      // Of an option it is a user and a password, of which more is known below.
      if isAuth, text[..<match.name.startIndex].hasSuffix("--"), match.value.contains(":"),
        !match.value.contains(where: \.isWhitespace)
      {
        continue
      }
      if isLabel(match.name, in: text), isStep(from: match.value, in: text) { continue }
      if isPort(match.value, after: match.sign, and: match.name) {
        if let place = place(String(match.name), match.value, in: text) { ports.append((match.name, place)) }
        continue
      }
      let isVariable = match.sign == ":" && text[..<match.name.startIndex].last == "$"
      if !isVariable || !isType(match.value) {
        let value = match.sign == "=" ? inForm(match.value, of: match.name, in: text) ?? match.value : match.value
        add(String(match.name), value)
      }
    }
    for match in text.matches(of: declared) { add(String(match.name), match.value) }
    for match in text.matches(of: scheme) { if let value = match.value { add("token", value) } }
    for match in text.matches(of: marked) { add("token", match.token) }
    for match in text.matches(of: login) {
      if let value = match.value ?? match.joined ?? match.word ?? match.given { add("password", value) }
    }
    for match in text.matches(of: apart) { if let value = match.value ?? match.word { add("password", value) } }
    for match in text.matches(of: other) {
      if let token = match.token { add("token", token) }
      if let name = match.name.map(String.init), let value = match.value, SensitiveName.contains(name) {
        add(name, value)
      }
    }
    // What is hidden itself is not the name of what follows.
    return places
      + ports.filter { port in
        let name = range(of: port.name, in: text)
        return !places.contains {
          $0.range.contains(name.lowerBound) && $0.range.upperBound <= port.place.range.lowerBound
        }
      }.map(\.place)
  }

  /// In a form between quotation marks, `"user=ann&pass=a b"`, a value ends where the next field begins; nil: it is in none.
  private static func inForm(_ value: Substring, of name: Substring, in text: String) -> Substring? {
    let isQuoted = value.first.map { "\"'\\".contains($0) } ?? true
    guard !isQuoted, let before = text[..<name.startIndex].last, "&\"'".contains(before),
      let quote = text[..<name.startIndex].last(where: { "\"'\n".contains($0) }), quote != "\n",
      let end = text[value.endIndex...].firstIndex(where: { $0 == "&" || $0 == quote || $0 == "\n" }), text[end] != "\n"
    else { return nil }
    return text[value.startIndex..<end]
  }

  /// Whether a name is where a statement has its label: `token: POST /token`.
  private static func isLabel(_ name: Substring, in text: String) -> Bool {
    guard let before = text.utf8[..<name.startIndex].last(where: { $0 != UInt8(ascii: " ") }) else { return true }
    return "\t\n{".utf8.contains(before)
  }

  /// Whether it is the method of a request, and where the request goes comes after it; or `run` and a sequence.
  private static func isStep(from word: Substring, in text: String) -> Bool {
    let rest = text[word.endIndex...]
    if Keywords.commonMethods.contains(String(word)) {
      return rest.prefixMatch(of: /[ \t]+(?:["$(]?[\w\-]*:|["(]?[\/$]|localhost)/) != nil
    }
    return word == "run" && rest.prefixMatch(of: /[ \t]+[A-Za-z_][\w\-]*[ \t]*\(/) != nil
  }

  /// Whether a value may be the port and path of an address of this machine: ` :8080/x`.
  private static func isPort(_ value: Substring, after sign: Substring, and name: Substring) -> Bool {
    sign == ":" && sign.startIndex > name.endIndex && sign.endIndex == value.startIndex
      && value.prefixMatch(of: /[0-9]{1,5}(?:[\/?#]|$)|\//) != nil
  }

  /// Where the name begins that a text ends with, perhaps in quotation marks and before spaces; nil: it ends with none.
  private static func nameStart(in text: Substring.UTF8View) -> String.Index? {
    func isPart(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || isLetter(byte)
        || (0x30...0x39).contains(byte)
    }
    func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    var rest = text
    while let last = rest.last, last <= 0x20 { rest.removeLast() }
    if let last = rest.last, "\"'".utf8.contains(last) { rest.removeLast() }
    if rest.last == UInt8(ascii: "\\") { rest.removeLast() }
    let name = rest.suffix(64)
    let start = name.lastIndex { !isPart($0) }.map { name.index(after: $0) } ?? name.startIndex
    return name[start...].firstIndex(where: isLetter)
  }

  /// A value of that name; nil: it is not written there.
  ///
  /// - Parameter isLiteral: whether it is what it looks like; otherwise a `$` in it begins a reference.
  static func place(_ name: String, _ value: Substring, in text: String, isLiteral: Bool = false) -> TypedPlace? {
    // `Authorization:Bearer` alone says how, and not what.
    if AuthenticationScheme.isInHeader(named: name), AuthenticationScheme.isAll(of: String(value)) { return nil }
    return isLiteral || self.isLiteral(value) ? TypedPlace(name: name, range: range(of: value, in: text)) : nil
  }

  /// What is between the quotation marks, if there are any; one at the end may be missing.
  private static func range(of value: Substring, in text: String) -> Range<Int> {
    let start = text.utf8.distance(from: text.startIndex, to: value.startIndex)
    let (bytes, end) = (Array(value.utf8), start + value.utf8.count)
    // The quotation mark of a string within a string.
    if bytes.starts(with: #"\""#.utf8) { return start + 2..<end }
    let isQuoted = bytes.count > 1 && bytes.first == bytes.last && "\"'".utf8.contains(bytes[0])
    return isQuoted ? start + 1..<end - 1 : start..<end
  }

  private nonisolated(unsafe) static let reference = /\{\$[^{}\s]*\}["']?/

  /// Not a reference, a question, or the shape of a value.
  private static func isLiteral(_ value: Substring) -> Bool {
    let text = value.drop { "\"'\\".contains($0) }
    if text.hasPrefix("$") || text.hasPrefix("{") || text == "ask" { return false }
    if let rest = AuthenticationScheme.rest(of: text) {
      if rest.wholeMatch(of: reference) != nil { return false }
      if ReferenceText.isNoSecret(rest.prefix { !"\"'".contains($0) }) { return false }
    }
    if text == value, ["ask(", "command(", "file("].contains(where: text.hasPrefix) { return false }
    return ![
      "", "any", "null", "bool", "int", "number", "string", "url", "true", "false", "bearer", "basic", "on", "off",
    ].contains(text.lowercased().prefix { !"\"'\\".contains($0) })
  }

  /// Whether it can be the type of a variable in GraphQL: `$password: String!`.
  private static func isType(_ value: Substring) -> Bool {
    value.wholeMatch(of: /[A-Z]\w*!?/) != nil
  }
}
