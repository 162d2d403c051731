import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// `cookies`, `proxy`, `tls`, `http`, `resolve` and `unix-socket`.
extension ProfileLowering {
  func applyNetwork(_ setting: SettingSyntax, to profile: inout SessionProfile) throws(ProgramError) {
    switch setting.kind {
    case .clause, .base, .origin: return
    case .cookies(let isOn): profile.network.keepsCookies = isOn
    case .proxy(let expression):
      let (text, value) = try evaluator.text(expression)
      profile.otherSecrets += value.secrets
      profile.network.proxy = try known(setting) { () throws(NetworkSettingError) in
        try NetworkSettings.proxy(text, for: profile.origins)
      }
    case .http(let expression):
      let text = try evaluator.text(expression).text
      profile.network.version = try known(setting) { () throws(NetworkSettingError) in
        try NetworkSettings.version(text)
      }
    case .unixSocket(let expression):
      profile.network.unixSocket = evaluator.place(try evaluator.text(expression).text)
    case .tls(let object): profile.network.tls = try tls(object, in: setting)
    case .resolve(let host, let address):
      let text = try evaluator.text(.word(address)).text
      profile.network.resolve.append(
        try known(setting) { () throws(NetworkSettingError) in try NetworkSettings.resolve(host, text) })
    }
  }

  /// What the setting's text means.
  private func known<Meaning>(
    _ setting: SettingSyntax, _ read: () throws(NetworkSettingError) -> Meaning
  ) throws(ProgramError) -> Meaning {
    do throws(NetworkSettingError) {
      return try read()
    } catch {
      throw evaluator.failure(.network(error), setting.range)
    }
  }

  private func tls(_ object: ObjectSyntax, in setting: SettingSyntax) throws(ProgramError) -> NetworkSettings.TLS {
    func failure(_ error: NetworkSettingError) -> ProgramError { evaluator.failure(.network(error), setting.range) }
    var tls = NetworkSettings.TLS()
    for member in object.members {
      guard case .field(let key, let expression, _) = member else { throw failure(.tlsSpread) }
      let name = try evaluator.text(of: key).text
      switch name {
      case "ca": tls.authorities = try path(expression)
      case "cert": tls.certificate = try path(expression)
      case "key": tls.key = try path(expression)
      case "insecure":
        guard case .json(.bool(let isInsecure)) = try evaluator.evaluate(expression).content else {
          throw failure(.insecure)
        }
        tls.isInsecure = isInsecure
      default: throw failure(.tlsMember(name))
      }
    }
    if tls.key != nil, tls.certificate == nil { throw failure(.keyWithoutCertificate) }
    return tls
  }

  /// The path of a file that is there: a text, or `file("…")`.
  private func path(_ expression: ExpressionSyntax) throws(ProgramError) -> String {
    let value = try evaluator.evaluate(expression)
    if case .file(let slice) = value.content { return slice.path }
    return try evaluator.file(evaluator.text(of: value, expression.range), expression.range).path
  }
}

extension NetworkSettings {
  static func proxy(_ text: String, for origins: [OriginPattern] = []) throws(NetworkSettingError) -> Proxy {
    do throws(OriginError) {
      return try Proxy(text, for: origins)
    } catch {
      throw .proxy
    }
  }

  static func version(_ text: String) throws(NetworkSettingError) -> Version {
    guard let version = Version(rawValue: text), version != .automatic else { throw .version(text) }
    return version
  }

  static func resolve(_ host: String, _ address: String) throws(NetworkSettingError) -> Resolve {
    do throws(OriginError) {
      return try Resolve(host: host, address: address)
    } catch {
      throw .resolve(host: host, address: address)
    }
  }
}
