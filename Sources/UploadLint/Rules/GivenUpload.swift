internal import HTTPTypes
internal import Requests

/// What an earlier response gave to upload with, against what was made of it: another URL, another method, no fields.
enum GivenUpload: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard attempt.hasBody, let offer = UploadOffer(for: attempt, in: lint) else { return [] }
    let isSame = UploadOffer.isSame(offer.url, attempt.url)
    guard let fields = offer.fields else { return isSame ? [] : otherURL(attempt, offer) }
    let form = "POST \(offer.reference) \(attempt.form(in: lint))"
    guard NotMultipart.findings(attempt, lint).isEmpty else {
      return isSame ? [] : otherURL(attempt, offer)
    }
    let sent = Set((attempt.parts ?? []).map { $0.name.lowercased() })
    if fields.isDisjoint(with: sent) {
      return [
        UploadFinding(
          "given-upload", "the URL came with the fields of a form, and none of them is sent",
          evidence: ["beside \(offer.reference): \(list(fields))"], advice: form)
      ]
    }
    var findings: [UploadFinding] = []
    let method = attempt.description.head.method
    if method != .post {
      findings.append(
        UploadFinding(
          "given-upload", "the form is sent with \(method.rawValue), and storage takes a form with POST only",
          evidence: ["the fields came with \(offer.reference), and have a policy"], advice: form))
    }
    // A bucket that is not the policy's is named by another rule.
    if !isSame, WrongPlace.findings(attempt, lint).isEmpty { findings += otherURL(attempt, offer) }
    return findings
  }

  private static func list(_ fields: Set<String>) -> String {
    let names = fields.sorted()
    return names.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ") + (names.count > 8 ? ", …" : "")
  }

  private static func otherURL(_ attempt: UploadAttempt, _ offer: UploadOffer) -> [UploadFinding] {
    let given = offer.url.prefix { $0 != "?" && $0 != "#" }
    let sent = attempt.url.prefix { $0 != "?" && $0 != "#" }
    let advice = "\(attempt.description.head.method.rawValue) \(offer.reference)"
    guard given == sent else {
      return [
        UploadFinding(
          "given-upload", "it is sent to another URL than the one that was given",
          evidence: ["given: \(given)", "sent to: \(sent)"], advice: "use the URL as it was given: \(advice)")
      ]
    }
    let sentNames = Set(URLQuery.items(of: attempt.url).map(\.name))
    let names = sentNames.symmetricDifference(URLQuery.items(of: offer.url).map(\.name)).sorted()
    guard !names.isEmpty else {
      if attempt.url.hasPrefix(offer.url) {
        return [
          UploadFinding(
            "given-upload", "something was written after the URL that was given",
            evidence: ["after it: \(attempt.url.dropFirst(offer.url.count).prefix(80))"],
            advice: "use the URL as it was given: \(advice)")
        ]
      }
      return [
        UploadFinding(
          "given-upload", "the query of the URL is not what was given",
          evidence: ["the query is part of what is signed"],
          advice: "use the URL as it was given: \(advice)")
      ]
    }
    return [
      UploadFinding(
        "given-upload", "the query of the URL is not what was given, and it is part of what is signed",
        evidence: ["added or left out: \(names.prefix(8).joined(separator: ", "))"],
        advice: "use the URL as it was given: \(advice)")
    ]
  }
}

extension UploadAttempt {
  /// Whether anything is uploaded: what is given to upload to may be read from, too.
  var hasBody: Bool {
    switch description {
    case .inMemory(let request): request.body.map { !$0.bytes.isEmpty } ?? false
    case .stream, .multipart: true
    }
  }
}
