internal import Formats

extension ForeignOption {
  static func isOfCurl(_ option: String) -> Bool {
    let name = option.hasPrefix("--") ? option : option.count == 2 ? CurlCommand.longNames[option.last ?? " "] : nil
    return name.map(CurlCommand.flags.union(CurlCommand.valued).contains) ?? false
  }

  /// What to write instead of the first of them; nil: there is none.
  ///
  /// - Parameter words: those after the subcommand.
  static func first(in words: some Sequence<String>) -> String? {
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
      let option = String(word.prefix { $0 != "=" })
      if let meaning = meaning(option) {
        return "\(option) is not an option of send: \(meaning); after send curl or send http, options are that tool's"
      }
      guard isOfCurl(option), !own.contains(option) else { continue }
      return "\(option) is an option of curl: workbench send curl \(option) … URL"
    }
    return nil
  }

  /// Those of curl that send has, too.
  private static let own: Set<String> = [
    "-H", "--header", "-u", "--user", "-X", "--request", "-i", "--include", "-I", "--head", "-d", "--data", "-o",
    "--output", "-v",
    "--verbose", "-a", "--auth", "-A", "--auth-type", "-p", "-b", "--form", "--color", "--set", "--use", "-h",
  ]
}
