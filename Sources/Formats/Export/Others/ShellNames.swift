/// What values are called in a shell's script: a name of their own that a shell takes, and that means nothing to it.
struct ShellNames {
  private var names: [String: String] = [:]
  private var taken: Set<String> = [
    "CDPATH", "ENV", "HOME", "IFS", "LANG", "LC_ALL", "OLDPWD", "OPTARG", "OPTIND", "PATH", "PPID", "PS1", "PS2", "PS4",
    "PWD", "response",
  ]

  /// - Parameters:
  ///   - environment: names that are given to the script, and stay as they are.
  ///   - values: what else has a name.
  init(environment: [String], values: [String]) {
    for name in environment { names[name] = name }
    taken.formUnion(environment)
    for value in values where names[value] == nil { names[value] = newName(value) }
  }

  func name(of value: String) -> String { names[value] ?? value }

  /// A name for something else.
  mutating func newName(_ value: String) -> String {
    var name = String(value.unicodeScalars.map { Self.isPlain($0) ? Character($0) : "_" })
    if name.first?.isNumber ?? true { name = "_" + name }
    while !taken.insert(name).inserted { name += "_" }
    return name
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}
