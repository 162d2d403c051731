/// Options of curl and HTTPie that a request and `workbench send` do not have: what is written instead.
package enum ForeignOption {
  private static let bearer = "'auth bearer $env.TOKEN'"
  private static let insecure = "a profile says it: profile name { base https://… tls { insecure: true } }"
  private static let redirects = "leave it out: redirects are followed, but with the clause redirects none"
  private static let statuses = "leave it out: the exit code is 1 unless the status is 2xx or 3xx"
  private static let upload = "PUT URL body file(\"…\"), or PUT URL with standard input"
  private static let seconds = "timeout 10s after the URL"

  /// By option, as words of a shell.
  private static let meanings: [String: String] = [
    "--json": "items are JSON, name=text age:=41, and so is '{\"a\": 1}' after the URL",
    "-j": "items are JSON, name=text age:=41, and so is '{\"a\": 1}' after the URL",
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
    "-f": "for a form: --form; curl's -f is not needed, the exit code is 1 for 4xx and 5xx",
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

  /// What to write instead, as words of a shell; nil: it is not known.
  package static func meaning(_ option: String) -> String? { meanings[option] }

  /// The same, as it is typed at the prompt.
  static func typedMeaning(_ option: String) -> String? {
    meanings[option]?.replacing("'", with: "").replacing("after the URL", with: "after the target")
  }
}
