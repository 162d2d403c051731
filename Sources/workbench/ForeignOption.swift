internal import Formats

/// Options of curl and HTTPie that `workbench send` does not have: what is written here instead.
enum ForeignOption {
  private static let bearer = "'auth bearer $env.TOKEN'"
  private static let basic = "'auth basic \"user\", $env.PASSWORD'"
  private static let insecure = "a profile says it: profile name { base https://… tls { insecure: true } }"
  private static let redirects = "leave it out: redirects are followed, but with the clause redirects none"
  private static let statuses = "leave it out: the exit code is 1 unless the status is 2xx or 3xx"
  private static let upload = "PUT URL body file(\"…\"), or PUT URL with standard input"
  private static let seconds = "timeout 10s after the URL"

  private static let meanings: [String: String] = [
    "--json": "items are JSON, name=text age:=41, and so is '{\"a\": 1}' after the URL",
    "-j": "items are JSON, name=text age:=41, and so is '{\"a\": 1}' after the URL",
    "--auth": "\(basic) or \(bearer) after the URL", "-a": "\(basic) or \(bearer) after the URL",
    "--auth-type": "\(basic) or \(bearer) after the URL", "-A": "\(basic) or \(bearer) after the URL",
    "--bearer": "\(bearer) after the URL", "--oauth2-bearer": "\(bearer) after the URL",
    "--digest": "'auth digest \"user\", $env.PASSWORD' after the URL",
    "--cookie": "a cookie is a header, 'Cookie:name=value' after the URL",
    "--session": "a profile with cookies on keeps them", "--cookie-jar": "a profile with cookies on keeps them",
    "--user-agent": "'User-Agent:name' after the URL", "--referer": "'Referer:…' after the URL",
    "-e": "'Referer:…' after the URL",
    "--timeout": seconds, "--max-time": seconds, "-m": seconds,
    "--insecure": insecure, "-k": insecure, "--verify": insecure,
    "--follow": redirects, "-F": "multipart name=value file@a.png after the URL",
    "-L": redirects, "--location": redirects,
    "--check-status": statuses, "--fail": statuses,
    "-f": "of a form it is --form; that the exit code is 1 unless the status is 2xx or 3xx needs no option",
    "-s": "leave it out", "--silent": "leave it out", "-S": "leave it out", "--show-error": "leave it out",
    "-x": "a profile says it: profile name { base https://… proxy http://… }",
    "--proxy": "a profile says it: profile name { base https://… proxy http://… }",
    "--retry": "retry 3 after the URL", "-O": "--output FILE", "--download": "--output FILE",
    "--remote-name": "--output FILE", "--multipart": "multipart after the URL, and items",
    "--raw": "text \"…\" after the URL, or -d", "--data-raw": "-d",
    "--data-binary": "-d, or body file(\"…\") after the URL",
    "--data-urlencode": "form name=value after the URL", "-T": upload, "--upload-file": upload,
    "--form-string": "multipart name=value after the URL",
    "-G": "the query is items, name==value", "--get": "the query is items, name==value",
    "--print": "-v, --headers or --body",
  ]

  /// What to write instead of the first of them; nil: there is none.
  ///
  /// - Parameter words: those after the subcommand.
  static func first(in words: some Sequence<String>) -> String? {
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
      let option = String(word.prefix { $0 != "=" })
      if let meaning = meanings[option] {
        return "\(option) is not an option of send: \(meaning); after send curl or send http, options are that tool's"
      }
      let name = option.hasPrefix("--") ? option : option.count == 2 ? CurlCommand.longNames[option.last ?? " "] : nil
      guard let name, CurlCommand.flags.union(CurlCommand.valued).contains(name), !own.contains(option) else {
        continue
      }
      return "\(option) is an option of curl: workbench send curl \(option) … URL"
    }
    return nil
  }

  /// Those of curl that send has, too.
  private static let own: Set<String> = [
    "-H", "--header", "-u", "--user", "-X", "--request", "-i", "--include", "-I", "--head", "-d", "--data", "-o",
    "--output", "-v",
    "--verbose", "-p", "-b", "--form", "--color", "--set", "--use", "-h",
  ]
}
