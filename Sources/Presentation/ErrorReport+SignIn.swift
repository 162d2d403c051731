internal import Requests
package import UploaderCore

extension ErrorReport {
  /// Why there is no token, and what to do.
  static func reports(of failure: SignInError, profile: String, in step: RequestHead?) -> [ErrorReport] {
    let name = name(step)
    switch failure {
    case .needed:
      return [
        ErrorReport(
          "\(name)sign in first: workbench auth login \(profile)", place: step?.place,
          notes: [
            "nothing was sent",
            "if the profile is a script's own: workbench auth login \(profile) --script FILE",
          ])
      ]
    case .request(let error, let endpoint):
      return (reports(of: error) ?? []).map { report in
        var report = report
        report.message = "\(name)no token for profile \"\(profile)\": \(report.message)"
        report.place = step?.place
        report.notes.append("asked was \(CutText.cut(endpoint, to: 120))")
        return report
      }
    case .refused(let refusal):
      let words = refusal.description.map { ": \(CutText.cut($0, to: 200))" } ?? ""
      let advice = refusal.advice(profile: profile)
      return [
        ErrorReport(
          "\(name)no token for profile \"\(profile)\": \(CutText.cut(refusal.endpoint, to: 120)) says"
            + " \(CutText.cut(refusal.error, to: 80))\(words)",
          place: step?.place, notes: advice.map { [$0] } ?? [])
      ]
    case .unusable(let sentence, let advice):
      return [
        ErrorReport(
          "\(name)no credential for profile \"\(profile)\": \(sentence)", place: step?.place,
          notes: advice.map { [$0] } ?? [])
      ]
    case .file(let error): return [ErrorReport("\(name)\(error)", place: step?.place, notes: ["nothing was sent"])]
    case .cancelled: return [ErrorReport("\(name)interrupted while signing in", place: step?.place)]
    }
  }

  /// The same for a command that signs in.
  package init(_ failure: SignInError, profile: String) {
    self = Self.reports(of: failure, profile: profile, in: nil).first ?? ErrorReport("\(failure)")
  }
}

extension SignInRefusal {
  fileprivate func advice(profile: String) -> String? {
    switch error {
    case "invalid_client": "check client-id, and client-secret or key, in profile \(profile)"
    case "unauthorized_client", "unsupported_grant_type": "the issuer does not allow this flow for the client"
    case "invalid_scope": "check scope in profile \(profile)"
    case "invalid_grant", "access_denied", "expired_token": "workbench auth login \(profile)"
    default: nil
    }
  }
}
