internal import Imports
internal import JSONValue
internal import RequestSyntax
package import Requests

/// A pasted `curl …` line, and the request it means.
package struct CurlCommand: Hashable {
  package enum ParseError: Error, Hashable {
    case words(ShellWords.ParseError)
    case missingValue(option: String)
    case missingURL
    case severalURLs([String])
    /// JSON without quotation marks around it: a shell takes its own.
    case tornJSON
    /// An option that changes what is sent, and is not known here.
    case unknown(option: String)
    /// What is done in another way here, and how.
    case otherwise(option: String, String)
    /// Braces and brackets that curl takes for several URLs.
    case pattern(String)
    /// `--next`
    case severalRequests
    case malformedHeader(String)
    /// `-X post`
    case lowercaseMethod(String)
    /// A value that has to be a number.
    case malformedNumber(option: String, String)
    /// `-d @-` and the like: there is no other input here.
    case standardInput
    /// `-d` together with `-F` or `-T`.
    case twoBodies
    /// `^"…^"`: quoted for another shell.
    case windows
    /// `-u` without a password: curl would ask for it.
    case missingPassword(user: String)
    /// A line that stands for so many requests that nobody reads them.
    case tooMany
  }

  package struct Part: Hashable {
    var name: String
    var value: String
    var isFile = false
    /// `name=<file`: a text that is in a file.
    var isFileText = false
    var type: String?
    var fileName: String?
  }

  /// What `-T` sends.
  package enum Upload: Hashable {
    case file(String)
    /// Its `-`.
    case input(CurlInput)
  }

  package var method: String?
  package var url = ""
  package var headers: [(name: String, value: String)] = []
  /// Lowercase names of headers that are not sent: `-H 'Accept:'`.
  package var omitted: [String] = []
  /// What options give, unless a header of that name is given.
  private var usual: [(name: String, value: String)] = []
  /// `--compressed`
  private(set) var isCompressed = false
  /// What `-d` and its relatives give.
  var data = CurlData()
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
  /// How often it is sent in all: `--retry`.
  package var attempts: String?
  /// `--max-redirs`
  package var redirects: Int?
  /// `--url-query`, percent-encoded.
  package var query: [String] = []
  /// Whether it was read from a file, where a script is made of it: profiles say there what only they say.
  private(set) var isInFile = false
  /// What they say.
  var connecting = ConnectionDemand()
  /// Whether what the command reads is sent.
  var readsInput: Bool { data.readsInput }
  /// Options that do nothing here, although they are not about curl alone.
  private(set) var unused: [String] = []
  /// `-L`
  private(set) var follows = false
  /// `-w`
  private(set) var writeOut: String?
  /// `-f`
  private(set) var fails = false
  /// `-v`, `-i`
  private var isVerbose = false
  private var includesHeaders = false
  /// What it asks to be shown; nil: the body.
  var shownParts: ShownParts? {
    // A body that goes to `/dev/null` is not shown.
    let hasBody = !(output?.hasPrefix("/dev/") ?? false) || output == "/dev/stdout"
    if isVerbose { return hasBody ? [.everything, .beside] : [.request, .headers, .beside] }
    return includesHeaders ? hasBody ? [.headers, .body] : .headers : isHead ? .headers : hasBody ? nil : []
  }
  /// `--digest`
  private(set) var isDigest = false
  /// The files of `-b` and `-c`.
  var cookieFiles: (read: String?, written: String?)
  /// What of the line asks that cookies are kept; nil: nothing does.
  var cookieOption: String? {
    cookieFiles.written.map { "-c \($0)" } ?? cookieFiles.read.map { "-b \($0)" }
  }
  /// `-k`
  var acceptsAnyCertificate: Bool { connecting.connection.acceptsAnyCertificate }
  private var isPattern = true
  private var keepsDotSegments = false
  package var upload: Upload?
  /// Where the response's body goes: `-o`, `>`; an empty name is the URL's last segment, `-O`.
  package var output: String?
  /// What follows the command: `| jq .`
  package var left: Substring = ""
  /// What must not be written down: passwords and tokens in the line, each with a name for it.
  var credentials: [(text: String, name: String)] = []

  /// What is hidden from now on: passwords and tokens, and what the history would hide of the request. Hiding very short
  /// texts would hide too much.
  package var secrets: [Secret] { TypedSecrets.secrets(in: script, and: credentials) }

  package init() {}

  /// Reads a line that begins with `curl`.
  ///
  /// - Parameters:
  ///   - expansion: what becomes of variables.
  ///   - input: what it reads as its standard input.
  package init(
    _ line: String, _ expansion: ShellWords.Expansion = .refused, input: CurlInput? = nil
  ) throws(ParseError) {
    let isWindows = line.contains("^\"") || line.split(whereSeparator: \.isNewline).contains { $0.hasSuffix(" ^") }
    if isWindows { throw .windows }
    if ShellWords.hasTornJSON(line) { throw .tornJSON }
    let command: ShellWords.Command
    do { command = try ShellWords.command(line, expansion) } catch { throw .words(error) }
    if command.input != nil || command.rest.first == "<" { throw .words(.operatorFound("<")) }
    if command.rest.first == "&", !command.rest.hasPrefix("&&") { throw .words(.operatorFound("&")) }
    try self.init(words: command.words, input: input)
    left = command.rest
    if let file = command.output { output = file }
  }

  /// Nobody writes a line that is longer when it is written out.
  private static let largestLine = 4 << 20

  /// All requests of a line in a file: `--next` begins another, each URL is one, and a pattern in it several.
  ///
  /// - Parameter words: those of the line, in which variables are marked (`ShellVariable`).
  static func all(words: [String], input: CurlInput?) throws(ParseError) -> [CurlCommand] {
    var commands: [CurlCommand] = []
    let size = words.reduce(0) { $0 + $1.utf8.count }
    for words in words.split(whereSeparator: { $0 == "--next" || $0 == "-:" }) {
      var command = CurlCommand()
      command.isInFile = true
      command.data.input = input
      let urls = try command.take(commands.isEmpty ? words.dropFirst() : words)
      if urls.isEmpty { throw .missingURL }
      for text in urls {
        let all = command.isPattern ? CurlPattern.urls(of: text) : [text]
        guard let all, !all.isEmpty else { throw .pattern(text) }
        for url in all {
          command.url = try command.address(url, isPattern: false)
          try command.checkBytes(of: words)
          commands.append(command)
          // Each has all that the line says.
          if commands.count * size > largestLine { throw .tooMany }
        }
      }
      if commands.count > 1, let file = command.output, !file.isEmpty { throw .severalURLs(commands.map(\.url)) }
    }
    return commands
  }

  /// - Parameters:
  ///   - words: those of a line, as a shell hands them over; the first is `curl`.
  ///   - input: what it reads as its standard input.
  package init(words: [String], input: CurlInput? = nil) throws(ParseError) {
    data.input = input
    let urls = try take(words.dropFirst())
    guard let first = urls.first else { throw .missingURL }
    guard urls.count == 1 else { throw .severalURLs(urls) }
    url = try address(first, isPattern: isPattern)
    try checkBytes(of: words)
  }

  /// Bytes that are no text have a place in a body and in a part of a form, and nowhere else.
  func checkBytes(of words: some Sequence<String>) throws(ParseError) {
    guard words.contains(where: ShellBytes.isIn) else { return }
    if ShellBytes.isIn(SyntaxPrinter.print(.step(step))) { throw .words(.bytes) }
  }

  /// - Returns: the URLs that are named.
  mutating func take(_ words: ArraySlice<String>) throws(ParseError) -> [String] {
    var urls: [String] = []
    var rest = words
    while let word = rest.popFirst() {
      if word.hasPrefix("--") {
        try take(option: word, value: nil, &rest, &urls)
      } else if word.hasPrefix("-"), word.count > 1 {
        try take(letters: word.dropFirst(), &rest, &urls)
      } else {
        urls.append(word)
      }
    }
    if [!parts.isEmpty, !data.isEmpty, upload != nil].count(where: { $0 }) > 1 { throw .twoBodies }
    let given = Set(headers.map { $0.name.lowercased() } + omitted)
    headers += usual.filter { !given.contains($0.name.lowercased()) }
    if headers.count(where: { $0.name.lowercased() == "content-type" }) > 1 {
      throw .otherwise(option: "a second Content-Type", "write the one that is meant")
    }
    if isQuery, data.text() == nil { throw .otherwise(option: "-G with a file", "type its content into the URL") }
    return urls
  }

  private func address(_ text: String, isPattern: Bool) throws(ParseError) -> String {
    var text = isPattern ? try Self.withoutPattern(ShellVariable.withoutBraces(text)) : text
    // `:8080/x` is HTTPie's, and what fingers type.
    if RequestAddress.isLocal(text[...]), let local = RequestAddress(text) { text = local.url }
    // A path goes where the profile says, as in any other request; in a file there is none.
    let isPath = text.hasPrefix("/") && !isInFile
    // A variable may hold the scheme, too.
    if !isPath, !text.contains("://"), !ShellVariable.begins(text) { text = "http://\(text)" }
    var fragment: Substring = ""
    if let hash = text.firstIndex(of: "#") {
      fragment = text[hash...]
      text = String(text[..<hash])
    }
    if !keepsDotSegments { text = Self.withoutDotSegments(text) }
    for item in query { text += (text.contains("?") ? "&" : "?") + item }
    return text + fragment
  }

  /// The URL without the backslashes that keep brackets from being a pattern.
  private static func withoutPattern(_ text: String) throws(ParseError) -> String {
    let escaped = text.replacing(/\\[\[\]{}]/, with: "")
    if escaped.contains(/\{[^{}]*\}|\[(\d+-\d+|[a-z]-[a-z]|[A-Z]-[A-Z])(:\d+)?\]/) { throw .pattern(text) }
    return text.replacing(/\\([\[\]{}])/) { "\($0.output.1)" }
  }

  /// As curl sends it without `--path-as-is`.
  static func withoutDotSegments(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://"), let slash = url[scheme.upperBound...].firstIndex(of: "/"),
      url[slash...].prefix(while: { $0 != "?" }).split(separator: "/").contains(where: { $0.isDotSegment })
    else { return url }
    return URLReference.resolve(String(url[slash...]), against: String(url[..<slash]))
  }

  /// `-sSL`, `-XPOST`, `-H 'a: b'`.
  private mutating func take(
    letters: Substring, _ rest: inout ArraySlice<String>, _ urls: inout [String]
  ) throws(ParseError) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let name = Self.longNames[letter] else { throw .unknown(option: "-\(letter)") }
      let takesValue = !Self.flags.contains(name)
      do throws(ParseError) {
        try take(option: name, value: takesValue && !letters.isEmpty ? String(letters) : nil, &rest, &urls)
      } catch {
        // Said of what was typed.
        throw error == .missingValue(option: name) ? .missingValue(option: "-\(letter)") : error
      }
      if takesValue { return }
    }
  }

  private mutating func take(
    option: String, value attached: String?, _ rest: inout ArraySlice<String>, _ urls: inout [String]
  ) throws(ParseError) {
    if Self.ignoredFlags.contains(option) {
      follows = follows || option == "--location"
      fails = fails || option.hasPrefix("--fail")
      isVerbose = isVerbose || option == "--verbose"
      includesHeaders = includesHeaders || option == "--include"
      isCompressed = isCompressed || option == "--compressed"
      if ["--http1.1", "--http2-prior-knowledge", "--ipv4", "--ipv6"].contains(option) { unused.append(option) }
      return
    }
    if let instead = Self.otherwise[option] { throw .otherwise(option: option, instead) }
    var value = ""
    if !Self.flags.contains(option) {
      guard Self.valued.contains(option) else { throw .unknown(option: option) }
      guard let next = attached ?? rest.popFirst() else { throw .missingValue(option: option) }
      value = next
    }
    if try connect(option, value) { return }
    switch option {
    case "--request":
      if !isInFile, value != value.uppercased(), !ShellVariable.isIn(value) { throw .lowercaseMethod(value) }
      method = value
    case "--url": urls.append(value)
    case "--header": try take(header: value)
    case "--user-agent":
      if value.isEmpty { omitted.append("user-agent") } else { setUsual("User-Agent", value) }
    case "--referer":
      let referer = value.replacing(/;auto$/, with: "")
      if !referer.isEmpty { setUsual("Referer", referer) }
    case "--cookie":
      guard value.contains("=") || ShellVariable.isIn(value) else {
        cookieFiles.read = value
        return
      }
      credentials.append((value, "cookie"))
      // As curl joins several.
      setUsual("Cookie", (usual.first { $0.name == "Cookie" }.map { "\($0.value);" } ?? "") + value)
    case "--cookie-jar": cookieFiles.written = value
    case "--user":
      let sides = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard sides.count > 1 else { throw .missingPassword(user: sides[0]) }
      user = (sides[0], sides[1])
      credentials.append((user?.password ?? "", "password"))
    case "--oauth2-bearer":
      credentials.append((value, "token"))
      headers.append(("Authorization", "Bearer \(value)"))
    case "--json":
      isJSON = true
      try data.append(value, isBinary: true)
    case "--data", "--data-ascii": try data.append(value)
    case "--data-binary": try data.append(value, isBinary: true)
    case "--data-raw": data.append(raw: value)
    case "--data-urlencode": try data.append(encoding: value)
    case "--url-query": try take(query: value)
    case "--range": setUsual("Range", "bytes=\(value)")
    case "--retry":
      guard let count = Int(value), count >= 0 else { throw .malformedNumber(option: option, value) }
      attempts = "\(count + 1)"
    case "--max-redirs":
      guard let count = Int(value), count >= 0 else { throw .malformedNumber(option: option, value) }
      redirects = count
    case "--globoff": isPattern = false
    case "--path-as-is": keepsDotSegments = true
    case "--next": throw .severalRequests
    case "--form", "--form-string": try take(part: value, isPlain: option == "--form-string")
    case "--max-time":
      guard Double(value) != nil, value.allSatisfy({ $0.isNumber || $0 == "." }) else {
        throw .malformedNumber(option: option, value)
      }
      timeout = value
    case "--get": isQuery = true
    case "--head": isHead = true
    case "--insecure": connecting.connection.acceptsAnyCertificate = true
    case "--digest": isDigest = true
    case "--upload-file":
      upload = value == "-" ? .input(try data.readInput()) : .file(value)
    case "--output": output = value
    case "--remote-name": output = ""
    case "--dump-header" where value == "-": includesHeaders = true
    case "--write-out":
      writeOut = value
      if isInFile { unused.append(option) }
    case "--dump-header", "--trace", "--trace-ascii", "--connect-timeout": unused.append(option)
    default: break
    }
  }

  private mutating func setUsual(_ name: String, _ value: String) {
    usual.removeAll { $0.name == name }
    usual.append((name, value))
  }

  package mutating func take(header text: String) throws(ParseError) {
    if text.hasPrefix("@") { throw .otherwise(option: "-H @file", "write the headers themselves: -H 'Name: value'") }
    guard let colon = text.firstIndex(of: ":") else {
      // `-H 'Name;'` sends it empty.
      guard text.last == ";", text.count > 1 else { throw .malformedHeader(text) }
      return headers.append((String(text.dropLast()), ""))
    }
    let name = String(text[..<colon])
    var value = String(text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
    while value.last == " " || value.last == "\t" { value.removeLast() }
    if value.isEmpty {
      omitted.append(name.lowercased())
      return
    }
    if name.lowercased() == "authorization" || name.lowercased() == "cookie" {
      let text = value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? value
      credentials.append((text, name.lowercased() == "cookie" ? "cookie" : "token"))
    }
    headers.append((name, value))
  }

  /// `--url-query`: as `--data-urlencode`, and `+text` as it is.
  private mutating func take(query value: String) throws(ParseError) {
    if value.hasPrefix("+") { return query.append(String(value.dropFirst())) }
    var encoded = CurlData()
    try encoded.append(encoding: value)
    guard let text = encoded.text() else {
      throw .otherwise(option: "--url-query with a file", "type its content into the URL")
    }
    query.append(text)
  }

  private mutating func take(part value: String, isPlain: Bool) throws(ParseError) {
    guard let equals = value.firstIndex(of: "=") else { throw .missingValue(option: "-F \(value)") }
    var part = Part(name: String(value[..<equals]), value: String(value[value.index(after: equals)...]))
    if !isPlain {
      let first = part.value.first
      if first == "@" || first == "<" { part.value.removeFirst() }
      if first == "@", part.value.first != "\"", part.value.prefix(while: { $0 != ";" }).contains(",") {
        throw .otherwise(option: "-F with several files", "write each as a part of its own")
      }
      let settings = try CurlPartSettings(part.value)
      part.value = settings.value
      part.type = settings.type
      part.fileName = settings.fileName
      let input = part.value == "-" && (first == "@" || first == "<") ? try data.readInput() : nil
      if first == "@" {
        // Of its input, curl knows no type, but for a name that says one.
        let type = CurlPartSettings.type(ofFile: part.fileName ?? part.value)
        part.type = part.type ?? (input == nil ? type ?? CurlPartSettings.unknownType : type)
        if input != nil { part.fileName = part.fileName ?? "-" }
      }
      if case .file(let path)? = input { part.value = path }
      if case .text(let text)? = input {
        part.value = text
      } else {
        (part.isFile, part.isFileText) = (first == "@", first == "<")
      }
    }
    // Its name says what type it has.
    if part.isFile, ShellVariable.isIn(part.value) { throw .words(.expansion(ShellVariable.spelled(part.value))) }
    parts.append(part)
  }

  package static func == (left: CurlCommand, right: CurlCommand) -> Bool { left.statement == right.statement }

  package func hash(into hasher: inout Hasher) { hasher.combine(statement) }
}
