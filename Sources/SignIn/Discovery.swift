internal import HTTPTypes
internal import JSONValue
internal import Requests
internal import UploaderCore

/// Asks an issuer where its endpoints are (OpenID Connect Discovery 1.0, RFC 8414).
struct Discovery {
  let issuer: String
  let requests: SideRequests

  func endpoints() async throws(SignInError) -> Endpoints {
    var last: SignInError = .unusable("\(issuer) publishes no endpoints")
    for url in documents {
      let request = InMemoryRequestDescription(
        RequestHead(.get, .url(url)) { $0.headers[.accept] = "application/json" })
      let response: Response
      do {
        response = try await requests.send(.inMemory(request))
      } catch {
        throw .request(error, endpoint: url)
      }
      guard response.status.code == 200 else {
        last = .unusable(
          "\(url) responded \(response.status.code), not with the endpoints of the issuer",
          advice: "is the issuer right? or write token-url and the other endpoints")
        continue
      }
      return try endpoints(in: EndpointResponse(response, url).json(), from: url)
    }
    throw last
  }

  /// Where the document may be, the more usual place first.
  private var documents: [String] {
    let trimmed = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
    var all = ["\(trimmed)/.well-known/openid-configuration"]
    if let scheme = trimmed.firstRange(of: "://") {
      let path = trimmed[scheme.upperBound...].firstIndex(of: "/") ?? trimmed.endIndex
      all.append("\(trimmed[..<path])/.well-known/oauth-authorization-server\(trimmed[path...])")
    }
    return all
  }

  private func endpoints(in json: JSON, from url: String) throws(SignInError) -> Endpoints {
    guard let named = json["issuer"]?.string else {
      throw .unusable("\(url) does not say whose endpoints these are", advice: "it has to have \"issuer\"")
    }
    guard named == issuer else {
      throw .unusable(
        "\(url) has the endpoints of another issuer, \"\(CutText.cut(named, to: 120))\"",
        advice: "if that is the one you mean, write it exactly so: issuer: \"…\"")
    }
    func endpoint(_ name: String) throws(SignInError) -> String? {
      guard let value = json[name] else { return nil }
      guard let text = value.string else { throw .unusable("\"\(name)\" in \(url) is not a URL") }
      return try Self.checked(text, name, requests)
    }
    var endpoints = Endpoints(
      token: try endpoint("token_endpoint"), authorization: try endpoint("authorization_endpoint"),
      device: try endpoint("device_authorization_endpoint"), revocation: try endpoint("revocation_endpoint"))
    endpoints.namesIssuer = json["authorization_response_iss_parameter_supported"] == .bool(true)
    return endpoints
  }

  /// - Returns: the URL, if what is sent there can be read by nobody on the way.
  static func checked(_ url: String, _ name: String, _ requests: SideRequests) throws(SignInError) -> String {
    guard let origin = requests.origin(of: url), !url.contains("#") else {
      throw .unusable("\(name) \"\(CutText.cut(url, to: 120))\" is not a URL that can be sent to")
    }
    guard origin.scheme == .https || origin.isLoopback else {
      throw .unusable(
        "\(name) \"\(CutText.cut(url, to: 120))\" is not https",
        advice: "a secret would be readable on the way; http is possible on this machine only")
    }
    return url
  }
}
