internal import HTTPTypes
internal import Requests

/// Another region or another bucket than the one that was signed for, or than there is.
enum WrongPlace: UploadRule {
  /// Codes of errors that are about the region if they name one; they have other reasons, too.
  private static let regions: Set<String> = [
    "AuthorizationHeaderMalformed", "AuthorizationQueryParametersError", "IllegalLocationConstraintException",
    "InvalidRegion",
  ]

  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    region(attempt, lint) + bucket(attempt, lint)
  }

  private static func region(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    let named = HTTPField.Name("x-amz-bucket-region").flatMap { attempt.response?.headers[$0] }
    let signed = attempt.signedRegion
    let error = attempt.storageError
    let isAboutPlace = error.map { error in
      error.code == "PermanentRedirect"
        || regions.contains(error.code) && (error["Region"] != nil || error.message.lowercased().contains("region"))
    }
    let wanted = error?["Region"] ?? named
    let differs = wanted.map { wanted in signed.map { $0 != wanted } ?? false } ?? false
    guard isAboutPlace ?? false || differs, attempt.response?.status.kind != .successful else { return [] }
    let place = wanted.map { "the region \"\($0)\"" } ?? error?["Endpoint"].map { "\"\($0)\"" } ?? "another region"
    return [
      UploadFinding(
        "wrong-region",
        "the bucket is in \(place)" + (signed.map { ", and the signature is for \"\($0)\"" } ?? ""),
        evidence: [
          error.map { "\($0.code): \($0.message)" }, named.map { "x-amz-bucket-region: \($0)" },
        ].compactMap(\.self),
        advice: attempt.isForStorage
          ? "have it signed for that region: go back to \(attempt.allocator(in: lint))"
          : "name that region in auth sigv4 { region: \"\(wanted ?? "…")\", … }")
    ]
  }

  private static func bucket(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    if let error = attempt.storageError, error.code == "NoSuchBucket" {
      let name = error["BucketName"].map { " \"\($0)\"" } ?? ""
      return [
        UploadFinding(
          "wrong-bucket", "there is no bucket\(name) there", evidence: ["\(error.code): \(error.message)"],
          advice: UploadOffer(for: attempt, in: lint).map {
            "the URL that was given is \($0.url.prefix { $0 != "?" }): write \($0.reference)"
          } ?? "compare the URL with the one that was given: it names the bucket")
      ]
    }
    guard let policy = attempt.policy, let names = attempt.possibleBuckets else { return [] }
    for case .equal(let field, let bucket) in policy.conditions where field.lowercased() == "bucket" {
      guard !names.contains(where: { $0 == bucket || $0.hasPrefix("\(bucket).") }) else { continue }
      return [
        UploadFinding(
          "wrong-bucket", "the policy is for the bucket \"\(bucket)\", and the URL names another",
          evidence: ["the form goes to \(attempt.url.prefix { $0 != "?" })"],
          advice: "send the form to the URL that came with it"
            + (UploadOffer(for: attempt, in: lint).map { ": \($0.reference)" } ?? ""))
      ]
    }
    return []
  }
}

extension UploadAttempt {
  /// The region in the scope of its signature; nil if it states none.
  fileprivate var signedRegion: String? {
    let credential = field("x-amz-credential") ?? queryValue("x-amz-credential") ?? authorizationCredential
    let scope = credential?.split(separator: "/") ?? []
    return scope.count == 5 ? String(scope[2]) : nil
  }

  private var authorizationCredential: String? {
    guard let value = headers[.authorization], value.hasPrefix("AWS4-HMAC-SHA256"),
      let start = value.firstRange(of: "Credential=")?.upperBound
    else { return nil }
    return String(value[start...].prefix { $0 != "," && $0 != " " })
  }

  private func queryValue(_ name: String) -> String? {
    URLQuery.items(of: url).first { $0.name.lowercased() == name }.map {
      String(decoding: PercentEncoding.decode($0.value), as: UTF8.self)
    }
  }

  /// Where a bucket is named in a URL: the beginning of the host, and the first part of the path.
  fileprivate var possibleBuckets: [String]? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let rest = url[start...].prefix { $0 != "?" && $0 != "#" }
    let host = rest.prefix { $0 != "/" }
    let segment = rest.dropFirst(host.count).drop { $0 == "/" }.prefix { $0 != "/" }
    return [String(host), String(decoding: PercentEncoding.decode(segment), as: UTF8.self)]
  }
}
