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
    let endpoint = error?.code == "PermanentRedirect" ? error?["Endpoint"] : nil
    let said = error?["Region"] ?? named ?? endpoint.flatMap(UploadAttempt.namedRegion)
    if let endpoint, let signed, said == signed, let error {
      return [otherHost(endpoint, error, signed, attempt, lint)]
    }
    let ofHost = said == nil ? attempt.regionOfHost.flatMap { $0 == signed ? nil : $0 } : nil
    let wanted = said ?? ofHost
    let differs = wanted.map { wanted in signed.map { $0 != wanted } ?? false } ?? false
    guard isAboutPlace ?? false || differs, attempt.response?.status.kind != .successful else {
      return refusedCredential(attempt, lint)
    }
    let place = wanted.map { "the region \"\($0)\"" } ?? error?["Endpoint"].map { "\"\($0)\"" } ?? "another region"
    return [
      UploadFinding(
        "wrong-region",
        (ofHost == nil ? "the bucket" : "the host") + " is in \(place)"
          + (signed.map { ", and the signature is for \"\($0)\"" } ?? ""),
        evidence: [
          error.map { "\($0.code): \($0.message)" }, named.map { "x-amz-bucket-region: \($0)" },
          ofHost == nil ? nil : "it is sent to \(attempt.host)", signed == nil ? nil : thirdPart,
        ].compactMap(\.self),
        advice: attempt.isForStorage
          ? "have it signed for that region: go back to \(attempt.allocator(in: lint))"
          : "name that region in auth sigv4 { region: \"\(wanted ?? "…")\", … }")
    ]
  }

  /// It is signed for the right region, and sent to the wrong host.
  private static func otherHost(
    _ endpoint: String, _ error: StorageError, _ signed: String, _ attempt: UploadAttempt, _ lint: UploadLint
  ) -> UploadFinding {
    // The host is signed for, too, except with a form.
    let advice =
      attempt.field("policy") != nil
      ? "send the form to https://\(endpoint)/, and have that URL returned by \(attempt.allocator(in: lint))"
      : attempt.isForStorage
        ? "have it signed for that host: go back to \(attempt.allocator(in: lint))"
        : "send it there: https://\(endpoint)"
    return UploadFinding(
      "wrong-endpoint", "the bucket is at \"\(endpoint)\", and this is sent to \"\(attempt.host)\"",
      evidence: ["\(error.code): \(error.message)", "it is signed for \"\(signed)\", which is right"], advice: advice)
  }

  private static let thirdPart = "the third part of the credential is the region"

  /// Storage refuses a credential without saying why: who made it is known, the region is what may be wrong.
  private static func refusedCredential(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    guard let error = attempt.storageError, error.code == "InvalidArgument",
      [error["ArgumentName"] ?? "", error.message].contains(where: { $0.lowercased().contains("x-amz-credential") }),
      let region = attempt.signedRegion ?? error["ArgumentValue"].flatMap(UploadAttempt.region)
    else { return [] }
    return [
      UploadFinding(
        "wrong-region", "storage does not accept the credential, which is for the region \"\(region)\"",
        evidence: ["\(error.code): \(error.message)", thirdPart],
        advice: "have it signed for the bucket's region: go back to \(attempt.allocator(in: lint))")
    ]
  }

  private static func bucket(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    if let error = attempt.storageError, error.code == "NoSuchBucket" {
      let name = error["BucketName"].map { " \"\($0)\"" } ?? ""
      return [
        UploadFinding(
          "wrong-bucket", "there is no bucket\(name) there", evidence: ["\(error.code): \(error.message)"],
          advice: UploadOffer(for: attempt, in: lint).map {
            $0.url.prefix { $0 != "?" } == attempt.url.prefix { $0 != "?" }
              ? "the URL is as it was given, and names a bucket that does not exist: go back to \(attempt.allocator(in: lint))"
              : "the URL that was given is \($0.url.prefix { $0 != "?" }): write \($0.reference)"
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
    (field("x-amz-credential") ?? queryValue("x-amz-credential") ?? authorizationCredential).flatMap(Self.region)
  }

  /// `KEY/20260102/eu-west-1/s3/aws4_request`
  fileprivate static func region(of credential: String) -> String? {
    let scope = credential.split(separator: "/")
    return scope.count == 5 ? String(scope[2]) : nil
  }

  fileprivate var host: String {
    guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
    return String(url[start...].prefix { !"/?#:".contains($0) })
  }

  /// The region that the host of S3 is in, as its name says: `b.s3.eu-west-1.amazonaws.com`; nil: it says none.
  ///
  /// Source: "Amazon S3 endpoints", AWS General Reference.
  fileprivate var regionOfHost: String? { Self.namedRegion(of: host) }

  fileprivate static func namedRegion(of host: String) -> String? {
    var labels = host.lowercased().split(separator: ".")
    if labels.last == "cn" { labels.removeLast() }
    guard labels.suffix(2) == ["amazonaws", "com"] else { return nil }
    labels.removeLast(2)
    if labels.last == "vpce" { labels.removeLast() }
    guard let last = labels.last, labels.suffix(3).contains(where: { $0 == "s3" || $0.hasPrefix("s3-") }) else {
      return nil
    }
    let region = last.hasPrefix("s3-") ? last.dropFirst(3) : last
    let words = region.split(separator: "-", omittingEmptySubsequences: false)
    return words.count > 2 && words[0].count == 2 && Int(words.last ?? "") != nil ? String(region) : nil
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
