package import Presentation

extension CurlCommand {
  package static let longNames: [Character: String] = [
    "X": "--request", "H": "--header", "A": "--user-agent", "e": "--referer", "b": "--cookie", "u": "--user",
    "d": "--data", "F": "--form", "m": "--max-time", "G": "--get", "I": "--head", "k": "--insecure", "o": "--output",
    "O": "--remote-name", "s": "--silent", "S": "--show-error", "v": "--verbose", "i": "--include", "L": "--location",
    "f": "--fail", "g": "--globoff", "w": "--write-out", "#": "--progress-bar", "N": "--no-buffer", "4": "--ipv4",
    "6": "--ipv6", "T": "--upload-file",
  ]

  /// Options about what curl shows, or that ask for what happens here anyway.
  package static let ignoredFlags: Set<String> = [
    "--silent", "--show-error", "--verbose", "--include", "--location", "--fail", "--globoff",
    "--progress-bar", "--no-buffer", "--compressed", "--http1.1", "--http2", "--fail-with-body", "--no-progress-meter",
    "--ipv4", "--ipv6", "--basic",
  ]

  package static let flags = ignoredFlags.union(["--get", "--head", "--insecure", "--remote-name"])

  package static let valued: Set<String> = [
    "--request", "--url", "--header", "--user-agent", "--referer", "--cookie", "--user", "--oauth2-bearer", "--json",
    "--data", "--data-ascii", "--data-binary", "--data-raw", "--data-urlencode", "--form", "--form-string",
    "--max-time", "--output", "--write-out", "--upload-file", "--connect-timeout",
  ]
}

extension CurlCommand.ParseError {
  /// What is wrong with the line, and what to do.
  package var report: ErrorReport {
    switch self {
    case .words(.open): ErrorReport("a quotation mark is open at the end of the line")
    case .words(.expansion(let text)):
      ErrorReport(
        "\"\(text)\" is for a shell to replace", notes: ["write the value, or type the request with $env.NAME"])
    case .words(.operatorFound("&")):
      ErrorReport("\"&\" is for a shell", notes: ["quote a URL that holds one: 'https://…?a=1&b=2'"])
    case .words(.operatorFound(let character)):
      ErrorReport("\"\(character)\" is for a shell", notes: ["paste the curl command alone"])
    case .missingValue(let option): ErrorReport("\(option) needs a value")
    case .missingURL: ErrorReport("this curl line has no URL")
    case .severalURLs(let urls):
      ErrorReport(
        "this curl line has \(urls.count) URLs: \(urls.joined(separator: ", "))", notes: ["paste one at a time"])
    case .unknown(let option):
      ErrorReport("\(option) is not understood here", notes: ["leave it out, or type the request"])
    case .insecure:
      ErrorReport(
        "-k is refused: only a profile says which certificates are accepted",
        notes: [
          "to trust one more authority: profile name { base https://… tls { ca: \"file.pem\" } }",
          "to accept any certificate, as -k does: profile name { base https://… tls { insecure: true } }",
        ])
    case .windows:
      ErrorReport("this curl line is for cmd.exe", notes: ["copy the request \"as cURL (bash)\" and paste that"])
    case .malformedHeader(let text): ErrorReport("\"\(text)\" is not a header: it has no colon")
    case .malformedNumber(let option, let text):
      ErrorReport("\"\(text)\" is not a number", notes: ["\(option) takes seconds: \(option) 5"])
    case .standardInput: ErrorReport("there is no standard input to send from here", notes: ["name a file: -d @file"])
    case .twoBodies: ErrorReport("-d, -F and -T cannot be sent together")
    }
  }
}
