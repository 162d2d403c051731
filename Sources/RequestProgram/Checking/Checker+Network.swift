import RequestSyntax
import Requests

/// The settings of a profile's connections, as far as the text gives them.
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
      if name.text == "passphrase" { expectText(value) }
      if name.text == "insecure" {
        expect(.truth, value)
        if case .literal(let literal) = value, literal.kind == .true { report(.insecure, value.range) }
      }
    }
    if let authorities = values["ca"] { checkFile(authorities, PEMContent.certificates.check) }
    let own = OwnCertificate(
      hasCertificate: values["cert"] != nil, hasKey: values["key"] != nil, hasPassphrase: values["passphrase"] != nil)
    do throws(NetworkSettingError) {
      try own.check()
    } catch {
      return report(.network(error), object.range)
    }
    if let certificate = values["cert"] {
      checkFile(certificate) { bytes, path throws(NetworkSettingError) in _ = try own.format(of: bytes, path: path) }
    }
    if let key = values["key"] { checkFile(key, own.key.check) }
  }

  /// Reads a file whose path is literal.
  private mutating func checkFile(
    _ value: ExpressionSyntax, _ check: ([UInt8], _ path: String) throws(NetworkSettingError) -> Void
  ) {
    guard let path = value.plainText else { return }
    do throws(NetworkSettingError) {
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try program.readFile(Program.joined(directory, path))
      } catch {
        throw .unreadable(reason: "\(error)")
      }
      try check(bytes, path)
    } catch {
      report(.network(error), value.range)
    }
  }
}
