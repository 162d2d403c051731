internal import HTTPTypes
internal import JSONValue
internal import Requests

/// Storage takes a form with a policy as `multipart/form-data` only.
enum NotMultipart: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard case .inMemory(let request) = attempt.description, let body = request.body, body.bytes.count < 1 << 20 else {
      return []
    }
    let type = (attempt.headers[.contentType] ?? body.contentType ?? "").prefix { $0 != ";" }.lowercased()
    let names: [String]
    let clause: String
    if type == "application/x-www-form-urlencoded" {
      names = String(decoding: body.bytes, as: UTF8.self).split(separator: "&").map { item in
        String(decoding: PercentEncoding.decode(item.prefix { $0 != "=" }), as: UTF8.self).lowercased()
      }
      clause = "form"
    } else if type.hasSuffix("json"), let object = (try? JSON(parsing: body.bytes))?.object {
      names = object.keys.map { $0.lowercased() }
      clause = "json"
    } else {
      return []
    }
    let signatures: Set<String> = ["x-amz-signature", "x-goog-signature", "signature"]
    guard names.contains("policy"), names.contains(where: signatures.contains) else { return [] }
    return [
      UploadFinding(
        "not-multipart", "the fields are sent as \(type), and storage takes multipart/form-data only",
        evidence: ["\"policy\" is in the body"],
        advice: "multipart instead of \(clause): \(attempt.form(in: lint))")
    ]
  }
}
