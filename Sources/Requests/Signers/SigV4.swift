internal import Crypto
internal import HTTPTypes
internal import JSONValue

extension Signer {
  /// AWS Signature Version 4: "Create a signed AWS API request", AWS IAM User Guide.
  static let sigv4 = Signer(
    "sigv4",
    [
      .init("key", .account, or: ["from", "aws-profile"]), .init("secret", .secret, or: ["from", "aws-profile"]),
      .init("region"), .init("service"), .init("token", .secret, isNeeded: false), .init("from", isNeeded: false),
      .init("aws-profile", isNeeded: false), .init("sts-url", isNeeded: false),
    ],
    example:
      "auth sigv4 { key: $env.AWS_ACCESS_KEY_ID, secret: $env.AWS_SECRET_ACCESS_KEY,"
      + " region: \"eu-west-1\", service: \"s3\" }",
    presign: { identity, request in SigV4(identity: identity).presign(request) }
  ) { identity, request throws(FileError) in try SigV4(identity: identity).sign(request) }
}

extension SigningIdentity {
  /// Credentials of AWS, or of storage that accepts the same signatures.
  ///
  /// - Parameters:
  ///   - accessKey: names the key and is not a secret: `AKIA…`.
  ///   - sessionToken: of temporary credentials.
  ///   - region: `us-east-1`
  ///   - service: `s3`, `execute-api`
  public static func sigv4(
    accessKey: String, secretKey: Secret, sessionToken: Secret? = nil, region: String, service: String
  ) -> SigningIdentity {
    var secrets = ["secret": secretKey]
    secrets["token"] = sessionToken
    return SigningIdentity(.sigv4, texts: ["key": accessKey, "region": region, "service": service], secrets: secrets)
  }
}

/// libcurl's own signer does not sort the query or double-encode the path.
private struct SigV4 {
  let identity: SigningIdentity

  /// The headers of a signature: date, token, for S3 the hash of the body, and `Authorization`.
  func sign(_ request: RequestToSign) throws(FileError) -> [HTTPField] {
    let date = CivilTime(request.now).basic
    let hash = try payloadHash(of: request)
    var added: [HTTPField] = []
    func add(_ name: String, _ value: String) {
      if let name = HTTPField.Name(name) { added.append(HTTPField(name: name, value: value)) }
    }
    add("x-amz-date", date)
    identity.secrets["token"]?.withExposedText { add("x-amz-security-token", $0) }
    if isS3 { add("x-amz-content-sha256", hash) }

    var headers = request.headers
    for field in added { headers[field.name] = field.value }
    let fields = canonicalFields(of: headers, host: request.origin.hostField)
    let signedNames = fields.map(\.name).joined(separator: ";")
    let target = Target(request.url)
    let canonical = [
      request.method.rawValue, isS3 ? Self.objectPath(target.path) : Self.normalized(target.path),
      target.canonicalQuery,
      fields.map { "\($0.name):\($0.value)\n" }.joined(), signedNames, hash,
    ].joined(separator: "\n")

    let signature = signature(of: canonical, date)
    let account = account(date)
    add("authorization", "AWS4-HMAC-SHA256 Credential=\(account), SignedHeaders=\(signedNames), Signature=\(signature)")
    return added
  }

  /// The same in the query, for whoever gets the URL: of the headers only the host is signed, and of S3's bodies nothing.
  func presign(_ request: PresignRequest) -> String {
    let date = CivilTime(request.now).basic
    var items = [
      ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", account(date)), ("X-Amz-Date", date),
      ("X-Amz-Expires", "\(request.lifetime.components.seconds)"), ("X-Amz-SignedHeaders", "host"),
    ]
    identity.secrets["token"]?.withExposedText { items.append(("X-Amz-Security-Token", $0)) }
    let query = items.map { "\($0)=\(PercentEncoding.component.encode($1))" }.joined(separator: "&")
    let url = request.url + (request.url.contains("?") ? "&" : "?") + query
    let target = Target(url)
    let canonical = [
      request.method, isS3 ? Self.objectPath(target.path) : Self.normalized(target.path), target.canonicalQuery,
      "host:\(request.origin.hostField)\n", "host",
      isS3 ? "UNSIGNED-PAYLOAD" : SHA256.hash(data: [UInt8]()).hex,
    ].joined(separator: "\n")
    return "\(url)&X-Amz-Signature=\(signature(of: canonical, date))"
  }

  private func scope(_ date: String) -> String {
    "\(date.prefix(8))/\(text("region"))/\(text("service"))/aws4_request"
  }

  private func account(_ date: String) -> String { "\(text("key"))/\(scope(date))" }

  private func signature(of canonical: String, _ date: String) -> String {
    let text = ["AWS4-HMAC-SHA256", date, scope(date), SHA256.hash(data: Array(canonical.utf8)).hex]
      .joined(separator: "\n")
    let key = key(of: String(date.prefix(8)))
    return HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).hex
  }

  private func text(_ member: String) -> String { identity.texts[member] ?? "" }

  private var isS3: Bool { text("service") == "s3" }

  /// HMACs of the parts of the scope, each keyed with the previous one.
  private func key(of day: String) -> SymmetricKey {
    let secret = identity.secrets["secret"]?.withExposedText { $0 } ?? ""
    let start = SymmetricKey(data: Array("AWS4\(secret)".utf8))
    return [day, text("region"), text("service"), "aws4_request"].reduce(start) { key, part in
      SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
    }
  }

  /// Lowercase names in order, values with single spaces; anything a hop may change is left out.
  private func canonicalFields(of headers: HTTPFields, host: String) -> [(name: String, value: String)] {
    var values = ["host": host]
    for field in headers where !Self.unsigned.contains(field.name.canonicalName) {
      let value = field.value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
      values[field.name.canonicalName, default: ""] += values[field.name.canonicalName] == nil ? value : ",\(value)"
    }
    return values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  private func payloadHash(of request: RequestToSign) throws(FileError) -> String {
    let hasFile = request.body.contains { segment in
      switch segment {
      case .bytes: false
      case .file: true
      }
    }
    // Over TLS a file does not have to be read twice.
    if isS3, request.origin.scheme == .https, hasFile { return "UNSIGNED-PAYLOAD" }
    var hash = SHA256()
    for segment in request.body {
      switch segment {
      case .bytes(let bytes): hash.update(data: bytes)
      case .file(let file): try file.forEachChunk { hash.update(data: $0) }
      }
    }
    return hash.finalize().hex
  }

  /// S3's form of a path: the object's name, with everything encoded except letters, digits, `-._~` and slashes. A URL
  /// may contain a literal `+` or `(`.
  private static func objectPath(_ path: String) -> String {
    PercentEncoding.decode(path).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { PercentEncoding.component.encode(Array($0)) }.joined(separator: "/")
  }

  /// Without dot segments and double slashes, and encoded once more.
  private static func normalized(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/")
    for segment in segments {
      switch segment {
      case ".": continue
      case "..": _ = kept.popLast()
      default: kept.append(segment)
      }
    }
    let end = path.hasSuffix("/") && !kept.isEmpty ? "/" : ""
    return "/" + kept.map { PercentEncoding.component.encode($0) }.joined(separator: "/") + end
  }

  private static let unsigned: Set<String> = [
    "authorization", "connection", "expect", "transfer-encoding", "user-agent", "x-amzn-trace-id",
  ]
}

/// Path and query of a URL, as they will be sent.
private struct Target {
  let path: String
  private let query: Substring

  init(_ url: String) {
    let address = url.prefix { $0 != "#" }
    let authority = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address
    let rest = authority.drop { $0 != "/" && $0 != "?" }
    let path = rest.prefix { $0 != "?" }
    self.path = path.isEmpty ? "/" : String(path)
    query = rest.dropFirst(path.count + 1)
  }

  /// Items in byte order, each with its `=`.
  var canonicalQuery: String {
    query.split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return (Self.encode(name), Self.encode(item.dropFirst(name.count + 1)))
    }
    .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// Anything already encoded stays as it is.
  private static func encode(_ text: Substring) -> String {
    PercentEncoding.component.encode(PercentEncoding.decode(text))
  }
}
