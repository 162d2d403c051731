internal import HTTPTypes
public import Requests

extension PreparedRequest {
  /// The request that a redirect asks for; the profile is chosen again, and nothing of ours that could be secret
  /// crosses to another origin: neither credentials nor the step's own headers, and no body.
  ///
  /// - Parameter known: those that the run knows by now; other steps may have run in the meantime.
  func redirected(
    to url: String, method: HTTPRequest.Method, keepsBody: Bool, profiles: SessionProfiles, boundary: String,
    now: Duration, secrets known: Set<Secret>,
    origin originOf: (String) throws(TransportError) -> Origin
  ) throws(UploadError) -> PreparedRequest {
    let (description, profile) = (self.description, self.profile)
    var head = description.head
    head.method = method
    head.target = .url(url)
    head.query = []
    // What went into the first URL and body is not in this one; the guard checks again anyway.
    if !keepsBody { head.secrets = [] }

    let target: Origin
    do {
      target = try originOf(url)
    } catch {
      throw UploadError(.transport(error, origin: nil), in: head)
    }
    var dropped: [WithheldCredential] = []
    if target == self.origin {
      head.profile = profiles[profile] == nil ? nil : profile
    } else {
      head.profile = nil
      let parts =
        head.headers.filter { !Self.crossesOrigins($0.name) }.map { .header($0.name) }
        + (self.credential.map { [$0.part] } ?? []) + (profiles[profile]?.secretParts ?? [])
        + SecretForms.parts(
          holding: description.head.secrets, headers: head.headers, query: description.head.query,
          body: self.request.body)
      dropped = parts.map { WithheldCredential($0, origins: [OriginPattern(self.origin)]) }
      head.signer = nil
      head.digest = nil
      head.headers = HTTPFields(head.headers.filter { Self.crossesOrigins($0.name) })
    }
    var next = description
    if keepsBody {
      next.head = head
    } else {
      for name in [HTTPField.Name.contentType, .contentEncoding, .contentLength] { head.headers[name] = nil }
      next = .inMemory(InMemoryRequestDescription(head))
    }
    let prepared = try PreparedRequest(
      next, profiles: profiles, secrets: known.union(self.secrets).union(description.head.secrets), boundary: boundary,
      now: now,
      origin: originOf)
    return prepared.withholding(dropped)
  }

  /// Why the recorded response to this request, a redirect, was not followed; nil if it is not one, or was not to be
  /// followed.
  ///
  /// It is decided again by what the request allows now. A redirect that would be followed now was not followed when it
  /// came, because the limit then was the number already followed.
  ///
  /// - Parameters:
  ///   - sent: the request that got the response, after the redirects that were followed.
  ///   - hops: how many redirects were followed.
  public func refusedRedirect(
    _ response: Response, to sent: SentRequest, hops: Int, origin originOf: (String) -> Origin?
  ) -> RedirectRefusal? {
    var last = self.request
    last.url = sent.url
    if !sent.keepsBody(of: self.description.head) { last.body = nil }
    last.method = sent.method
    switch RedirectPolicy.decide(
      response, to: last, at: sent.origin, hops: hops, limit: self.redirectLimit, origin: originOf)
    {
    case .stop: return nil
    case .refuse(let refusal): return refusal
    case .follow: return .limit(hops)
    }
  }

  /// The header fields that reveal nothing about who is asking.
  private static func crossesOrigins(_ name: HTTPField.Name) -> Bool {
    [.accept, .acceptEncoding, .acceptLanguage, .range, .userAgent].contains(name)
  }

  private func withholding(_ more: [WithheldCredential]) -> PreparedRequest {
    var copy = self
    for entry in more where !copy.withheld.contains(entry) { copy.withheld.append(entry) }
    return copy
  }
}
