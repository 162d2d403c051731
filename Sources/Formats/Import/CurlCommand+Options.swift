internal import Diagnostics
internal import Imports
package import Presentation
internal import RequestSyntax
internal import Requests

extension CurlCommand {
  package static let longNames: [Character: String] = [
    "X": "--request", "H": "--header", "A": "--user-agent", "e": "--referer", "b": "--cookie", "u": "--user",
    "d": "--data", "F": "--form", "m": "--max-time", "G": "--get", "I": "--head", "k": "--insecure", "o": "--output",
    "O": "--remote-name", "s": "--silent", "S": "--show-error", "v": "--verbose", "i": "--include", "L": "--location",
    "f": "--fail", "g": "--globoff", "w": "--write-out", "#": "--progress-bar", "N": "--no-buffer", "4": "--ipv4",
    "6": "--ipv6", "T": "--upload-file", "x": "--proxy", "E": "--cert", "r": "--range", "c": "--cookie-jar",
    "C": "--continue-at", "n": "--netrc", "R": "--remote-time", "J": "--remote-header-name", "0": "--http1.0",
    "a": "--append", "y": "--speed-time", "Y": "--speed-limit", "z": "--time-cond", "K": "--config",
    "D": "--dump-header", "U": "--proxy-user", "j": "--junk-session-cookies", "Z": "--parallel", ":": "--next",
    "q": "--disable",
  ]

  /// Options about what curl shows, or that ask for what happens here anyway.
  package static let ignoredFlags: Set<String> = [
    "--silent", "--show-error", "--verbose", "--include", "--location", "--fail",
    "--progress-bar", "--no-buffer", "--compressed", "--http1.1", "--http2", "--fail-with-body", "--no-progress-meter",
    "--ipv4", "--ipv6", "--basic", "--create-dirs", "--retry-all-errors", "--retry-connrefused", "--tcp-nodelay",
    "--remote-time", "--junk-session-cookies", "--disable", "--styled-output", "--no-styled-output", "--no-alpn",
    "--http2-prior-knowledge", "--fail-early", "--trace-time", "--tcp-fastopen", "--no-keepalive", "--no-sessionid",
    "--ssl", "--ssl-reqd",
  ]

  package static let flags = ignoredFlags.union([
    "--get", "--head", "--insecure", "--remote-name", "--globoff", "--path-as-is", "--next", "--digest", "--tlsv1.2",
    "--tlsv1.3",
  ])

  package static let valued: Set<String> = [
    "--request", "--url", "--header", "--user-agent", "--referer", "--cookie", "--user", "--oauth2-bearer", "--json",
    "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "--form", "--form-string",
    "--max-time", "--output", "--write-out", "--upload-file", "--connect-timeout", "--url-query", "--range", "--retry",
    "--max-redirs", "--retry-delay", "--retry-max-time", "--resolve", "--unix-socket", "--proxy", "--cert", "--key",
    "--cacert", "--pass", "--cookie-jar", "--abstract-unix-socket", "--connect-to", "--proxy-user", "--keepalive-time",
    "--trace", "--trace-ascii", "--stderr", "--dump-header", "--speed-time", "--speed-limit", "--output-dir",
    "--proto", "--proto-redir",
  ]

  /// All that are understood, in their long form.
  package static let options = flags.union(valued).sorted()

  /// Those whose value is a file.
  package static let fileOptions: Set<String> = [
    "--upload-file", "--output", "--cacert", "--cert", "--key", "--cookie", "--cookie-jar", "--unix-socket",
  ]

  /// What is done in another way here, and how.
  package static let otherwise: [String: String] = [
    "--http1.0": "leave it out: HTTP/1.1 is spoken, and HTTP/2 where a server offers it",
    "--netrc": "name the user and the password: auth basic \"user\", $env.PASSWORD",
    "--aws-sigv4": "auth sigv4 { key: \"…\", secret: $env.AWS_SECRET_ACCESS_KEY, region: \"…\", service: \"…\" }",
    "--parallel": "a script sends several at a time: parallel { … }",
    "--config": "paste the options that are in the file",
    "--location-trusted": "a credential goes to its own origin only: leave it out, or send to the last URL",
    "--ntlm": "only basic, digest and bearer are known: auth basic \"user\", $env.PASSWORD",
    "--negotiate": "only basic, digest and bearer are known: auth bearer $env.TOKEN",
    "--anyauth": "say which: auth basic \"user\", $env.PASSWORD",
    "--remote-header-name": "name the file: -o file",
    "--continue-at": "ask for the rest: -r 1000-",
    "--time-cond": "a header says it: -H 'If-Modified-Since: …'",
    "--append": "a server's own request does that: type it",
  ]

  /// Notes how it connects, if the option says that.
  ///
  /// - Returns: whether it does.
  mutating func connect(_ option: String, _ value: String) throws(ParseError) -> Bool {
    switch option {
    case "--tlsv1.2", "--tlsv1.3": connecting.connection.tls["minimum"] = String(option.suffix(3))
    case "--cacert": connecting.connection.tls["ca"] = value
    case "--cert":
      let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      connecting.present(certificate: parts[0])
      if parts.count > 1 { take(passphrase: parts[1]) }
    case "--key": connecting.connection.tls["key"] = value
    case "--pass": take(passphrase: value)
    case "--unix-socket": connecting.connection.unixSocket = value
    case "--abstract-unix-socket": throw .unknown(option: option)
    case "--proxy":
      if let password = connecting.goThrough(proxy: value) { credentials.append((password, "proxy-password")) }
      try checkProxy(option)
    case "--proxy-user":
      connecting.proxyHasUser = true
      credentials.append((value.split(separator: ":", maxSplits: 1).last.map(String.init) ?? "", "proxy-password"))
      try checkProxy(option)
    case "--resolve":
      // `[+]host:port:address[,address]…`
      let parts = value.trimmingPrefix("+").split(separator: ":", maxSplits: 2).map(String.init)
      guard parts.count == 3, let address = parts[2].split(separator: ",").first else {
        throw .missingValue(option: option)
      }
      guard parts[0] != "*", !value.hasPrefix("-") else {
        throw .otherwise(
          option: "\(option) \(parts[0])", "name the host of the URL: --resolve example.org:443:127.0.0.1")
      }
      connecting.connection.hosts[parts[0]] = String(address)
    case "--connect-to":
      let parts = value.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3 else { throw .missingValue(option: option) }
      guard !parts[0].isEmpty, !parts[2].hasPrefix(":") else {
        throw .otherwise(option: "\(option) \(value)", "name both hosts: --connect-to example.org:443:localhost:8443")
      }
      connecting.connection.hosts[parts[0]] = parts[2].hasSuffix(":") ? String(parts[2].dropLast()) : parts[2]
    default: return false
    }
    connecting.options.append(option)
    return true
  }

  /// A script has no place for the user and the password that a line has.
  private func checkProxy(_ option: String) throws(ParseError) {
    guard isInFile, connecting.proxyHasUser else { return }
    throw .otherwise(
      option: "\(option) with a user",
      "leave it out, then add proxy \"http://user:{$env.PASSWORD}@host\" to the profile")
  }

  private mutating func take(passphrase: String) {
    credentials.append((passphrase, "passphrase"))
    connecting.connection.hasPassphrase = true
  }
}

extension CurlCommand.ParseError {
  /// What is wrong with the line, and what to do.
  package var report: ErrorReport {
    switch self {
    case .words(.open): ErrorReport("a quotation mark is open at the end of the line")
    case .words(.expansion(let text)) where ReferenceText.isOfResponse(text):
      ErrorReport(
        "\(CutText.cut(text, to: 80)) is a value of a response, and a curl line knows none",
        notes: ["leave out curl: GET /path, with auth bearer $1.body.token or -H \"Name: $1.body.value\" after it"])
    case .words(.expansion(let text)):
      ErrorReport(
        "\"\(text)\" is for a shell to replace",
        notes: ["write the value in its place; \"$NAME\" is a variable of the environment"])
    case .words(.operatorFound("&")):
      ErrorReport("\"&\" is for a shell", notes: ["quote a URL that holds one: 'https://…?a=1&b=2'"])
    case .words(.appended(let file)):
      ErrorReport(
        ">> \(file) appends to a file, and here a file is written whole",
        notes: ["leave it out; then :body > \(file) writes the response to a new file"])
    case .words(.bytes):
      ErrorReport(
        "bytes that are not UTF-8 can be in a body, or in a part of a form, and in nothing else",
        notes: ["a file can hold them, too: --data-binary @file"])
    case .words(.noFile(let sign)): ErrorReport("\"\(sign)\" needs the name of a file")
    case .words(.operatorFound("<")):
      ErrorReport(
        "\"<\" would give the command a text to read, and there is none here",
        notes: ["put the text into the line: -d '…'; a file: -d @file"])
    case .words(.operatorFound(let character)):
      ErrorReport("\"\(character)\" is for a shell", notes: ["paste the curl command alone"])
    case .missingValue(let option): ErrorReport("\(option) needs a value")
    case .missingURL: ErrorReport("this curl line has no URL")
    case .severalURLs(let urls) where urls.contains(where: ShellWords.isEndOfTornJSON):
      Self.tornJSON.report
    case .tornJSON:
      ErrorReport("a shell would take this JSON apart at its spaces and quotes", notes: ["quote it: -d '{\"a\": 1}'"])
    case .severalURLs(let urls):
      ErrorReport(
        "this curl line has \(urls.count) URLs: \(urls.joined(separator: ", "))", notes: ["paste one at a time"])
    case .unknown(let option):
      ErrorReport(
        "\(option) is not understood here",
        notes: [
          SpellingSuggestion.nearest(to: option, among: CurlCommand.options)
            .map { "did you mean \($0)?" } ?? "leave it out"
        ])
    case .otherwise(let option, let instead):
      ErrorReport("\(option) is not understood here", notes: [instead])
    case .lowercaseMethod(let method):
      ErrorReport(
        "\"\(method)\" is another method than \(method.uppercased()), also to curl",
        notes: ["methods are written in uppercase: -X \(method.uppercased())"])
    case .pattern(let url):
      ErrorReport(
        "\"\(url)\" is a pattern for several URLs to curl",
        notes: ["paste one URL; for braces and brackets in it as they are: -g"])
    case .severalRequests:
      ErrorReport("--next begins another request", notes: ["paste each as a line of its own that begins with curl"])
    case .tooMany: ErrorReport("this line stands for more requests than anybody reads", notes: ["write a loop: for"])
    case .missingPassword(let user):
      ErrorReport(
        "curl would ask for the password of \"\(user)\"",
        notes: ["in the line: -u \(user):…", "typed: auth basic \"\(user)\", $env.PASSWORD"])
    case .windows:
      ErrorReport("this curl line is for cmd.exe", notes: ["copy the request \"as cURL (bash)\" and paste that"])
    case .malformedHeader(let text): ErrorReport("\"\(text)\" is not a header: it has no colon")
    case .malformedNumber(let option, let text):
      ErrorReport("\"\(text)\" is not a number", notes: ["\(option) takes seconds: \(option) 5"])
    case .standardInput:
      ErrorReport(
        "there is no standard input to send from here", notes: ["name a file: -d @file, -T file, -F name=@file"])
    case .twoBodies: ErrorReport("-d, -F and -T cannot be sent together")
    }
  }
}
