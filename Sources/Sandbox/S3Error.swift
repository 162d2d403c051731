import Essentials
import NIOHTTP1

/// Why storage refuses a request, in S3's terms.
enum S3Error: Error, Hashable, Sendable {
  case twoAuthMechanisms(authorization: String)
  case noSuchBucket(String)
  case noSuchKey(String)
  case malformedPath(String)
  case methodNotAllowed(String, allowed: [String])
  case notMultipart(contentType: String)
  case chunked
  case contentLengthMissing
  case malformedForm(MultipartError)
  case preDataTooLong
  case fieldMissing(String)
  case fieldRepeated(String)
  case fieldInvalid(String, value: String)
  case fieldNotText(String)
  case fieldAfterFile(String)
  case fileMissing
  case fileRepeated
  case keyTooLong(String)
  case unknownAccessKey(String)
  /// With the canonical request if a whole request is signed, rather than a policy.
  case signatureMismatch(accessKey: String, stringToSign: String, provided: String, canonicalRequest: String? = nil)
  case accessDenied
  case queryAuthentication(String)
  case notValidYet(from: Date, now: Date)
  case requestExpired(PresignedURL, now: Date)
  case headersNotSigned([String])
  case badDigest(expected: String, calculated: String)
  case invalidPolicy(String)
  case policyExpired
  case conditionFailed(PostPolicy.Condition)
  case extraFields([String])
  case tooSmall(Int, minimum: Int)
  case tooLarge(Int, maximum: Int)
  case notStored(FileError)
}

extension S3Error {
  /// S3's form of it: status, code, sentence and the further elements of its `Error` document.
  private var facts: (HTTPResponseStatus, code: String, message: String, details: KeyValuePairs<String, String>) {
    switch self {
    case .twoAuthMechanisms(let authorization):
      (
        .badRequest, "InvalidArgument",
        "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter "
          + "or the Authorization header should be specified",
        ["ArgumentName": "Authorization", "ArgumentValue": authorization]
      )
    case .noSuchBucket(let name):
      (.notFound, "NoSuchBucket", "The specified bucket does not exist", ["BucketName": name])
    case .noSuchKey(let key): (.notFound, "NoSuchKey", "The specified key does not exist.", ["Key": key])
    case .malformedPath(let path): (.badRequest, "InvalidURI", "Couldn't parse the specified URI.", ["URI": path])
    case .methodNotAllowed(let method, _):
      (
        .methodNotAllowed, "MethodNotAllowed", "The specified method is not allowed against this resource.",
        ["Method": method]
      )
    case .notMultipart(let contentType):
      (
        .preconditionFailed, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold",
        [
          "Condition": "Bucket POST must be of the enclosure-type multipart/form-data with a valid boundary",
          "ContentType": contentType,
        ]
      )
    case .chunked:
      (
        .notImplemented, "NotImplemented", "A header you provided implies functionality that is not implemented",
        ["Header": "Transfer-Encoding"]
      )
    case .contentLengthMissing:
      (.lengthRequired, "MissingContentLength", "You must provide the Content-Length HTTP header.", [:])
    case .malformedForm(let error):
      (
        .badRequest, "MalformedPOSTRequest", "The body of your POST request is not well-formed multipart/form-data.",
        ["Reason": error.sentence]
      )
    case .preDataTooLong:
      (
        .badRequest, "MaxPostPreDataLengthExceeded",
        "Your POST request fields preceding the upload file were too large.",
        ["MaxPostPreDataLength": String(PostForm.limit)]
      )
    case .fieldMissing(let name):
      invalidArgument(
        "Bucket POST must contain a field named '\(name)'.  If it is specified, please check the order of the fields.",
        name, "")
    case .fieldRepeated(let name): invalidArgument("POST fields may not be repeated.", name, "")
    case .fieldInvalid(let name, let value):
      invalidArgument("The value of the POST field '\(name)' is not valid here.", name, value)
    case .fieldNotText(let name): invalidArgument("The value of the POST field '\(name)' is not UTF-8.", name, "")
    case .fieldAfterFile(let name):
      invalidArgument(
        "The file must be the last field: S3 ignores '\(name)', which came after it. Send it before the file.", name, ""
      )
    case .fileMissing: invalidArgument("POST requires exactly one file upload per request.", "file", "0")
    case .fileRepeated: invalidArgument("POST requires exactly one file upload per request.", "file", "2")
    case .keyTooLong(let key):
      (
        .badRequest, "KeyTooLongError", "Your key is too long",
        ["Size": String(key.utf8.count), "MaxEncodedSizeAllowed": String(ObjectStore.encodedKeyLimit)]
      )
    case .unknownAccessKey(let key):
      (
        .forbidden, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.",
        ["AWSAccessKeyId": key]
      )
    case .signatureMismatch(let accessKey, let stringToSign, let provided, let canonicalRequest):
      (
        .forbidden, "SignatureDoesNotMatch",
        "The request signature we calculated does not match the signature you provided. "
          + "Check your key and signing method.",
        [
          "AWSAccessKeyId": accessKey, "StringToSign": stringToSign, "SignatureProvided": provided,
          "CanonicalRequest": canonicalRequest ?? "",
        ]
      )
    case .accessDenied: (.forbidden, "AccessDenied", "Access Denied", [:])
    case .queryAuthentication(let reason): (.badRequest, "AuthorizationQueryParametersError", reason, [:])
    case .notValidYet(let date, let now):
      (
        .forbidden, "AccessDenied", "Request is not valid yet",
        ["X-Amz-Date": DateText.basic(date), "ServerTime": DateText.extended(now)]
      )
    case .requestExpired(let url, let now):
      (
        .forbidden, "AccessDenied", "Request has expired",
        [
          "X-Amz-Expires": String(url.lifetime), "Expires": DateText.extended(url.expiration),
          "ServerTime": DateText.extended(now),
        ]
      )
    case .headersNotSigned(let names):
      (
        .forbidden, "AccessDenied", "There were headers present in the request which were not signed",
        ["HeadersNotSigned": names.joined(separator: ", ")]
      )
    case .badDigest(let expected, let calculated):
      (
        .badRequest, "BadDigest", "The Content-MD5 you specified did not match what we received.",
        ["ExpectedDigest": expected, "CalculatedDigest": calculated]
      )
    case .invalidPolicy(let reason): (.badRequest, "InvalidPolicyDocument", "Invalid Policy: \(reason)", [:])
    case .policyExpired: denied("Policy expired.")
    case .conditionFailed(let condition): denied("Policy Condition failed: \(condition.explicitJSON)")
    case .extraFields(let names): denied("Extra input fields: \(names.joined(separator: ", "))")
    case .tooSmall(let size, let minimum):
      (
        .badRequest, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size",
        ["ProposedSize": String(size), "MinSizeAllowed": String(minimum)]
      )
    case .tooLarge(let size, let maximum):
      (
        .badRequest, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size",
        ["ProposedSize": String(size), "MaxSizeAllowed": String(maximum)]
      )
    case .notStored(let error):
      (.internalServerError, "InternalError", "The object could not be stored: \(error).", [:])
    }
  }

  private func invalidArgument(
    _ message: String, _ name: String, _ value: String
  ) -> (HTTPResponseStatus, code: String, message: String, details: KeyValuePairs<String, String>) {
    (.badRequest, "InvalidArgument", message, ["ArgumentName": name, "ArgumentValue": value])
  }

  private func denied(
    _ reason: String
  ) -> (HTTPResponseStatus, code: String, message: String, details: KeyValuePairs<String, String>) {
    (.forbidden, "AccessDenied", "Invalid according to Policy: \(reason)", [:])
  }

  /// The response, with S3's `Error` document.
  var response: Response {
    let (status, code, message, details) = facts
    let elements = [("Code", code), ("Message", message)] + details.map { ($0, $1) }.filter { !$1.isEmpty }
    var response = Response.text(
      status, type: "application/xml",
      #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<Error>"
        + elements.map { "<\($0)>\(Self.escaped($1))</\($0)>" }.joined() + "</Error>")
    if case .methodNotAllowed(_, let allowed) = self {
      response.headers.append(("Allow", allowed.joined(separator: ", ")))
    }
    return response
  }

  /// XML text: markup escaped, characters that XML 1.0 cannot represent replaced.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\r": escaped += "&#13;"
      case _ where scalar.value < 0x20 && scalar != "\t" && scalar != "\n", "\u{FFFE}", "\u{FFFF}":
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

extension MultipartError {
  fileprivate var sentence: String {
    switch self {
    case .boundaryMissingAtStart: "The body does not begin with the boundary that Content-Type names."
    case .boundaryLineMalformed: "A boundary is followed by neither a line end nor --."
    case .partHeaderTooLong(let limit): "The header of a part is longer than \(limit) bytes."
    case .partHeaderMalformed: "The header of a part is malformed."
    case .dispositionMissing: "A part has no Content-Disposition of form-data with a name."
    case .bytesAfterTheEnd: "There are bytes after the last boundary."
    case .endedEarly: "The body ended before the last boundary."
    }
  }
}
