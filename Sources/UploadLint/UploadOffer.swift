internal import JSONValue
internal import Requests

/// What an earlier response gave to upload with: a URL with the fields of a form, or a presigned URL.
struct UploadOffer: Hashable, Sendable {
  /// As it was given.
  let url: String
  /// The URL as a script writes it: `$allocate.body.upload.url`.
  let reference: String
  /// The fields of the form, by their names in lowercase; nil: the URL is presigned and takes the bare file.
  let fields: Set<String>?

  /// The latest that the request was made from, whole or in part; nil if it is none.
  init?(for attempt: UploadAttempt, in lint: UploadLint) {
    var found: (key: String, url: String, fields: Set<String>?)?
    let source = FieldsSource(in: lint.earlier) { object in
      found = Self.found(in: object, for: attempt)
      return found != nil
    }
    guard let source, let found else { return nil }
    url = found.url
    fields = found.fields
    reference = source.reference(to: found.key)
  }

  private static func found(
    in object: JSONObject, for attempt: UploadAttempt
  ) -> (key: String, url: String, fields: Set<String>?)? {
    let urls = object.members.compactMap { member in
      member.value.string.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? (member.key, $0) : nil }
    }
    // Others may be in the same object: where to ask for the state, what to show.
    let form = urls.first { isSame($0.1, attempt.url) } ?? urls.first { $0.0.lowercased() == "url" }
    let wanted = form ?? (urls.count == 1 ? urls.first : nil)
    if let fields = fields(in: object), let (key, url) = wanted {
      let isSent = attempt.field("policy").map { $0 == fields.value("policy") } ?? false
      guard isSent || isSame(url, attempt.url) else { return nil }
      return (key, url, Set(fields.keys.map { $0.lowercased() }))
    }
    guard let signature = attempt.presignature?.value, !signature.isEmpty,
      // Whoever writes more after the URL writes it after the signature: `$url/x`.
      let (key, url) = urls.first(where: { Presignature(url: $0.1)?.value == signature })
        ?? urls.first(where: { Presignature(url: $0.1) != nil && attempt.url.hasPrefix($0.1) })
    else { return nil }
    return (key, url, nil)
  }

  /// The fields of a form: a member with a policy, or the object itself.
  private static func fields(in object: JSONObject) -> JSONObject? {
    if object.value("policy") != nil { return object }
    return object.members.lazy.compactMap(\.value.object).first { $0.value("policy") != nil }
  }

  /// Whether two URLs are the same: an empty path is `/`, and a fragment is not sent.
  static func isSame(_ first: String, _ second: String) -> Bool {
    first == second || whole(first) == whole(second)
  }

  private static func whole(_ url: String) -> String {
    let url = String(url.prefix { $0 != "#" })
    guard let start = url.firstRange(of: "://")?.upperBound, !url[start...].contains("/"), !url.contains("?") else {
      return url
    }
    return "\(url)/"
  }
}
