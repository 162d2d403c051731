import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// `cookies`, `proxy`, `tls`, `http`, `resolve` and `unix-socket`.
extension ProfileLowering {
  func applyNetwork(_ setting: SettingSyntax, to profile: inout SessionProfile) throws(ProgramError) {
    do {
      switch setting.kind {
      case .clause, .base, .origin: return
      case .cookies(let isOn): profile.network.keepsCookies = isOn
      case .proxy(let expression):
        let (text, value) = try evaluator.text(expression)
        profile.network.proxy = try NetworkSettings.proxy(text, for: profile.origins)
        profile.otherSecrets += value.secrets
      case .http(let expression):
        profile.network.version = try NetworkSettings.version(evaluator.text(expression).text)
      case .unixSocket(let expression):
        profile.network.unixSocket = evaluator.path(try evaluator.text(expression).text)
      case .tls(let object): profile.network.tls = try tls(object)
      case .resolve(let host, let address):
        profile.network.resolve.append(
          try NetworkSettings.resolve(host, evaluator.text(.word(address)).text))
      }
    } catch let error as NetworkSettingError {
      throw evaluator.failure(.network(error), setting.range)
    } catch let error as ProgramError {
      throw error
    } catch {
      throw evaluator.failure(.notSupported("this setting"), setting.range)
    }
  }

  private func tls(_ object: ObjectSyntax) throws -> NetworkSettings.TLS {
    var tls = NetworkSettings.TLS()
    for member in object.members {
      guard case .field(let key, let expression, _) = member else { throw NetworkSettingError.tlsSpread }
      let name = try evaluator.text(of: key).text
      switch name {
      case "ca": tls.authorities = try path(expression)
      case "cert": tls.certificate = try path(expression)
      case "key": tls.key = try path(expression)
      case "insecure":
        guard case .json(.bool(let isInsecure)) = try evaluator.evaluate(expression).content else {
          throw NetworkSettingError.insecure
        }
        tls.isInsecure = isInsecure
      default: throw NetworkSettingError.tlsMember(name)
      }
    }
    if tls.key != nil, tls.certificate == nil { throw NetworkSettingError.keyWithoutCertificate }
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
