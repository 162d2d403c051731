internal import HTTPTypes
internal import JSONValue
internal import Requests

/// A presigned URL lists the headers that were signed: each has to be sent, unchanged; and no other `x-amz-…` may be.
enum SignedHeaders: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let signature = attempt.presignature, signature.scheme == .version4, !isLook(attempt) else { return [] }
    let list = signature.headerPrefix == "x-amz-" ? "X-Amz-SignedHeaders" : "X-Goog-SignedHeaders"
    let given = givenHeaders(with: attempt.url, in: lint.earlier)
    var findings: [UploadFinding] = []
    var unclear: [String] = []
    for name in signature.signedHeaders where name != "host" {
      // The transport adds it, with the size of the body.
      if name == "content-length", attempt.headers[.contentLength] == nil { continue }
      let sent = HTTPField.Name(name).flatMap { attempt.headers[$0] }
      switch (sent, given[name]) {
      case (nil, let wanted):
        findings.append(
          UploadFinding(
            "signed-header", "the header \"\(name)\" was signed and is missing",
            evidence: [
              "\(list) lists it" + (wanted.map { ", and the URL came with \(name): \($0)" } ?? "")
            ],
            advice: "send it as it was signed: header \(name): \(wanted ?? "…")"))
      case (let sent?, let wanted?) where sent != wanted:
        findings.append(
          UploadFinding(
            "signed-header", "the header \"\(name)\" is not what was signed",
            evidence: ["the URL came with \(name): \(wanted), sent: \(sent)"],
            advice: "send it as it was signed: header \(name): \(wanted)"))
      case (let sent?, nil):
        if name == "content-type", let type = givenType(with: attempt.url, in: lint.earlier),
          type.mediaType != sent.mediaType
        {
          findings.append(
            UploadFinding(
              "signed-header", "the header \"\(name)\" is probably not what was signed",
              evidence: ["the URL was given for \(type), sent: \(sent)"], advice: "send that: header \(name): \(type)"))
        } else {
          unclear.append("\(name): \(sent)")
        }
      default: continue
      }
    }
    let unsigned = attempt.headers.map(\.name.canonicalName).filter {
      $0.hasPrefix(signature.headerPrefix) && !signature.signedHeaders.contains($0)
    }
    if !unsigned.isEmpty {
      findings.append(
        UploadFinding(
          "signed-header", "not signed, and so not allowed: \(unsigned.joined(separator: ", "))",
          evidence: ["\(list) is \(signature.signedHeaders.joined(separator: ";"))"],
          advice: "leave it out, or have it signed"))
    }
    if findings.isEmpty, !unclear.isEmpty, attempt.storageError?.code == "SignatureDoesNotMatch",
      PresignedPut.findings(attempt, lint).isEmpty, MissingBody.findings(attempt, lint).isEmpty,
      GivenUpload.findings(attempt, lint).isEmpty
    {
      findings.append(
        UploadFinding(
          "signed-header", "one of the signed headers may not be what was signed", evidence: unclear,
          advice: "compare them with what the URL was made for"))
    }
    return findings
  }

  /// Whether it only looked whether something is there, and storage has nothing against the signature.
  private static func isLook(_ attempt: UploadAttempt) -> Bool {
    [.get, .head].contains(attempt.description.head.method) && attempt.response.map { $0.status.code != 403 } ?? true
  }

  /// The headers that an earlier response gave with this URL: the object with the URL also has an object of headers.
  private static func givenHeaders(with url: String, in earlier: [Exchange]) -> [String: String] {
    for exchange in earlier.reversed() where exchange.response.isJSON && exchange.response.body.count < 1 << 20 {
      guard let bytes = try? exchange.response.body.bytes(), let json = try? JSON(parsing: bytes),
        let object = object(with: url, in: json)
      else { continue }
      for member in object.members where member.key.lowercased().contains("header") {
        let fields = member.value.object?.members.compactMap { field in
          field.value.string.map { (field.key.lowercased(), $0) }
        }
        if let fields, !fields.isEmpty { return Dictionary(fields) { $1 } }
      }
    }
    return [:]
  }

  /// The type that the URL was asked for, if nothing was said of headers: a member of the object with the URL, or of the
  /// request for it.
  private static func givenType(with url: String, in earlier: [Exchange]) -> String? {
    for exchange in earlier.reversed() where exchange.response.isJSON && exchange.response.body.count < 1 << 20 {
      guard let bytes = try? exchange.response.body.bytes(), let json = try? JSON(parsing: bytes),
        let object = object(with: url, in: json)
      else { continue }
      return mediaType(in: object) ?? exchange.sentJSON?.object.flatMap(mediaType)
    }
    return nil
  }

  /// `"content_type": "image/png"`
  private static func mediaType(in object: JSONObject) -> String? {
    object.members.lazy.compactMap { member -> String? in
      let name = member.key.lowercased().filter(\.isLetter)
      guard ["contenttype", "mimetype", "mediatype", "type"].contains(name), let type = member.value.string,
        type.wholeMatch(of: /[A-Za-z0-9.+\-]+\/[A-Za-z0-9.+\-]+(;.*)?/) != nil
      else { return nil }
      return type
    }.first
  }

  private static func object(with url: String, in json: JSON) -> JSONObject? {
    switch json {
    case .object(let object):
      if object.members.contains(where: { $0.value.string == url }) { return object }
      return object.members.lazy.compactMap { self.object(with: url, in: $0.value) }.first
    case .array(let elements): return elements.lazy.compactMap { object(with: url, in: $0) }.first
    case .string, .number, .bool, .null: return nil
    }
  }
}

extension String {
  /// Without parameters.
  fileprivate var mediaType: String { prefix { $0 != ";" }.trimmed.lowercased() }
}

extension Exchange {
  /// The JSON that was sent, if that is what the body is.
  fileprivate var sentJSON: JSON? {
    guard case .inMemory(let request) = description, let body = request.body else { return nil }
    return try? JSON(parsing: body.bytes)
  }
}
