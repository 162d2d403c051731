import HTTPTypes
import JSONValue
import Requests

/// Members of an exchange that are made from its parts.
extension ExchangeParts {
  /// Where each relation of its `Link` fields leads.
  var links: JSON {
    .object(
      JSONObject(
        LinkHeader.links(in: response.headers[values: .link], of: request.url).map {
          JSONObject.Member(key: $0.relation, value: .string($0.url))
        }))
  }

  /// `status`, `url` and `location` of each redirect on the way, in order.
  var redirectList: JSON {
    .array(
      redirects.map { hop in
        let location = hop.response.headers[.location].map { URLReference.resolve($0, against: hop.request.url) }
        return [
          "status": .number(JSONNumber(hop.response.status.code)), "url": .string(hop.request.url),
          "location": location.map(JSON.string) ?? .null,
        ]
      })
  }

  /// The cookies that were set, also on the way, by name, each with its value and attributes; what is not given is
  /// missing.
  var setCookies: JSON {
    var cookies = JSONObject()
    for pair in cookieLines.compactMap({ CookiePair($0) }) {
      var cookie: JSONObject = ["value": .string(pair.value)]
      var flags: Set<String> = []
      for attribute in pair.attributes {
        let text = attribute.value ?? ""
        switch attribute.name {
        case "path", "domain": cookie[attribute.name] = .string(text)
        case "expires":
          cookie["expires"] = .string(DateText.cookie(text).map { CivilTime($0).rfc3339 } ?? text)
        case "max-age": cookie["max-age"] = Int(text).map { .number(JSONNumber($0)) } ?? .string(text)
        case "samesite": cookie["same-site"] = .string(text)
        case "secure", "httponly": flags.insert(attribute.name)
        default: continue
        }
      }
      cookie["secure"] = .bool(flags.contains("secure"))
      cookie["http-only"] = .bool(flags.contains("httponly"))
      cookies[pair.name] = .object(cookie)
    }
    return .object(cookies)
  }

  /// Names and values of the cookies that were set, also on the way (RFC 6265 §5.2).
  var cookieValues: [String: String] {
    var cookies: [String: String] = [:]
    for value in cookieLines {
      let pair = value.prefix { $0 != ";" }
      guard let equals = pair.firstIndex(of: "=") else { continue }
      cookies[pair[..<equals].trimmed] = pair[pair.index(after: equals)...].trimmed
    }
    return cookies
  }

  /// The body that was sent: JSON when it is, else text, else bytes.
  ///
  /// - Returns: nil if there is none that is known; `unknownBody` says why.
  var sentBody: Value.Content? {
    guard request.bodySize > 0, unknownBody == nil else { return nil }
    var bytes: [UInt8] = []
    for case .bytes(let piece) in request.body(of: description) ?? [] { bytes += piece }
    let type = request.headers[.contentType] ?? ""
    if MediaType.isJSON(type), let json = try? JSON(parsing: bytes) { return .json(json) }
    let isText = MediaType.isText(type) || description.isMultipart || type.isEmpty
    guard isText, let text = String(validating: bytes, as: UTF8.self) else { return .bytes(bytes) }
    return .json(.string(text))
  }

  /// Why the body that was sent is not known, for people; nil: it is, or there is none.
  var unknownBody: String? {
    guard request.bodySize > 0 else { return nil }
    var count = 0
    for segment in request.body(of: description) ?? [] {
      guard case .bytes(let piece) = segment else { return "sent a file, and files are not copied" }
      count += piece.count
    }
    if count == request.bodySize { return nil }
    return "sent \(request.bodySize) of its \(count) bytes: the response came before"
  }
}

extension HTTPField.Name {
  static var link: HTTPField.Name {
    guard let name = HTTPField.Name("Link") else { preconditionFailure("it is a token") }
    return name
  }
}
