import Diagnostics
import JSONValue
import RequestSyntax
import Requests

/// `cookies`, `proxy`, `tls`, `http`, `resolve` and `unix-socket`.
extension ProfileLowering {
  func applyNetwork(_ setting: SettingSyntax, to profile: inout SessionProfile) throws(ProgramError) {
    let range = setting.range
    switch setting.kind {
    case .clause, .base, .origin: return
    case .cookies(let isOn): profile.network.keepsCookies = isOn
    case .proxy(let expression):
      let (text, value) = try evaluator.text(expression)
      let origins = profile.origins
      profile.network.proxy = try made(range) { () throws(NetworkSettingError) in
        try NetworkSettings.proxy(text, for: origins)
      }
      profile.otherSecrets.take(value)
    case .http(let expression):
      let text = try plainText(expression, of: "a protocol's version")
      profile.network.version = try made(range) { () throws(NetworkSettingError) in try NetworkSettings.version(text) }
    case .unixSocket(let expression):
      profile.network.unixSocket = evaluator.place(try evaluator.path(expression))
    case .tls(let object): profile.network.tls = try tls(object, of: &profile)
    case .resolve(let host, let address):
      let text = try plainText(.word(address), of: "an address")
      profile.network.resolve.append(
        try made(range) { () throws(NetworkSettingError) in try NetworkSettings.resolve(host, text) })
    }
  }

  private func made<Setting>(
    _ range: SourceRange, _ make: () throws(NetworkSettingError) -> Setting
  ) throws(ProgramError) -> Setting {
    do throws(NetworkSettingError) {
      return try make()
    } catch {
      throw evaluator.failure(.network(error), range)
    }
  }

  private func tls(
    _ object: ObjectSyntax, of profile: inout SessionProfile
  ) throws(ProgramError) -> NetworkSettings.TLS {
    var tls = NetworkSettings.TLS()
    var certificate: (file: FileSlice, range: SourceRange)?
    var key: (file: FileSlice, range: SourceRange)?
    for member in object.members {
      guard case .field(let memberKey, let expression, _) = member else {
        throw evaluator.failure(.network(.tlsSpread), object.range)
      }
      let name = try evaluator.text(of: memberKey).text
      switch name {
      case "ca":
        let file = try file(expression)
        let bytes = try bytes(of: file, expression.range)
        try made(expression.range) { () throws(NetworkSettingError) in
          try PEMContent.certificates.check(bytes, path: file.path)
        }
        tls.authorities = file.path
      case "cert": certificate = (try file(expression), expression.range)
      case "key": key = (try file(expression), expression.range)
      case "passphrase": tls.passphrase = try passphrase(expression, of: &profile)
      case "minimum":
        let text = try evaluator.text(expression).text
        tls.minimum = try made(expression.range) { () throws(NetworkSettingError) in
          try NetworkSettings.minimum(text)
        }
      case "insecure":
        guard case .json(.bool(let isInsecure)) = try evaluator.evaluate(expression).content else {
          throw evaluator.failure(.network(.insecure), expression.range)
        }
        tls.isInsecure = isInsecure
      default: throw evaluator.failure(.network(.tlsMember(name)), object.range)
      }
    }
    let own = OwnCertificate(
      hasCertificate: certificate != nil, hasKey: key != nil, hasPassphrase: tls.passphrase != nil)
    try made(object.range) { () throws(NetworkSettingError) in try own.check() }
    if let (file, range) = certificate {
      let bytes = try bytes(of: file, range)
      tls.format = try made(range) { () throws(NetworkSettingError) in try own.format(of: bytes, path: file.path) }
      tls.certificate = file.path
    }
    if let (file, range) = key {
      let bytes = try bytes(of: file, range)
      try made(range) { () throws(NetworkSettingError) in try own.key.check(bytes, path: file.path) }
      tls.key = file.path
    }
    return tls
  }

  /// It goes nowhere, and neither does what it was made from, unless that is declared for more.
  private func passphrase(
    _ expression: ExpressionSyntax, of profile: inout SessionProfile
  ) throws(ProgramError) -> Secret {
    let (text, value) = try evaluator.text(expression)
    profile.localSecrets.take(value)
    if let secret = value.taint.secrets.first(where: { $0.withExposedText { $0 == text } }) { return secret }
    return try evaluator.secret(text, name: "\(profile.name)'s passphrase", for: [], expression.range)
  }

  /// A file that exists: a text, or `file("…")`.
  private func file(_ expression: ExpressionSyntax) throws(ProgramError) -> FileSlice {
    if case .file(let slice) = try evaluator.evaluate(expression).content { return slice }
    return try evaluator.file(evaluator.path(expression), expression.range)
  }

  private func bytes(of file: FileSlice, _ range: SourceRange) throws(ProgramError) -> [UInt8] {
    do throws(FileError) {
      return try file.bytes()
    } catch {
      throw evaluator.failure(.file(error), range)
    }
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

  static func minimum(_ text: String) throws(NetworkSettingError) -> TLS.Minimum {
    guard let minimum = TLS.Minimum(rawValue: text) else { throw .minimum(text) }
    return minimum
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
