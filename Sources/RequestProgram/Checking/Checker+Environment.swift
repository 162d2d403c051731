import Diagnostics
import RequestSyntax

/// `$env.NAME`: one name, and no secret where it would be plain text.
extension Checker {
  mutating func checkEnvironment(_ reference: ReferenceSyntax) {
    guard case .name(let name)? = reference.segments.first?.kind, reference.segments.count == 1 else {
      return report(.environmentPath, reference.range)
    }
    guard !isInProfileOrSecret, environmentOwners[name] == nil else { return }
    let upper = name.uppercased()
    if Self.secretWords.contains(where: { upper.contains($0) }) { report(.looksSecret(name), reference.range) }
  }

  private static let secretWords = [
    "TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE", "CREDENTIAL",
  ]
}
