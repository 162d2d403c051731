internal import JSONValue
internal import Requests
internal import Sessions

/// Takes what is secret out of what goes into a report: what was declared, wherever it is, and what is a credential by
/// its name, in URLs, headers and bodies.
struct ReportConcealment: Sendable {
  let secrets: KnownSecrets

  /// A line, which is not secret until it is hidden.
  func conceal(_ object: JSONObject) -> JSONObject {
    switch Outlet.reportFile.treatment {
    case .accompanied: return object
    case .hidden, .refused: break
    }
    let masked = Self.masked(object)
    // Nearly always there is nothing to hide: one search finds that.
    var bytes: [UInt8] = []
    Self.collect(.object(masked), into: &bytes)
    let all = String(decoding: bytes, as: UTF8.self)
    if secrets.redact(all) == all { return masked }
    return hidden(.object(masked)).object ?? JSONObject()
  }

  /// A text for people, as it is shown on a terminal.
  func conceal(_ text: String) -> String { secrets.redact(text) }

  /// Without the values of credentials that nobody declared.
  private static func masked(_ object: JSONObject) -> JSONObject {
    var object = object
    if let url = object["url"]?.string { object["url"] = .string(CredentialMask.url(url)) }
    if let urls = object["redirects"]?.array {
      object["redirects"] = .array(urls.map { .string(CredentialMask.url($0.string ?? "")) })
    }
    if let headers = object["headers"] { object["headers"] = masked(headers: headers) }
    if let body = object["body"] {
      object["body"] = masked(body: body, type: object["type"]?.string)
    }
    if case .object(var request)? = object["request"] {
      let headers = request["headers"]
      request["headers"] = headers.map { masked(headers: $0) }
      if let body = request["body"] { request["body"] = masked(body: body, type: contentType(in: headers)) }
      object["request"] = .object(request)
    }
    return object
  }

  private static func masked(headers: JSON) -> JSON {
    .array(
      (headers.array ?? []).map { pair in
        guard let name = pair[0]?.string, let value = pair[1]?.string else { return pair }
        return [.string(name), .string(CredentialMask.value(of: name, value))]
      })
  }

  private static func masked(body: JSON, type: String?) -> JSON {
    if case .string(let text) = body { return .string(CredentialMask.body(text, type: type ?? "")) }
    return CredentialMask.value(body)
  }

  private static func contentType(in headers: JSON?) -> String? {
    headers?.array?.first { $0[0]?.string?.lowercased() == "content-type" }?[1]?.string
  }

  private static func collect(_ json: JSON, into all: inout [UInt8]) {
    func add(_ text: String) {
      all.append(UInt8(ascii: "\n"))
      var text = text
      text.withUTF8 { all.append(contentsOf: $0) }
    }
    switch json {
    case .object(let object):
      for member in object.members {
        // Our own keys are short; those of a body may be anything.
        if member.key.utf8.count > 7 { add(member.key) }
        collect(member.value, into: &all)
      }
    case .array(let elements): for element in elements { collect(element, into: &all) }
    case .string(let text): add(text)
    case .number(let number): if number.hasMore(than: 3) { add(number.text) }
    case .bool, .null: break
    }
  }

  private func hidden(_ json: JSON) -> JSON {
    switch json {
    case .object(let object):
      return .object(JSONObject(object.members.map { (secrets.redact($0.key), hidden($0.value)) }))
    case .array(let elements): return .array(elements.map(hidden))
    case .string(let text): return .string(secrets.redact(text))
    case .number(let number):
      let text = number.description
      let shown = secrets.redact(text)
      return shown == text ? json : .string(shown)
    case .bool, .null: return json
    }
  }
}
