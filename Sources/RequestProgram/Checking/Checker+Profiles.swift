import Diagnostics
import HTTPTypes
package import RequestSyntax
import Requests

/// Profiles: settings are valid, names are known before anything is sent.
extension Checker {
  /// A profile reads only top-level names, none of which may need a response unless it is a secret.
  mutating func check(_ profile: ProfileSyntax) {
    user = .profile(profile.name.text)
    isInProfileOrSecret = true
    defer { isInProfileOrSecret = false }
    var seen: Set<String> = []
    for setting in profile.settings {
      check(setting)
      if let keyword = setting.keyword, !seen.insert(keyword).inserted {
        report(.repeatedClause(keyword), setting.range.beginning(keyword.utf8.count))
      }
    }
    checkOmitted(profile.settings.compactMap { if case .clause(let clause) = $0.kind { clause } else { nil } })
    if profile.settings.contains(where: \.isAddress) { return }
    let name = profile.name.text
    let earlier = program.profiles.first { $0.node.name.text == name }?.node.settings ?? []
    let lost = earlier.filter { !seen.contains($0.keyword ?? "") }.map(\.reminder)
    report(
      earlier.contains(where: \.isAddress)
        ? .profileLosesOrigin(name, settings: lost) : .profileWithoutOrigin(name), profile.name.range)
  }

  private mutating func check(_ setting: SettingSyntax) {
    setting.forEachExpression { expression in
      guard case .reference(let reference) = expression else { return checkNode(expression) }
      checkSegments(reference.segments)
      let name = reference.root.text
      if name == "env" {
        checkEnvironment(reference)
      } else if Int(name) != nil || name == "_" || (scope.kind(of: name) == .step && !scope.globals.contains(name)) {
        report(.profileNeedsStep(name), reference.root.range)
      } else if !scope.globals.contains(name) {
        report(.unknownReference(name, user: nil, known: scope.globals.sorted()), reference.root.range)
      }
    }
    switch setting.kind {
    case .base(let value):
      checkConstant(value, "base") { text throws(OriginError) in _ = try BaseURL(text) }
    case .origin(let value):
      checkConstant(value, "origin") { text throws(OriginError) in _ = try OriginPattern(text) }
    case .proxy, .http, .unixSocket, .cookies, .tls, .resolve: checkNetwork(setting)
    case .clause(let clause):
      checkContent(clause)
      // Each request has a length and a host of its own.
      checkFraming(clause, bodySize: nil, origin: nil)
    }
  }

  private mutating func checkConstant(
    _ value: ExpressionSyntax, _ kind: String, _ parse: (String) throws(OriginError) -> Void
  ) {
    expectText(value)
    guard let text = value.plainText else { return }
    do throws(OriginError) {
      try parse(text)
    } catch {
      let problem: String
      switch error {
      case .port, .host:
        let hasUser = text.originText?.contains("@") ?? false
        problem =
          hasUser ? "a user and a password are a setting: auth basic user, password" : ProgramError.describe(error)
      case .trailing:
        problem = kind == "base" ? "a base has no query and no fragment" : "an origin has no path: https://host:port"
      case .scheme, .wildcard: problem = ProgramError.describe(error)
      }
      report(.invalidOrigin(text, kind: kind, .init(sentence: problem)), value.range)
    }
  }

  mutating func checkProfile(_ name: String, _ range: SourceRange) {
    if profiles[name] == nil { report(.unknownProfile(name, known: profileNames), range) }
  }
}

extension ProfileSyntax {
  var hasBase: Bool {
    settings.contains { if case .base = $0.kind { true } else { false } }
  }

  /// The origin it is for, if that is one and has no wildcard.
  var onlyOrigin: String? {
    var origins: [String?] = []
    for setting in settings { if case .origin(let value) = setting.kind { origins.append(value.plainText) } }
    guard origins.count == 1, let text = origins[0], !text.contains("*") else { return nil }
    return text
  }

  /// The profile with only its origins, if the text gives them all.
  var withLiteralOrigins: SessionProfile? {
    var base: BaseURL?
    var others: [OriginPattern] = []
    for setting in settings {
      switch setting.kind {
      case .base(let value):
        guard let text = value.plainText, let url = try? BaseURL(text) else { return nil }
        base = url
      case .origin(let value):
        guard let text = value.plainText, let pattern = try? OriginPattern(text) else { return nil }
        others.append(pattern)
      default: continue
      }
    }
    return SessionProfile(name: name.text, base: base, otherOrigins: others)
  }
}

extension Program {
  /// A profile that is declared again without an address, with all that it had and does not set now.
  package func completed(_ profile: ProfileSyntax) -> ProfileSyntax {
    guard !profile.settings.contains(where: \.isAddress),
      let earlier = profiles.last(where: { $0.node.name.text == profile.name.text })?.node.settings,
      earlier.contains(where: \.isAddress)
    else { return profile }
    let set = Set(profile.settings.compactMap(\.keyword))
    var completed = profile
    completed.settings = earlier.filter { !set.contains($0.keyword ?? "") } + profile.settings
    return completed
  }
}

extension SettingSyntax {
  /// How to write it again: an address, or its first word.
  fileprivate var reminder: String {
    switch kind {
    case .base(let value): "base \(SyntaxPrinter.print(value))"
    case .origin(let value): "origin \(SyntaxPrinter.print(value))"
    case .clause(let clause): "\(clause.keyword.text) …"
    case .resolve: "resolve …"
    case .cookies(let isOn): "cookies \(isOn ? "on" : "off")"
    case .proxy, .http, .unixSocket, .tls: "\(keyword ?? "") …"
    }
  }

  /// The word of a setting that appears once; nil for those that may appear more often.
  fileprivate var keyword: String? {
    switch kind {
    case .clause(let clause):
      switch clause.kind {
      case .header, .query: nil
      default: clause.keyword.text
      }
    case .base: "base"
    case .proxy: "proxy"
    case .http: "http"
    case .unixSocket: "unix-socket"
    case .cookies: "cookies"
    case .tls: "tls"
    case .origin, .resolve: nil
    }
  }
}

extension ExpressionSyntax {
  /// A word or string without expressions.
  var plainText: String? {
    switch self {
    case .word(let word): word.plainText
    case .string(let string): string.plainText
    default: nil
    }
  }
}
