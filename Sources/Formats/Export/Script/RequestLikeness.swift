package import HTTPTypes
package import Requests

/// What two requests at different times have in common if they are the same: everything that does not change on its
/// own.
package struct RequestLikeness: Hashable {
  package let method: String
  package let url: String
  package let authorization: String?
  /// All other fields, by name.
  package let fields: [[String]]
  /// The names of what was left out.
  package let omitted: Set<String>

  /// The transport's own fields, and cookies: those that are kept change, so that the step's own alone are compared.
  private static let ownFields: Set<String> = [
    "accept", "accept-encoding", "connection", "content-length", "cookie", "expect", "host", "transfer-encoding",
    "user-agent",
  ]
  /// Fields that are new for each request, or say when and where in a trace it was sent.
  private static let changingFields: Set<String> = [
    "date", "idempotency-key", "traceparent", "tracestate", "x-amz-date", "x-correlation-id", "x-request-id",
  ]

  /// - Parameters:
  ///   - asked: the fields of the step itself; if the transport's fields are among those, they are the step's.
  ///   - credential: one that is in no field before the request is sent.
  package init(
    method: HTTPRequest.Method, url: String, headers: HTTPFields, asked: HTTPFields, omitting: [HTTPField.Name],
    credential: Credential? = nil
  ) {
    self.method = method.rawValue
    // An empty path is sent as a slash.
    omitted = Set(omitting.map(\.canonicalName))
    self.url = url.hasSuffix("/") ? String(url.dropLast()) : url
    authorization =
      switch credential {
      case .digest(let identity)?: Self.digest(of: identity.user)
      default: headers[.authorization].map(Self.lasting)
      }
    let kept = headers.filter { field in
      let name = field.name.canonicalName
      return field.name != .authorization && !Self.changingFields.contains(name)
        && (!Self.ownFields.contains(name) || asked.contains(field.name))
    }
    let pairs = kept.map { field in
      let value = field.name == .cookie ? asked[.cookie] ?? "" : field.value
      // The boundary differs each time.
      return [field.name.canonicalName, value.hasPrefix("multipart/") ? "multipart" : value]
    }
    fields = pairs.enumerated().sorted { ($0.element[0], $0.offset) < ($1.element[0], $1.offset) }.map(\.element)
  }

  /// Of a signature and of a digest, only whose it is.
  private static func lasting(_ authorization: String) -> String {
    if authorization.hasPrefix("AWS4-") { return String(authorization.prefix { $0 != "/" }) }
    guard let user = authorization.firstMatch(of: /^Digest .*?\busername="((?:[^"\\]|\\.)*)"/)?.output.1 else {
      return authorization
    }
    return digest(of: String(user).replacing(/\\(.)/) { $0.output.1 })
  }

  private static func digest(of user: String) -> String { "Digest \(user)" }

  package init(_ exchange: Exchange) {
    let sent = exchange.firstRequest
    self.init(
      method: sent.method, url: sent.url, headers: sent.headers, asked: exchange.description.head.headers,
      omitting: exchange.description.head.omittedHeaders)
  }

  /// How a URL differs that is only percent-encoded in another way, which does not show where that is in a secret; nil: it
  /// differs in more.
  private static func encoded(_ url: String, insteadOf sent: String) -> String? {
    guard url.percentDecoded == sent.percentDecoded else { return nil }
    let same = zip(url, sent).prefix { $0 == $1 }.count
    let (one, other) = (url.dropFirst(same), sent.dropFirst(same))
    func first(_ text: Substring) -> Substring { text.prefix(text.first == "%" ? 3 : 1) }
    // `%2F` is no `/`.
    let isAlike = !(first(one) + first(other)).contains { "/?#&=+;".contains($0) }
    return "its URL has \(first(one)) in place of \(first(other))" + (isAlike ? ", which most servers read alike" : "")
  }

  /// The differences from the other one, in a few words each.
  package func differences(from sent: RequestLikeness) -> [String] {
    var found: [String] = []
    if method != sent.method { found.append("another method") }
    if url != sent.url { found.append(Self.encoded(url, insteadOf: sent.url) ?? "\(url) instead of \(sent.url)") }
    if authorization != sent.authorization { found.append("another authorization") }
    let names = Set((fields + sent.fields).map { $0[0] }).sorted()
    for name in names where fields.filter({ $0[0] == name }) != sent.fields.filter({ $0[0] == name }) {
      found.append("another \(name)")
    }
    found += omitted.subtracting(sent.omitted).sorted().map { "\($0) left out" }
    found += sent.omitted.subtracting(omitted).sorted().map { "\($0) not left out" }
    return found
  }
}
