import Diagnostics
import RequestSyntax
import Requests

/// `auth oauth { … }`, as far as the text gives it.
extension Checker {
  mutating func checkSignIn(_ values: [ExpressionSyntax], _ range: SourceRange) {
    guard isInProfileOrSecret else { return report(.signIn(.outsideProfile), range) }
    guard values.count == 1 else { return report(.signIn(.notAnObject), range) }
    guard case .object(let object) = values[0] else { return expect(.object, values[0]) }
    var given: Set<String> = []
    var flow: OAuthSettings.Flow?
    var isWhole = true
    for member in object.members {
      guard case .field(let key, let value, _) = member, let name = key.plainText else {
        isWhole = false
        continue
      }
      guard let field = OAuthField(named: name) else {
        report(.signIn(.unknownField(name)), key.range)
        continue
      }
      given.insert(name)
      if name == "flow" { flow = value.plainText.flatMap(OAuthSettings.Flow.init) }
      check(field, value)
    }
    guard isWhole else { return }
    report(range) { () throws(SignInSettingError) in try OAuthSettings.check(given, flow: flow) }
  }

  private mutating func check(_ field: OAuthField, _ value: ExpressionSyntax) {
    switch field.kind {
    case .text:
      expectText(value)
      guard field.name == "redirect-path", let text = value.plainText else { return }
      report(value.range) { () throws(SignInSettingError) in _ = try OAuthSettings.path(text) }
    case .secret: expectText(value)
    case .url:
      expectText(value)
      guard let text = value.plainText else { return }
      report(value.range) { () throws(SignInSettingError) in
        _ = try OAuthSettings.endpoint(text, field: field.name)
      }
    case .word:
      expectText(value)
      guard let text = value.plainText else { return }
      report(value.range) { () throws(SignInSettingError) in try OAuthSettings.word(text, of: field) }
    case .number:
      expect(.number, value)
      guard case .number(let number) = value else { return }
      report(value.range) { () throws(SignInSettingError) in _ = try OAuthSettings.port(Int(number.text)) }
    case .texts: expect(.object, value)
    case .key: break
    }
  }

  private mutating func report(_ range: SourceRange, _ check: () throws(SignInSettingError) -> Void) {
    do throws(SignInSettingError) {
      try check()
    } catch {
      report(.signIn(error), range)
    }
  }
}
