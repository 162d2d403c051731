import Diagnostics
import HTTPTypes
import RequestSyntax
import Requests

extension Checker {
  /// A profile reads top-level names only, none of which may need an answer unless it is a secret.
  mutating func check(_ profile: ProfileSyntax) {
    user = "profile \(profile.name.text)"
    isInProfileOrSecret = true
    defer { isInProfileOrSecret = false }
    for setting in profile.settings { check(setting) }
  }

  private mutating func check(_ setting: SettingSyntax) {
    var references: [ReferenceSyntax] = []
    setting.forEachReference { references.append($0) }
    for reference in references where reference.root.text != "env" {
      let name = reference.root.text
      if Int(name) != nil || name == "_" || (scope.names[name] == .step && !scope.globals.contains(name)) {
        report(.profileNeedsStep(name), reference.root.range)
      } else if !scope.globals.contains(name) {
        report(.unknownReference(name, user: user, known: scope.globals.sorted()), reference.root.range)
      }
    }
    switch setting.kind {
    case .base(let value):
      checkConstant(value) { text throws(OriginError) in _ = try BaseURL(text) }
    case .origin(let value):
      checkConstant(value) { text throws(OriginError) in _ = try OriginPattern(text) }
    case .proxy: report(.notSupported("proxy"), setting.range.beginning(5))
    case .http: report(.notSupported("http"), setting.range.beginning(4))
    case .unixSocket: report(.notSupported("unix-socket"), setting.range.beginning(11))
    case .cookies(let isOn): if isOn { report(.notSupported("cookies"), setting.range.beginning(7)) }
    case .tls: report(.notSupported("tls"), setting.range.beginning(3))
    case .resolve: report(.notSupported("resolve"), setting.range.beginning(7))
    case .clause(let clause): check(profileClause: clause)
    }
  }

  private mutating func check(profileClause clause: ClauseSyntax) {
    switch clause.kind {
    case .header(.field(let name, _)):
      if HTTPField.Name(name.text) == nil { report(.invalidHeaderName(name.text), name.range) }
    case .auth(.scheme(.basic, let values)) where values.count != 2: report(.basicNeedsTwo, clause.range)
    case .auth(.scheme(.sigv4, _)): report(.notSupported("auth sigv4"), clause.range)
    default: return
    }
  }

  private mutating func checkConstant(_ value: ExpressionSyntax, _ parse: (String) throws(OriginError) -> Void) {
    let text: String? =
      switch value {
      case .word(let word): word.plainText
      case .string(let string): string.plainText
      default: nil
      }
    guard let text else { return }
    do throws(OriginError) {
      try parse(text)
    } catch {
      report(.invalidOrigin(text, .init(sentence: ProgramError.describe(error))), value.range)
    }
  }
}
