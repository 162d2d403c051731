import RequestSyntax
import Requests

/// The settings of a profile's connections, as far as the text says them.
extension Checker {
  mutating func checkNetwork(_ setting: SettingSyntax) {
    switch setting.kind {
    case .clause, .base, .origin, .cookies: break
    case .proxy(let value):
      checkText(value) { text throws(NetworkSettingError) in _ = try NetworkSettings.proxy(text) }
    case .http(let value):
      checkText(value) { text throws(NetworkSettingError) in _ = try NetworkSettings.version(text) }
    case .unixSocket(let value): expectText(value)
    case .resolve(let host, let address):
      checkText(.word(address)) { text throws(NetworkSettingError) in _ = try NetworkSettings.resolve(host, text) }
    case .tls(let object): checkTLS(object)
    }
  }

  private mutating func checkText(
    _ value: ExpressionSyntax, _ parse: (String) throws(NetworkSettingError) -> Void
  ) {
    expectText(value)
    guard let text = value.plainText else { return }
    do throws(NetworkSettingError) {
      try parse(text)
    } catch {
      report(.network(error), value.range)
    }
  }

  private mutating func checkTLS(_ object: ObjectSyntax) {
    var values: [String: ExpressionSyntax] = [:]
    for member in object.members {
      guard case .field(let key, let value, _) = member else {
        report(.network(.tlsSpread), object.range)
        continue
      }
      guard case .name(let name) = key else { continue }
      values[name.text] = value
      if !NetworkSettingError.tlsMembers.contains(name.text) { report(.network(.tlsMember(name.text)), name.range) }
      if name.text == "minimum" {
        checkText(value) { text throws(NetworkSettingError) in _ = try NetworkSettings.minimum(text) }
      }
      if name.text == "insecure" {
        expect(.truth, value)
        if case .literal(let literal) = value, literal.kind == .true { report(.insecure, value.range) }
      }
    }
    if let authorities = values["ca"] { checkFile(authorities, holds: .certificates) }
    switch (values["cert"], values["key"]) {
    case (nil, _?): report(.network(.keyWithoutCertificate), object.range)
    case (let certificate?, let key?):
      checkFile(certificate, holds: .certificates)
      checkFile(key, holds: .privateKey)
    case (let certificate?, nil): checkFile(certificate, holds: .certificates, .privateKey)
    case (nil, nil): break
    }
  }

  /// Reads a file whose path is written out.
  private mutating func checkFile(_ value: ExpressionSyntax, holds contents: PEMContent...) {
    guard let path = value.plainText else { return }
    do throws(NetworkSettingError) {
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try program.readFile(Program.joined(directory, path))
      } catch {
        throw .unreadable(reason: "\(error)")
      }
      for content in contents { try content.check(bytes, path: path) }
    } catch {
      report(.network(error), value.range)
    }
  }
}
