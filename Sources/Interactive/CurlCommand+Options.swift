extension CurlCommand {
  static let longNames: [Character: String] = [
    "X": "--request", "H": "--header", "A": "--user-agent", "e": "--referer", "b": "--cookie", "u": "--user",
    "d": "--data", "F": "--form", "m": "--max-time", "G": "--get", "I": "--head", "k": "--insecure", "o": "--output",
    "O": "--remote-name", "s": "--silent", "S": "--show-error", "v": "--verbose", "i": "--include", "L": "--location",
    "f": "--fail", "g": "--globoff", "w": "--write-out", "#": "--progress-bar", "N": "--no-buffer", "4": "--ipv4",
    "6": "--ipv6",
  ]

  /// Options about what curl shows, or that say what happens here anyway.
  static let ignoredFlags: Set<String> = [
    "--remote-name", "--silent", "--show-error", "--verbose", "--include", "--location", "--fail", "--globoff",
    "--progress-bar", "--no-buffer", "--compressed", "--http1.1", "--http2", "--fail-with-body", "--no-progress-meter",
    "--ipv4", "--ipv6", "--basic",
  ]

  static let flags = ignoredFlags.union(["--get", "--head", "--insecure"])

  static let valued: Set<String> = [
    "--request", "--url", "--header", "--user-agent", "--referer", "--cookie", "--user", "--oauth2-bearer", "--json",
    "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "--form", "--form-string",
    "--max-time",
    "--output", "--write-out",
  ]
}

extension CurlCommand.ParseError {
  /// What is wrong with the line, and what to do.
  var report: (message: String, notes: [String]) {
    switch self {
    case .words(.open): ("a quotation mark is open at the end of the curl line", [])
    case .words(.expansion(let text)):
      ("\"\(text)\" is for a shell to replace", ["write the value, or type the request with $env.NAME"])
    case .words(.operatorFound(let character)):
      ("\"\(character)\" is for a shell", ["paste the curl command alone; quote URLs that hold \"&\""])
    case .missingValue(let option): ("\(option) needs a value", [])
    case .missingURL: ("this curl line has no URL", [])
    case .severalURLs(let urls):
      ("this curl line has \(urls.count) URLs: \(urls.joined(separator: ", "))", ["paste one at a time"])
    case .unknown(let option): ("\(option) is not understood here", ["leave it out, or type the request"])
    case .insecure:
      (
        "-k is refused: the server's certificate is always checked",
        ["a profile can trust another: tls { ca: \"file.pem\" }"]
      )
    case .malformedHeader(let text): ("\"\(text)\" is no header: it has no colon", [])
    case .standardInput: ("there is no standard input to send from here", ["name a file: -d @file"])
    case .twoBodies: ("-d and -F can not be sent together", [])
    }
  }
}
