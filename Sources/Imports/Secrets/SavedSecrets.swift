package import RequestSyntax
internal import Requests

/// The secrets of a saved script: one line each, so that the text of none is in the file.
package struct SavedSecrets {
  package struct Line: Hashable {
    package var name: String
    /// `$env.API_PASSWORD`, `$login.body.access_token`.
    package var source: ExpressionSyntax
    package var profiles: [String]
    /// The response that brings it; nil: the environment.
    package var number: Int?

    /// `secret name = source for profile, other`
    package var statement: StatementSyntax { .secret(SecretSyntax(name, source, for: profiles)) }
  }

  package private(set) var lines: [Line] = []
  /// Environment variables that the script needs, with their values here.
  package private(set) var variables: [String: String] = [:]
  /// Names that are taken.
  package var names: Set<String>
  private var known: [String: [String]] = [:]
  /// The value of each response's path; there is only one.
  private var sources: [ExpressionSyntax: String] = [:]
  /// Every text that was taken to be a secret.
  package private(set) var texts: Set<String> = []
  /// The existing environment variables.
  private let environment: [String: String]

  package init(names: Set<String>, environment: [String: String]) {
    self.names = names
    self.environment = environment
  }

  /// The name of a secret that the environment brings.
  ///
  /// - Parameter hint: its name in context: `password`.
  package mutating func name(ofText text: String, hint: String, profile: String) -> String {
    if let name = existing(text, profile) { return name }
    // What was typed for one profile, and then for another, is one secret of both.
    let isTyped = { (line: Line) in line.number == nil && known[text]?.contains(line.name) ?? false }
    if let index = lines.firstIndex(where: isTyped) {
      lines[index].profiles.append(profile)
      return lines[index].name
    }
    return add(text, hint: hint, [profile])
  }

  /// The name of a secret that the environment brings, whatever responses brought: it is known before the first of them.
  ///
  /// - Parameter profiles: not empty.
  package mutating func name(ofText text: String, hint: String, beforeResponsesFor profiles: [String]) -> String {
    let line = lines.first { line in
      known[text]?.contains(line.name) ?? false && line.number == nil && profiles.allSatisfy(line.profiles.contains)
    }
    return line?.name ?? add(text, hint: hint, profiles)
  }

  /// The name of the secret that a variable of the environment holds; nil: it holds none.
  package mutating func name(ofVariable variable: String, profile: String) -> String? {
    guard let text = environment[variable], text.utf8.count >= Secret.fewestBytes else { return nil }
    share(variable, with: profile)
    let line = lines.first { $0.source.environmentName == variable && $0.profiles.contains(profile) }
    if let line { return line.name }
    variables[variable] = text
    return add(text, .environment(variable), named: freeName(variable), [profile], number: nil)
  }

  /// A secret that the environment brings, under a name that is its own already.
  mutating func add(_ text: String, named name: String, _ profiles: [String]) {
    let variable = variable(holding: text, hint: name, profile: profiles.first ?? "")
    _ = add(text, .environment(variable), named: name, profiles, number: nil)
  }

  private mutating func add(_ text: String, hint: String, _ profiles: [String]) -> String {
    let (base, profile) = (Self.base(of: hint), profiles.first ?? "")
    // Where only another profile has a secret of this name, the variables differ without a number.
    let isOfAnother =
      lines.contains { $0.name == base }
      && !lines.contains { $0.profiles.contains(profile) && ($0.name == base || $0.name.hasPrefix("\(base)-")) }
    let name = freeName(hint)
    // Otherwise both have the same number, if they have one.
    let variable = variable(holding: text, hint: isOfAnother ? base : name, profile: profile)
    return add(text, .environment(variable), named: name, profiles, number: nil)
  }

  /// The name of a secret that a response brought.
  package mutating func name(
    ofText text: String, hint: String, profile: String, from reference: ExpressionSyntax, number: Int
  )
    -> String
  {
    if let name = existing(text, profile) { return name }
    // Where responses became one step, the same path may have brought another value earlier: that is not this secret.
    guard sources[reference] == nil || sources[reference] == text else {
      return name(ofText: text, hint: hint, profile: profile)
    }
    sources[reference] = text
    return add(text, reference, named: freeName(hint), [profile], number: number)
  }

  /// The variable that holds the text: an existing one, else one to be set before the script runs.
  package mutating func variable(holding text: String, hint: String, profile: String) -> String {
    let prefix = profile.isEmpty ? "" : "\(profile)_"
    let wanted = (prefix + hint).uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
    var name = environment.filter { $0.value == text && SensitiveName.contains($0.key) }.keys.sorted().first
    name = name ?? variables.first { $0.value == text }?.key
    let first = name ?? String(wanted)
    var (result, count) = (first, 1)
    while let other = variables[result] ?? environment[result], other != text {
      count += 1
      result = "\(first)_\(count)"
    }
    variables[result] = text
    texts.insert(text)
    return result
  }

  /// The variable that holds the text of a secret, in place of what a declaration took it from.
  package mutating func environment(holding text: String, of declaration: SecretSyntax) -> ExpressionSyntax {
    let profile = declaration.profiles.first?.text ?? ""
    return .environment(variable(holding: text, hint: declaration.name.text, profile: profile))
  }

  /// The variables that secrets are made from: whatever else reads one sends a secret.
  package var ownVariables: Set<String> {
    Set(lines.compactMap { line in line.number == nil ? line.source.environmentName : nil })
  }

  /// A step of this profile reads the variable: what is made from it is a secret of that profile, too.
  package mutating func share(_ variable: String, with profile: String) {
    let indices = lines.indices.filter { lines[$0].number == nil && lines[$0].source.environmentName == variable }
    guard let first = indices.first, !indices.contains(where: { lines[$0].profiles.contains(profile) }) else { return }
    lines[first].profiles.append(profile)
  }

  /// Where a secret of the environment goes, one that is inside of it goes, too: `secret` with `secret99`.
  package mutating func shareParts() {
    func texts(of line: Line) -> [String] { known.filter { $0.value.contains(line.name) }.map(\.key) }
    for index in lines.indices where lines[index].number == nil {
      let inner = texts(of: lines[index])
      for whole in lines where whole.number == nil && whole.name != lines[index].name {
        let isInside = texts(of: whole).contains { text in inner.contains { text != $0 && text.contains($0) } }
        guard isInside else { continue }
        lines[index].profiles += whole.profiles.filter { !lines[index].profiles.contains($0) }
      }
    }
  }

  /// Whether the variable of the environment has this text.
  package func isHeld(_ text: String, in variable: String) -> Bool { environment[variable] == text }

  package mutating func need(variable: String) {
    if let value = environment[variable] { variables[variable] = value }
  }

  /// What a secret with this text is called in the script; nil: it has no name there.
  package func name(ofText text: String) -> String? { known[text]?.first }

  private func existing(_ text: String, _ profile: String) -> String? {
    known[text]?.first { name in lines.contains { $0.name == name && $0.profiles.contains(profile) } }
  }

  private mutating func add(
    _ text: String, _ source: ExpressionSyntax, named name: String, _ profiles: [String], number: Int?
  ) -> String {
    lines.append(Line(name: name, source: source, profiles: profiles, number: number))
    known[text, default: []].append(name)
    texts.insert(text)
    return name
  }

  /// What a name begins with, before its number.
  private static func base(of hint: String) -> String {
    let base = hint.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
    return base.first.map { $0.isLetter } ?? false ? base : "secret"
  }

  /// A name that nothing has, from now on taken.
  private mutating func freeName(_ hint: String) -> String {
    let first = Self.base(of: hint)
    var name = first
    var count = 1
    while !names.insert(name).inserted {
      count += 1
      name = "\(first)-\(count)"
    }
    return name
  }
}

extension ExpressionSyntax {
  /// `NAME` of `$env.NAME`.
  package var environmentName: String? {
    guard case .reference(let reference) = self, reference.root.text == "env", reference.segments.count == 1,
      case .name(let name)? = reference.segments.first?.kind
    else { return nil }
    return name
  }
}
