internal import HTTPTypes
public import Requests

extension ErrorReport {
  /// How much of a text of the server's is quoted, in characters.
  private static let quoted = 80
  /// A list of more is not read.
  private static let listed = 3

  /// What to know about a response whose status says that the request was refused.
  public static func notes(onRefusalIn exchange: Exchange) -> [String] {
    notes(aboutCredentialIn: exchange) + JSONFault.notes(onSentBodyOf: exchange)
  }

  /// What to know about a 401, 403 or 407: which credential was refused, if one was sent, and what is asked for.
  private static func notes(aboutCredentialIn exchange: Exchange) -> [String] {
    switch exchange.response.status.code {
    case 401: notes(unauthorized: exchange)
    case 403:
      notes(forbidden: exchange)
    case 407:
      ["the proxy asks for a credential: proxy http://user:password@proxy.example.com:3128, in the profile"]
    default: []
    }
  }

  private static func notes(unauthorized exchange: Exchange) -> [String] {
    let challenges = AuthenticationChallenge.all(.wwwAuthenticate, of: exchange.response.headers)
    // A server that asks for something else does not look at cookies.
    let sent = SentCredential.all(in: exchange).filter { challenges.isEmpty || $0 != .cookies }
    guard !sent.isEmpty else {
      let asked = exchange.redirects.isEmpty ? "" : " to \(exchange.request.origin), where the redirect leads"
      guard exchange.withheld.isEmpty else { return ["no credential was sent\(asked): it belongs to another origin"] }
      let hasCookies = exchange.request.headers.contains(.cookie)
      return ["\(hasCookies ? "only cookies were" : "no credential was") sent\(asked)"]
        + (challenges.isEmpty ? [guess(from: exchange.response)] : advice(challenges))
    }
    var notes = refused(sent, by: exchange) + complaints(of: challenges)
    if let authorization = exchange.request.headers[.authorization] {
      if authorization.contains(/\{\$[\w\-]+[^{}]*\}/) {
        notes.append("a reference in it was sent as it is written: in single quotes it is a text")
      }
      // A word that is not known as a scheme may be the credential.
      let scheme = AuthenticationScheme.name(in: authorization)
      if !challenges.isEmpty, !challenges.contains(where: { scheme.map($0.has(scheme:)) ?? false }) {
        notes.append(scheme.map { "\($0) was sent" } ?? "it was sent without a known scheme before it")
        notes += advice(challenges)
      }
    } else if !(isLogin(exchange) && sent.allSatisfy(\.isInBody)) {
      notes += advice(challenges)
    }
    return notes
  }

  /// Whether the path says that it is where one signs in: the challenge there is about all other requests.
  private static func isLogin(_ exchange: Exchange) -> Bool {
    let path = exchange.firstRequest.url.prefix { $0 != "?" && $0 != "#" }
    let words = path.lowercased().split { !$0.isLetter }
    return ["login", "signin", "session", "sessions", "token"].contains { words.suffix(3).contains(Substring($0)) }
      || words.suffix(2).elementsEqual(["sign", "in"])
  }

  /// Who it was is known then, but not what is missing: a right, or something else in the request.
  private static func notes(forbidden exchange: Exchange) -> [String] {
    let sent = SentCredential.all(in: exchange).filter(\.isAuthorization)
    let complaints = complaints(of: AuthenticationChallenge.all(.wwwAuthenticate, of: exchange.response.headers))
    guard complaints.isEmpty, let credential = sent.first?.phrase, exchange.redirects.isEmpty else {
      return refused(sent, by: exchange) + complaints
    }
    if speaksOfForgery(exchange.response) {
      return [
        "the response speaks of CSRF: the request lacks the token of the page or of the cookie, or has an old one"
      ]
    }
    return saysWhy(exchange.response) ? [] : ["\(credential) was sent: it may not be allowed to do this"]
  }

  /// Whether a refusal has a text that is meant to be read.
  private static func saysWhy(_ response: Response) -> Bool {
    guard !response.body.isEmpty, let type = response.contentType else { return false }
    return response.isJSON || ["text/plain", "application/xml", "text/xml"].contains(MediaType.essence(of: type))
  }

  /// Whether a refusal says that the request may have been forged.
  private static func speaksOfForgery(_ response: Response) -> Bool {
    guard response.body.count <= 64 << 10, let bytes = try? response.body.bytes() else { return false }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    return ["csrf", "xsrf", "forgery"].contains { text.contains($0) }
  }

  private static func refused(_ credentials: [SentCredential], by exchange: Exchange) -> [String] {
    guard !credentials.isEmpty else { return [] }
    let server = exchange.redirects.isEmpty ? "the server" : "\(exchange.request.origin), where the redirect leads,"
    return ["\(server) did not accept \(credentials.prefix(listed).map(\.phrase).joined(separator: ", or "))"]
  }

  /// What the server says is wrong with the credential (RFC 6750 §3).
  private static func complaints(of challenges: [AuthenticationChallenge]) -> [String] {
    challenges.prefix(listed).compactMap { challenge in
      guard let error = challenge.parameters["error"] else { return nil }
      let details = ["error_description", "scope"].compactMap { name in
        challenge.parameters[name].map { name == "scope" ? "scope \(quote($0))" : quote($0) }
      }
      return "it says \(([quote(error)] + details).joined(separator: ", "))"
    }
  }

  /// What is asked for, and how to write that; what `auth` cannot do only if there is nothing else.
  private static func advice(_ challenges: [AuthenticationChallenge]) -> [String] {
    if challenges.isEmpty { return [] }
    let possible = challenges.filter { advice(for: $0.scheme) != nil }
    guard !possible.isEmpty else {
      let names = challenges.prefix(listed).map { CutText.cut($0.scheme, to: 40) }
      return ["it asks for \(names.joined(separator: " or ")), which auth cannot do"]
    }
    return possible.prefix(listed).compactMap { challenge in
      let details = ["realm", "scope"].compactMap { name in challenge.parameters[name].map { "\(name) \(quote($0))" } }
      return advice(for: challenge.scheme).map {
        "it asks for \(challenge.scheme)\(details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"): \($0)"
      }
    }
  }

  /// How to sign in to a server that does not say how. One that shows a page to whoever asks has a form on another.
  private static func guess(from response: Response) -> String {
    let isPage = response.contentType.map { MediaType.essence(of: $0).hasSuffix("html") } ?? false
    return isPage
      ? "the response is a page: it may want a login, which is a form sent in a profile with cookies on"
      : "it does not say which: auth bearer $env.TOKEN, auth basic …, or a login in a profile with cookies on"
  }

  /// How to write a credential of that scheme; nil for one that `auth` cannot do.
  private static func advice(for scheme: String) -> String? {
    let clause: String
    switch scheme.lowercased() {
    case "bearer": clause = "auth bearer $env.TOKEN"
    case "basic": clause = "auth basic \"user\", $env.PASSWORD"
    case "digest": clause = "auth digest \"user\", $env.PASSWORD"
    case "aws4-hmac-sha256": clause = "auth sigv4 { key: …, secret: …, region: …, service: … }"
    default: return nil
    }
    return "\(clause), in the request or in a profile"
  }

  /// How to send what one step signed in with to other origins, too.
  static let wayOutOfOwnCredential =
    "to send it there, too, declare it for a profile of that origin: secret pw = … for NAME; and write $pw"

  /// Why a text that has nothing to do with a secret may be refused.
  static let ofShortSecret = "it is short, and whatever reads like it counts as it"

  private static func quote(_ text: String) -> String { "\"\(CutText.cut(text, to: quoted))\"" }
}

extension SentCredential {
  fileprivate var isAuthorization: Bool {
    switch self {
    case .authorizationOfStep, .authorizationOfProfile: true
    case .header, .queryItem, .inBody, .cookies: false
    }
  }

  var isInBody: Bool { if case .inBody = self { true } else { false } }
}
