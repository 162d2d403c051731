internal import HTTPTypes
internal import Requests
internal import UploaderCore

extension RecordedResponse {
  /// The exchange as it was, with its secrets in their places.
  ///
  /// - Parameters:
  ///   - recorded: the request that it is the response to.
  ///   - prepared: the same, made again.
  func exchange(
    of recorded: RecordedRequest, _ prepared: PreparedRequest, _ markers: SecretMarkers
  ) throws(RecallFailure) -> Exchange {
    let markers = markers.reading(recorded.madeSecretNames(in: RecordedRequest(prepared, markers)))
    let request = try sent.request(prepared.origin, markers)
    var hops: [RedirectHop] = []
    for hop in redirects {
      hops.append(
        RedirectHop(
          request: try hop.sent.request(prepared.origin, markers),
          response: Response(
            status: .init(code: hop.status), headers: try RecordedRequest.Field.revealed(hop.headers, markers))))
    }
    let response = Response(
      status: .init(code: status, reasonPhrase: try RecordedRequest.Field.revealed(reason, markers)), version: version,
      headers: try RecordedRequest.Field.revealed(headers, markers), body: try revealedBody(markers))
    return Exchange(
      description: prepared.description, request: request, response: response, timings: timings,
      profile: prepared.profile, withheld: prepared.withheld, started: started, redirects: hops,
      refusedRedirect: prepared.refusedRedirect(response, to: request, hops: hops.count, origin: Self.origin(of:)),
      failedAttempts: failedAttempts, token: token)
  }

  /// The part of a URL that says where it leads.
  fileprivate static func origin(of url: String) -> Origin? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    return try? Origin(String(url[..<(url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex)]))
  }

  /// A large body is used directly from its file, unless a secret has to be filled in.
  private func revealedBody(_ markers: SecretMarkers) throws(RecallFailure) -> ResponseBody {
    do {
      if body.count > RunStore.inlineLimit {
        var hasMarker = false
        try body.forEachChunk { chunk throws(Never) in hasMarker = hasMarker || chunk.contains(1) }
        if !hasMarker { return body }
      }
      return ResponseBody(try markers.reveal(try body.bytes()))
    } catch let error as UnfilledMarkers {
      throw .unfilled(error)
    } catch {
      throw .store(.damaged("a body: \(error)"))
    }
  }
}

/// Why an exchange cannot be made from what is stored.
enum RecallFailure: Error {
  case unfilled(UnfilledMarkers)
  case store(StoreError)
}

extension RecordedResponse.Sent {
  fileprivate func request(_ fallback: Origin, _ markers: SecretMarkers) throws(RecallFailure) -> SentRequest {
    let url = try RecordedRequest.Field.revealed(url, markers)
    let origin = RecordedResponse.origin(of: url) ?? fallback
    // A token or a digest of then proves nothing now, and nobody has it any more.
    let headers = headers.map { field in
      guard field.name.lowercased() == "authorization", (try? markers.reveal(field.value)) == nil else { return field }
      return RecordedRequest.Field(name: field.name, value: SecretMarkers.display(field.value))
    }
    return SentRequest(
      method: HTTPRequest.Method(method) ?? .get, url: url, origin: origin,
      headers: try RecordedRequest.Field.revealed(headers, markers), bodySize: bodySize)
  }
}

extension RecordedRequest.Field {
  fileprivate static func revealed(_ text: String, _ markers: SecretMarkers) throws(RecallFailure) -> String {
    do throws(UnfilledMarkers) {
      return try markers.reveal(text)
    } catch {
      throw .unfilled(error)
    }
  }

  fileprivate static func revealed(_ fields: [Self], _ markers: SecretMarkers) throws(RecallFailure) -> HTTPFields {
    var all: HTTPFields = [:]
    for field in fields {
      guard let name = HTTPField.Name(try revealed(field.name, markers)) else { continue }
      all.append(HTTPField(name: name, value: try revealed(field.value, markers)))
    }
    return all
  }
}
