internal import Crypto
internal import HTTPTypes
internal import JSONValue
internal import Requests

/// Signs requests (AWS Signature Version 4). Pure but for the files it has to read.
///
/// Source: "Create a signed AWS API request", AWS IAM User Guide. libcurl's own signer sorts no query and
/// double-encodes no path.
struct SigV4Signer {
  private let identity: SigV4Identity

  init(_ identity: SigV4Identity) {
    self.identity = identity
  }

  /// Adds the headers of a signature: date, token, for S3 the hash of the body, and `Authorization`.
  ///
  /// - Parameter now: since 1970.
  func sign(_ request: inout TransportRequest, at origin: Origin, now: Duration) throws(FileError) {
    let date = CivilTime(now).basic
    let hash = try payloadHash(of: request, isEncrypted: origin.scheme == .https)
    Self.set("x-amz-date", date, in: &request.headers)
    identity.sessionToken?.withExposedText { Self.set("x-amz-security-token", $0, in: &request.headers) }
    if isS3 { Self.set("x-amz-content-sha256", hash, in: &request.headers) }

    let fields = canonicalFields(of: request.headers, host: origin.hostField)
    let signedNames = fields.map(\.name).joined(separator: ";")
    let target = Target(request.url)
    let canonical = [
      request.method.rawValue, isS3 ? Self.objectPath(target.path) : Self.normalized(target.path),
      target.canonicalQuery,
      fields.map { "\($0.name):\($0.value)\n" }.joined(), signedNames, hash,
    ].joined(separator: "\n")

    let day = String(date.prefix(8))
    let scope = "\(day)/\(identity.region)/\(identity.service)/aws4_request"
    let text = ["AWS4-HMAC-SHA256", date, scope, SHA256.hash(data: Array(canonical.utf8)).hex]
      .joined(separator: "\n")
    let signature = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key(of: day)).hex
    request.headers[.authorization] =
      "AWS4-HMAC-SHA256 Credential=\(identity.accessKey)/\(scope), SignedHeaders=\(signedNames), Signature=\(signature)"
  }

  private var isS3: Bool { identity.service == "s3" }

  /// HMACs of the parts of the scope, each keyed with the one before.
  private func key(of day: String) -> SymmetricKey {
    let start = identity.secretKey.withExposedText { SymmetricKey(data: Array("AWS4\($0)".utf8)) }
    return [day, identity.region, identity.service, "aws4_request"].reduce(start) { key, part in
      SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
    }
  }

  /// Lower-case names in order, values with single blanks; what a hop may change is left out.
  private func canonicalFields(of headers: HTTPFields, host: String) -> [(name: String, value: String)] {
    var values = ["host": host]
    for field in headers where !Self.unsigned.contains(field.name.canonicalName) {
      let value = field.value.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
      values[field.name.canonicalName, default: ""] += values[field.name.canonicalName] == nil ? value : ",\(value)"
    }
    return values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }

  private func payloadHash(of request: TransportRequest, isEncrypted: Bool) throws(FileError) -> String {
    let body = request.body ?? []
    let hasFile = body.contains { segment in
      switch segment {
      case .bytes: false
      case .file: true
      }
    }
    // Over TLS a file need not be read twice.
    if isS3, isEncrypted, hasFile { return "UNSIGNED-PAYLOAD" }
    var hash = SHA256()
    for segment in body {
      switch segment {
      case .bytes(let bytes): hash.update(data: bytes)
      case .file(let file): try file.forEachChunk { hash.update(data: $0) }
      }
    }
    return hash.finalize().hex
  }

  /// What S3 makes of a path: the object's name, with all encoded but letters, digits, `-._~` and slashes. A `+` or a
  /// `(` may stand in a URL as it is.
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

  private static func set(_ name: String, _ value: String, in headers: inout HTTPFields) {
    if let name = HTTPField.Name(name) { headers[name] = value }
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

  /// Items in the order of their bytes, each with its `=`.
  var canonicalQuery: String {
    query.split(separator: "&").map { item in
      let name = item.prefix { $0 != "=" }
      return (Self.encode(name), Self.encode(item.dropFirst(name.count + 1)))
    }
    .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// What is encoded already stays so.
  private static func encode(_ text: Substring) -> String {
    PercentEncoding.component.encode(PercentEncoding.decode(text))
  }
}
