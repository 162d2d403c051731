import Essentials
import NIOHTTP1

/// Signs URLs for requests to one bucket, and checks requests that use such a URL.
struct URLSigner: Sendable {
  var credentials: SigV4.Credentials
  var region: String

  /// The URL that allows one method on one object, with exactly these headers.
  ///
  /// - Parameters:
  ///   - path: decoded, from the slash before the bucket on.
  ///   - headers: the headers that have to be sent and are signed, besides the host.
  ///   - lifetime: in seconds.
  func url(
    _ method: String, path: String, at origin: String, headers: [(name: String, value: String)], now: Date,
    lifetime: Int
  ) -> String {
    let day = String(DateText.basic(now).prefix(8))
    let scope = SigV4.Scope(day: day, region: region, service: PostSigner.service)
    let host = origin.firstRange(of: "://").map { String(origin[$0.upperBound...]) } ?? origin
    let signed = (headers.map { (name: $0.name.lowercased(), value: $0.value) } + [(name: "host", value: host)])
      .sorted { $0.name < $1.name }
    let url = PresignedURL(
      credential: SigV4.Credential(accessKey: credentials.accessKey, scope: scope), date: now, lifetime: lifetime,
      signedHeaders: signed.map(\.name))
    let request = CanonicalRequest(method: method, path: path, query: QueryText(url.items), headers: signed)
    let signature = SigV4.SigningKey(secretKey: credentials.secretKey, scope: scope)
      .signature(of: request.stringToSign(url))
    let query = url.items + [QueryText.Item(name: "X-Amz-Signature", value: signature)]
    let text = query.map { "\(PercentEncoding.canonical($0.name))=\(PercentEncoding.canonical($0.value))" }
    let encodedPath = path.split(separator: "/", omittingEmptySubsequences: false)
      .map { PercentEncoding.canonical(String($0)) }.joined(separator: "/")
    return "\(origin)\(encodedPath)?\(text.joined(separator: "&"))"
  }

  /// Decides whether a request may be carried out.
  func admit(_ head: HTTPRequestHead, now: Date) throws(S3Error) {
    let path = head.uri.prefix { $0 != "?" }
    guard let query = QueryText(ofTarget: head.uri), let decodedPath = PercentEncoding.decode(path) else {
      throw .malformedPath(head.uri)
    }
    guard let url = try PresignedURL(query) else { throw .accessDenied }
    let scope = url.credential.scope
    guard scope.service == PostSigner.service, scope.region == region, DateText.basic(url.date).hasPrefix(scope.day)
    else {
      throw .queryAuthentication(
        "Error parsing the X-Amz-Credential parameter; it should be \"\(DateText.basic(url.date).prefix(8))/\(region)/"
          + "\(PostSigner.service)/aws4_request\", not \"\(scope)\".")
    }
    guard url.credential.accessKey == credentials.accessKey else { throw .unknownAccessKey(url.credential.accessKey) }
    guard url.signedHeaders.contains("host") else {
      throw .queryAuthentication("X-Amz-SignedHeaders must contain \"host\"")
    }
    guard now >= url.date.addingTimeInterval(-15 * 60) else { throw .notValidYet(from: url.date, now: now) }
    guard now < url.expiration else { throw .requestExpired(url, now: now) }

    let unsigned = head.headers.map { $0.name.lowercased() }.filter {
      $0.hasPrefix("x-amz-") && !url.signedHeaders.contains($0)
    }
    guard unsigned.isEmpty else { throw .headersNotSigned(unsigned) }
    let request = CanonicalRequest(
      method: head.method.rawValue, path: decodedPath,
      query: QueryText(query.items.filter { $0.name != "X-Amz-Signature" }),
      headers: url.signedHeaders.map { name in (name, Self.canonicalValue(of: name, in: head.headers)) })
    let text = request.stringToSign(url)
    let key = SigV4.SigningKey(secretKey: credentials.secretKey, scope: scope)
    guard url.signature == key.signature(of: text) else {
      throw .signatureMismatch(
        accessKey: credentials.accessKey, stringToSign: text, provided: url.signature, canonicalRequest: request.text)
    }
  }

  /// The values of a header, each with single spaces; empty if it is missing, so that the signature is wrong then.
  private static func canonicalValue(of name: String, in headers: HTTPHeaders) -> String {
    headers[name].map { $0.split { $0 == " " || $0 == "\t" }.joined(separator: " ") }.joined(separator: ",")
  }
}
