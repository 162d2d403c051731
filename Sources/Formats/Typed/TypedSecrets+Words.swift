internal import Requests

extension TypedSecrets {
  /// What is hidden in the words of a command line, each as a shell hands it over, without what is very short.
  ///
  /// Options of other tools are known, too, whether this program takes them or not: fingers type them.
  package static func values(inWords words: [String]) -> Set<String> {
    var found: Set<String> = []
    var option = Substring()
    for word in words {
      defer { option = word.hasPrefix("-") ? word[...] : "" }
      found.formUnion(values(in: word))
      found.formUnion(values(of: option, in: word[...]))
      guard word.hasPrefix("-") else { continue }
      // `-uann:…`, `--user=ann:…`
      let name = word.hasPrefix("--") ? word.prefix { $0 != "=" } : word.prefix(2)
      let rest = word[name.endIndex...].drop { $0 == "=" }
      found.formUnion(values(in: String(rest)))
      found.formUnion(values(of: name, in: rest))
    }
    return found.filter { $0.utf8.count >= Secret.fewestBytes }
  }

  /// What an option of curl or HTTPie gives that its value does not say.
  private static func values(of option: Substring, in value: Substring) -> [String] {
    switch option {
    case "-u", "--user", "-U", "--proxy-user":
      return value.contains(":") ? login(value) : []
    case "-a", "--auth": return login(value)
    case "--oauth2-bearer", "--bearer", "--token", "--pass", "--password", "--cert-key-pass", "--proxy-pass":
      return [String(value)]
    case "-b", "--cookie":
      return value.split(separator: ";").compactMap { pair in
        pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
      }
    default: return []
    }
  }

  /// A password; with its user, if it is too short to be looked for alone.
  private static func login(_ value: Substring) -> [String] {
    let password = value.firstIndex(of: ":").map { value[value.index(after: $0)...] } ?? value
    return [String(password.utf8.count < Secret.fewestBytes ? value : password)]
  }
}
