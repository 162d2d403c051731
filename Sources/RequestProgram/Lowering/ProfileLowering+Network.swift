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
    case .tls(let object): profile.network.tls = try tls(object)
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

  private func tls(_ object: ObjectSyntax) throws(ProgramError) -> NetworkSettings.TLS {
    var tls = NetworkSettings.TLS()
    var certificateRange = object.range
    for member in object.members {
      guard case .field(let key, let expression, _) = member else {
        throw evaluator.failure(.network(.tlsSpread), object.range)
      }
      let name = try evaluator.text(of: key).text
      switch name {
      case "ca": tls.authorities = try path(expression, of: .certificates)
      case "cert":
        tls.certificate = try path(expression, of: .certificates)
        certificateRange = expression.range
      case "key": tls.key = try path(expression, of: .privateKey)
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
    switch (tls.certificate, tls.key) {
    case (nil, _?): throw evaluator.failure(.network(.keyWithoutCertificate), object.range)
    case (let path?, nil): try check(evaluator.file(path, certificateRange), holds: .privateKey, certificateRange)
    case (nil, nil), (_?, _?): break
    }
    return tls
  }

  /// The path of a file that is there and holds that: a text, or `file("…")`.
  private func path(_ expression: ExpressionSyntax, of content: PEMContent) throws(ProgramError) -> String {
    let range = expression.range
    let file: FileSlice
    if case .file(let slice) = try evaluator.evaluate(expression).content {
      file = slice
    } else {
      file = try evaluator.file(evaluator.path(expression), range)
    }
    try check(file, holds: content, range)
    return file.path
  }

  private func check(_ file: FileSlice, holds content: PEMContent, _ range: SourceRange) throws(ProgramError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try file.bytes()
    } catch {
      throw evaluator.failure(.file(error), range)
    }
    try made(range) { () throws(NetworkSettingError) in try content.check(bytes, path: file.path) }
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
