internal import HTTPTypes
internal import Requests
internal import UploaderCore

extension ErrorReport {
  package static let unsent = "nothing was sent"
  private static let plainAdvice = "if that is intended, write http:// instead of https://"

  /// The same where redirects led: something was sent, and nobody wrote where it failed.
  func after(_ redirects: [RedirectHop]) -> ErrorReport {
    guard let last = redirects.last else { return self }
    var report = self
    report.notes.removeAll { [Self.unsent, Self.plainAdvice].contains($0) }
    report.notes.insert(
      "\(last.response.status.code) from \(last.request.method) \(last.request.url) led there; that request was sent",
      at: 0)
    return report
  }

  /// Why TLS verification failed, and what to do about it.
  static func words(for failure: TLSFailure, of host: String) -> (what: String, notes: [String]) {
    let unchecked = "tls { insecure: true } accepts any certificate, even that of someone in between"
    switch failure {
    case .unknownIssuer(let issuer):
      let by = issuer.map { ": it is signed by \"\($0)\", which is not an authority trusted here" } ?? ""
      return (
        "the certificate of \(host) cannot be trusted\(by)",
        [unsent, "if it is yours, name its authority in the profile: tls { ca: \"ca.pem\" }", unchecked]
      )
    case .selfSigned:
      return (
        "the certificate of \(host) cannot be trusted: it is self-signed",
        [unsent, "if it is yours, name it in the profile: tls { ca: \"certificate.pem\" }", unchecked]
      )
    case .expired(let date):
      return (
        "the certificate of \(host) has expired\(date.map { ": it was valid until \($0)" } ?? "")",
        [unsent, "the server needs a new one; is this machine's clock right?"]
      )
    case .notYetValid(let date):
      return (
        "the certificate of \(host) is not valid yet\(date.map { ": it is valid from \($0)" } ?? "")",
        [unsent, "is this machine's clock right?"]
      )
    case .wrongName(let name, let names):
      let list = names.isEmpty ? "it names no host" : "it is for \(names.joined(separator: ", "))"
      return ("the certificate of \(host) is not for \"\(name)\": \(list)", [unsent, "is the host spelled right?"])
    case .authorities(let path):
      return (
        "the authorities in \"\(path)\" cannot be used", [unsent, "tls { ca: … } names a file of certificates in PEM"]
      )
    case .ownCertificate(let path, let reason):
      return (
        "the client certificate \"\(path)\" cannot be used: \(reason)",
        [unsent, "tls { cert: …, key: … } name two files in PEM; a key that is encrypted needs its passphrase"]
      )
    case .passphrase(let path):
      return (
        "the passphrase does not open the private key in \"\(path)\"",
        [
          unsent, "tls { passphrase: $env.KEY_PASSPHRASE } takes it from the environment",
          "if it is the right one: does the key belong to the certificate?",
        ]
      )
    case .tooOld(let minimum):
      let advice =
        switch minimum {
        case .tls12: "older versions can be broken, and there is no setting for them: the server needs a newer one"
        case .tls13: "the profile asks for it: tls { minimum: \"1.3\" }; without that, TLS 1.2 is spoken, too"
        }
      return ("\(host) does not speak TLS \(minimum.rawValue), the oldest that is spoken here", [unsent, advice])
    case .proxy(let authority, let failure):
      return words(for: failure, of: "the proxy \(authority)")
    case .other(let reason) where reason.contains("wrong version number"):
      return ("\(host) does not speak TLS", [unsent, plainAdvice])
    case .other(let reason):
      return ("no TLS connection to \(host): \(reason)", [unsent])
    }
  }
}
