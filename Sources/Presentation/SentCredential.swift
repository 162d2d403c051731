internal import HTTPTypes
internal import JSONValue
package import Requests

/// Something in a request that may prove who is asking, and who put it there.
enum SentCredential: Hashable {
  /// The step's own `auth`, or an `Authorization` header that it wrote.
  case authorizationOfStep
  /// The credential of this profile.
  case authorizationOfProfile(String)
  /// A header field such as `X-Api-Key`.
  case header(String)
  case queryItem(String)
  /// A field of a form, or a member of JSON: `password`.
  case inBody(String)
  /// Nothing but cookies, which may be a session.
  case cookies

  var phrase: String {
    switch self {
    case .authorizationOfStep: "the credential in the request itself"
    case .authorizationOfProfile(let name): "the credential of profile \"\(name)\""
    case .header(let name): "the header \(name)"
    case .queryItem(let name): "\"\(CutText.cut(name, to: 40))\" in the query"
    case .inBody(let name): "\"\(CutText.cut(name, to: 40))\" in the body"
    case .cookies: "the cookies, and no other credential was sent"
    }
  }

  /// All of them, as far as their names tell; cookies only if there is nothing else.
  static func all(in exchange: Exchange) -> [SentCredential] {
    let (head, sent) = (exchange.description.head, exchange.request)
    var found: [SentCredential] = []
    if let value = sent.headers[.authorization] {
      let isOwn = head.signer != nil || head.digest != nil || head.headers[.authorization] == value
      found.append(isOwn ? .authorizationOfStep : .authorizationOfProfile(exchange.profile))
    }
    for field in sent.headers where field.name != .authorization && field.name != .cookie {
      guard field.name != .proxyAuthorization, SensitiveName.isCredential(field.name.rawName) else { continue }
      found.append(.header(field.name.rawName))
    }
    found += names(ofQueryIn: sent.url).filter(SensitiveName.contains).map { .queryItem($0) }
    if sent.keepsBody(of: head) {
      found += names(ofFieldsIn: exchange).filter(SensitiveName.isCredential).map { .inBody($0) }
    }
    if found.isEmpty, sent.headers.contains(.cookie) { found.append(.cookies) }
    var seen: Set<SentCredential> = []
    return found.filter { seen.insert($0).inserted }
  }

  private static func names(ofQueryIn url: String) -> [String] {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    return url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&").map(name)
  }

  private static func names(ofFieldsIn exchange: Exchange) -> [String] {
    switch exchange.description {
    case .stream: return []
    case .multipart(let form): return form.parts.map(\.name)
    case .inMemory(let request):
      guard let body = request.body, body.bytes.count <= 1 << 20 else { return [] }
      let type = exchange.request.headers[.contentType] ?? body.contentType ?? ""
      if type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
        return String(decoding: body.bytes, as: UTF8.self).split(separator: "&").map(name)
      }
      guard type.lowercased().contains("json"), let json = try? JSON(parsing: body.bytes) else { return [] }
      return memberNames(in: json)
    }
  }

  private static func memberNames(in json: JSON) -> [String] {
    switch json {
    case .object(let object): object.members.flatMap { [$0.key] + memberNames(in: $0.value) }
    case .array(let elements): elements.flatMap(memberNames)
    case .string, .number, .bool, .null: []
    }
  }

  /// The decoded name of `name=value`.
  private static func name(of item: Substring) -> String {
    String(decoding: PercentEncoding.decode(item.prefix { $0 != "=" }), as: UTF8.self)
  }
}

extension Exchange {
  /// Whether nothing that the step itself was given was accepted: 401, or any error about a body in which somebody signs in.
  package var refusesCredentials: Bool {
    let status = self.response.status
    guard status != .unauthorized, status.kind == .clientError else { return status == .unauthorized }
    let sent = SentCredential.all(in: self)
    return sent.contains(where: \.isInBody)
      && !sent.contains { credential in
        switch credential {
        case .authorizationOfStep, .header, .queryItem: true
        case .inBody, .cookies, .authorizationOfProfile: false
        }
      }
  }
}
