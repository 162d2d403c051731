import Diagnostics
import RequestSyntax
import Requests

/// `$env.NAME`: one name, and no secret where it would be plain text, which is said once of each.
extension Checker {
  mutating func checkEnvironment(_ reference: ReferenceSyntax) {
    guard case .name(let name)? = reference.segments.first?.kind, reference.segments.count == 1 else {
      return report(.environmentPath, reference.range)
    }
    guard !isInProfileOrSecret, !isInOwnCredential, environmentOwners[name] == nil else { return }
    guard SensitiveName.isCredential(name), plainVariables.insert(name).inserted else { return }
    report(.looksSecret(name), reference.range)
  }
}
