internal import JSONValue
package import Requests

/// A pasted `curl …` line, and the request it means.
package struct CurlCommand: Hashable {
  package enum ParseError: Error, Hashable {
    case words(ShellWords.ParseError)
    case missingValue(option: String)
    case missingURL
    case severalURLs([String])
    /// An option that changes what is sent, and is not known here.
    case unknown(option: String)
    /// `-k`: only a profile says which certificates are accepted.
    case insecure
    case malformedHeader(String)
    /// A value that has to be a number.
    case malformedNumber(option: String, String)
    /// `-d @-` and the like: there is no other input here.
    case standardInput
    /// `-d` together with `-F` or `-T`.
    case twoBodies
    /// `^"…^"`: quoted for another shell.
    case windows
  }

  package struct Part: Hashable {
    var name: String
    var value: String
    var isFile = false
    var type: String?
    var fileName: String?
  }

  package var method: String?
  package var url = ""
  package var headers: [(name: String, value: String)] = []
  /// The pieces of `-d`, each text or a file.
  package var data: [String] = []
  package var dataFile: String?
  package var parts: [Part] = []
  /// `-u`.
  package var user: (name: String, password: String)?
  package var isJSON = false
  /// Whether the body is sent as it is: without a given type it has none.
  package var isAsItStands = false
  package var isQuery = false
  package var isHead = false
  /// In seconds.
  package var timeout: String?
  /// `-T`
  package var uploadFile: String?
  /// Where the response's body goes: `-o`, `>`; an empty name is the URL's last segment, `-O`.
  package var output: String?
  /// What follows the command: `| jq .`
  package var left: Substring = ""
  /// What must not be written down: passwords and tokens in the line, each with a name for it.
  private(set) var credentials: [(text: String, name: String)] = []

  /// What is hidden from now on; hiding very short texts would hide too much.
  package var secrets: [Secret] {
    credentials.filter { $0.text.utf8.count >= 4 }.map { Secret($0.text, name: $0.name, for: []) }
  }

  package init() {}

  /// Reads a line that begins with `curl`.
  package init(_ line: String) throws(ParseError) {
    if line.contains("^\"") { throw .windows }
    let command: (words: [String], rest: Substring)
    do { command = try ShellWords.splitCommand(line) } catch { throw .words(error) }
    switch command.rest.first {
    case ">": output = String(command.rest.dropFirst().drop { $0 == " " }.prefix { !$0.isWhitespace && $0 != "|" })
    case "<": throw .words(.operatorFound("<"))
    case "&" where !command.rest.hasPrefix("&&"): throw .words(.operatorFound("&"))
    default: left = command.rest
    }
    var urls: [String] = []
    var rest = command.words.dropFirst()
    while let word = rest.popFirst() {
      if word.hasPrefix("--") {
        try take(option: word, value: nil, &rest, &urls)
      } else if word.hasPrefix("-"), word.count > 1 {
        try take(letters: word.dropFirst(), &rest, &urls)
      } else {
        urls.append(word)
      }
    }
    guard let first = urls.first else { throw .missingURL }
    guard urls.count == 1 else { throw .severalURLs(urls) }
    if [!parts.isEmpty, !data.isEmpty || dataFile != nil, uploadFile != nil].count(where: { $0 }) > 1 {
      throw .twoBodies
    }
    if dataFile != nil, !data.isEmpty || isQuery { throw .unknown(option: "-d @file beside other data") }
    url = first.contains("://") ? first : "http://\(first)"
  }

  /// `-sSL`, `-XPOST`, `-H 'a: b'`.
  private mutating func take(
    letters: Substring, _ rest: inout ArraySlice<String>, _ urls: inout [String]
  ) throws(ParseError) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let name = Self.longNames[letter] else { throw .unknown(option: "-\(letter)") }
      let takesValue = !Self.flags.contains(name)
      try take(option: name, value: takesValue && !letters.isEmpty ? String(letters) : nil, &rest, &urls)
      if takesValue { return }
    }
  }

  private mutating func take(
    option: String, value attached: String?, _ rest: inout ArraySlice<String>, _ urls: inout [String]
  ) throws(ParseError) {
    if Self.ignoredFlags.contains(option) { return }
    var value = ""
    if !Self.flags.contains(option) {
      guard Self.valued.contains(option) else { throw .unknown(option: option) }
      guard let next = attached ?? rest.popFirst() else { throw .missingValue(option: option) }
      value = next
    }
    switch option {
    case "--request": method = value
    case "--url": urls.append(value)
    case "--header": try take(header: value)
    case "--user-agent": headers.append(("User-Agent", value))
    case "--referer": headers.append(("Referer", value))
    case "--cookie":
      guard value.contains("=") else { throw .unknown(option: "-b with a file") }
      credentials.append((value, "cookie"))
      headers.append(("Cookie", value))
    case "--user":
      let sides = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      user = (sides[0], sides.count > 1 ? sides[1] : "")
      credentials.append((user?.password ?? "", "password"))
    case "--oauth2-bearer":
      credentials.append((value, "token"))
      headers.append(("Authorization", "Bearer \(value)"))
    case "--json":
      isJSON = true
      try take(data: value)
    case "--data", "--data-ascii", "--data-binary": try take(data: value)
    case "--data-raw": data.append(value)
    case "--data-urlencode": try takeEncoded(value)
    case "--form", "--form-string": try take(part: value, isPlain: option == "--form-string")
    case "--max-time":
      guard Double(value) != nil, value.allSatisfy({ $0.isNumber || $0 == "." }) else {
        throw .malformedNumber(option: option, value)
      }
      timeout = value
    case "--get": isQuery = true
    case "--head": isHead = true
    case "--insecure": throw .insecure
    case "--upload-file": uploadFile = value
    case "--output": output = value
    case "--remote-name": output = ""
    default: break
    }
  }

  package mutating func take(header text: String) throws(ParseError) {
    guard let colon = text.firstIndex(of: ":") else { throw .malformedHeader(text) }
    let name = String(text[..<colon])
    let value = String(text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
    if name.lowercased() == "authorization" || name.lowercased() == "cookie" {
      let text = value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? value
      credentials.append((text, name.lowercased() == "cookie" ? "cookie" : "token"))
    }
    headers.append((name, value))
  }

  private mutating func take(data value: String) throws(ParseError) {
    guard value.hasPrefix("@") else { return data.append(value) }
    if value == "@-" { throw .standardInput }
    dataFile = String(value.dropFirst())
  }

  private mutating func takeEncoded(_ value: String) throws(ParseError) {
    guard let equals = value.firstIndex(of: "=") else {
      if value.contains("@") { throw .unknown(option: "--data-urlencode with a file") }
      return data.append(PercentEncoding.component.encode(value))
    }
    let name = value[..<equals]
    let encoded = PercentEncoding.component.encode(String(value[value.index(after: equals)...]))
    data.append(name.isEmpty ? encoded : "\(name)=\(encoded)")
  }

  private mutating func take(part value: String, isPlain: Bool) throws(ParseError) {
    guard let equals = value.firstIndex(of: "=") else { throw .missingValue(option: "-F \(value)") }
    var part = Part(name: String(value[..<equals]), value: String(value[value.index(after: equals)...]))
    if !isPlain {
      if part.value.hasPrefix("<") { throw .unknown(option: "-F name=<file") }
      let pieces = part.value.split(separator: ";", omittingEmptySubsequences: false)
      let settings = pieces.drop { !$0.hasPrefix("type=") && !$0.hasPrefix("filename=") }
      for setting in settings {
        if setting.hasPrefix("type=") { part.type = String(setting.dropFirst(5)) }
        if setting.hasPrefix("filename=") { part.fileName = String(setting.dropFirst(9)) }
      }
      part.value = pieces.dropLast(settings.count).joined(separator: ";")
      if part.value == "@-" { throw .standardInput }
      if part.value.hasPrefix("@") {
        part.isFile = true
        part.value.removeFirst()
      }
    }
    parts.append(part)
  }

  package static func == (left: CurlCommand, right: CurlCommand) -> Bool { left.statement == right.statement }

  package func hash(into hasher: inout Hasher) { hasher.combine(statement) }
}
