internal import HTTPTypes
internal import Requests

/// A form with a signature, or with fields that came with a policy, and without the policy itself; or with a policy that
/// nobody signed.
enum MissingPolicy: UploadRule {
  private static let signatures = ["x-amz-signature", "x-goog-signature", "signature"]

  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.parts != nil else { return [] }
    let signature = signatures.first { attempt.field($0) != nil }
    guard attempt.field("policy") == nil else {
      guard signature == nil else { return [] }
      return [
        UploadFinding(
          "missing-signature", "the form has a policy, and no signature of it",
          evidence: ["none of the fields is \(signatures.map { "\"\($0)\"" }.joined(separator: ", "))"],
          advice: "send the fields as they were given, all of them and unchanged: \(attempt.form(in: lint))")
      ]
    }
    let source = attempt.field("key") == nil ? nil : attempt.fieldsSource(in: lint)
    guard signature != nil || source != nil else { return [] }
    let evidence = signature.map { "there is \"\($0)\", which is the signature of a policy" }
    let origin = source.map { "\($0.reference) has a policy" }
    return [
      UploadFinding(
        "missing-policy", "the form has no policy, which says what may be stored",
        evidence: [evidence, origin].compactMap(\.self),
        advice: "send the fields as they were given, all of them and unchanged: \(attempt.form(in: lint))")
    ]
  }
}
