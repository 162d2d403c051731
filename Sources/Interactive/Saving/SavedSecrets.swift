internal import Requests
internal import UploaderCore

/// The secrets of a saved script: a line each, so that no text of one stands in the file.
struct SavedSecrets {
  struct Line: Hashable {
    var name: String
    /// `$env.API_PASSWORD`, `$login.body.access_token`.
    var source: String
    var profile: String
    /// The answer that brings it; nil: the environment.
    var number: Int?
  }

  private(set) var lines: [Line] = []
  /// Environment variables that the script needs, with what they held here.
  private(set) var variables: [String: String] = [:]
  /// Names that are taken.
  var names: Set<String>
  private var known: [String: [String]] = [:]
  /// What each answer's path stands for; it is one value.
  private var sources: [String: String] = [:]
  /// Every text that was taken for a secret.
  private(set) var texts: Set<String> = []
  /// The variables there are.
  private let environment: [String: String]

  init(names: Set<String>, environment: [String: String]) {
    self.names = names
    self.environment = environment
  }

  /// The name of a secret that the environment brings.
  ///
  /// - Parameter hint: what it is called where it stands: `password`.
  mutating func name(ofText text: String, hint: String, profile: String) -> String {
    if let name = existing(text, profile) { return name }
    let variable = variable(holding: text, hint: hint, profile: profile)
    return add(text, "$env.\(variable)", hint: hint, profile, number: nil)
  }

  /// The name of a secret that an answer brought.
  mutating func name(ofText text: String, hint: String, profile: String, from reference: String, number: Int) -> String
  {
    if let name = existing(text, profile) { return name }
    // Where answers became one step, the same path may have brought another value before: that is not this secret.
    guard sources[reference] == nil || sources[reference] == text else {
      return name(ofText: text, hint: hint, profile: profile)
    }
    sources[reference] = text
    return add(text, reference, hint: hint, profile, number: number)
  }

  /// The variable that holds the text: one there is, else one to be set before the script runs.
  mutating func variable(holding text: String, hint: String, profile: String) -> String {
    let prefix = profile.isEmpty ? "" : "\(profile)_"
    let wanted = (prefix + hint).uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    var name = environment.filter { $0.value == text && SensitiveName.contains($0.key) }.keys.sorted().first
    name = name ?? variables.first { $0.value == text }?.key
    var result = name ?? String(wanted)
    while let other = variables[result] ?? environment[result], other != text { result += "_2" }
    variables[result] = text
    texts.insert(text)
    return result
  }

  mutating func need(variable: String) {
    if let value = environment[variable] { variables[variable] = value }
  }

  private func existing(_ text: String, _ profile: String) -> String? {
    known[text]?.first { name in lines.contains { $0.name == name && $0.profile == profile } }
  }

  private mutating func add(_ text: String, _ source: String, hint: String, _ profile: String, number: Int?) -> String {
    let base = hint.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    let first = base.first.map { $0.isLetter } ?? false ? base : "secret"
    var name = first
    var count = 1
    while !names.insert(name).inserted {
      count += 1
      name = "\(first)-\(count)"
    }
    lines.append(Line(name: name, source: source, profile: profile, number: number))
    known[text, default: []].append(name)
    texts.insert(text)
    return name
  }
}
