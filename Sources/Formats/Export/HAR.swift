package import JSONValue
internal import Requests
package import RunStore
internal import UploaderCore

/// A recorded run as an HTTP Archive (HAR 1.2), which browsers and proxies read. It leaves this machine, so nothing
/// secret is in it: no declared secret, no presigned URL or signature, and no undeclared credential such as a cookie, a
/// literal `Authorization` or a `password` in a form, wherever else the same text appears.
package enum HAR {
  /// - Parameter version: the version of the program that writes it.
  package static func archive(_ steps: [RecordedStep], version: String) -> JSON {
    var writer = Writer()
    return [
      "log": [
        "version": "1.2", "creator": ["name": "workbench", "version": .string(version)],
        "entries": .array(writer.entries(steps)),
      ]
    ]
  }

  /// An archive up to its first entry; its end is `]}}`.
  static func beginning(version: String) -> String {
    let creator: JSON = ["name": "workbench", "version": .string(version)]
    return
      "{\"log\":{\"version\":\"1.2\",\"creator\":\(String(decoding: JSONPrinter.compact.print(creator), as: UTF8.self)),\"entries\":["
  }

  /// Makes the entries of one run after another: a credential is hidden in the run that it appears in and in all after
  /// it.
  struct Writer: Sendable {
    private var known: Set<Secret> = []

    mutating func entries(_ steps: [RecordedStep]) -> [JSON] {
      let steps = steps.map { PresignedText.dropped(from: $0.showingMarkers) }
      known.formUnion(HAR.credentials(in: steps))
      var writer = HAREntryWriter(Redactor(known))
      return steps.flatMap { writer.entries($0) }
    }
  }

  /// What is hidden wherever it appears; shorter texts are hidden only where their name precedes them.
  private static func credentials(in steps: [RecordedStep]) -> Set<Secret> {
    var texts: Set<String> = []
    var seen: Set<RecordedRequest.Field> = []
    for step in steps {
      let sent = step.response.map { [$0.sent] + $0.redirects.map(\.sent) } ?? []
      let answered = step.response.map { [$0.headers] + $0.redirects.map(\.headers) } ?? []
      for field in ([step.request.headers] + sent.map(\.headers) + answered).joined() where seen.insert(field).inserted
      {
        texts.formUnion(CredentialNames.values(of: field.name, field.value).map(String.init))
      }
      for url in [step.request.url] + sent.map(\.url) {
        texts.formUnion(decoded(CredentialNames.items(ofURL: url)))
      }
      switch step.request.body {
      case .none, .file: break
      case .bytes(let bytes):
        if let json = try? JSON(parsing: bytes) {
          texts.formUnion(CredentialNames.values(in: json))
        } else if let text = String(validating: bytes, as: UTF8.self), text.contains("=") {
          texts.formUnion(decoded(CredentialNames.items(of: text)))
        }
      case .parts(let parts):
        for part in parts where CredentialNames.contains(part.name) {
          if case .bytes(let bytes) = part.content { texts.insert(String(decoding: bytes, as: UTF8.self)) }
        }
      }
      if let response = step.response, response.body.count <= RunStore.inlineLimit,
        let bytes = try? response.body.bytes(), SensitiveName.mayOccur(inJSON: bytes)
      {
        if let json = try? JSON(parsing: bytes) {
          texts.formUnion(CredentialNames.values(in: json))
        } else if CredentialNames.isForm(response.type) {
          texts.formUnion(decoded(CredentialNames.items(of: String(decoding: bytes, as: UTF8.self))))
        }
      }
    }
    for text in texts {
      // The password of `Basic`.
      guard let pair = Base64.decode(text), let colon = pair.firstIndex(of: UInt8(ascii: ":")) else { continue }
      if let password = String(validating: pair[(colon + 1)...], as: UTF8.self) { texts.insert(password) }
    }
    return Set(texts.filter { $0.utf8.count >= 8 }.map { Secret($0, name: "a credential", for: []) })
  }

  /// Credentials among the items, both as written and decoded.
  private static func decoded(_ items: [(name: String, value: String)]) -> [String] {
    items.filter { CredentialNames.contains($0.name) }.flatMap {
      [$0.value, String(decoding: PercentEncoding.decode($0.value.replacing("+", with: " ")), as: UTF8.self)]
    }
  }
}

extension RecordedResponse {
  fileprivate var type: String { headers.first { $0.isNamed("content-type") }?.value ?? "" }
}

/// Writes steps as entries of an archive, without the values of credentials.
private struct HAREntryWriter {
  private let redactor: Redactor
  /// Most fields of a run are the same in each request, or in each response.
  private var fields: [RecordedRequest.Field: JSON] = [:]

  init(_ redactor: Redactor) {
    self.redactor = redactor
  }

  /// One for each request that got a response: those that were redirected, then the last.
  mutating func entries(_ step: RecordedStep) -> [JSON] {
    guard let response = step.response else { return [] }
    var entries: [JSON] = []
    for hop in response.redirects { entries.append(entry(of: hop, before: response, in: step)) }
    return entries + [entry(of: response, in: step)]
  }

  /// Of a redirect, neither the version and the body of the response nor the time it took is recorded.
  private mutating func entry(
    of hop: RecordedResponse.Hop, before response: RecordedResponse, in step: RecordedStep
  ) -> JSON {
    let type = hop.headers.first { $0.isNamed("content-type") }?.value ?? ""
    return [
      "startedDateTime": .string(CivilTime(response.started).rfc3339Milliseconds), "time": 0,
      "request": request(hop.sent, "", in: step),
      "response": received(
        hop.status, "", "", hop.headers,
        content: ["size": 0, "mimeType": .string(type), "comment": "of a redirect, it is not recorded"]),
      "cache": [:], "timings": ["send": 0, "wait": 0, "receive": 0], "comment": shown(step.name),
    ]
  }

  private mutating func request(_ sent: RecordedResponse.Sent, _ version: String, in step: RecordedStep) -> JSON {
    var request: JSONObject = [
      "method": .string(sent.method), "url": url(sent.url), "httpVersion": .string(version),
      "cookies": sentCookies(sent.headers), "headers": headers(sent.headers),
      "queryString": query(sent.url), "headersSize": -1, "bodySize": ^sent.bodySize,
    ]
    request["postData"] = postData(
      step.body(sentWith: sent), type: step.request.headers.first { $0.isNamed("content-type") }?.value ?? "")
    return .object(request)
  }

  private mutating func received(
    _ status: Int, _ reason: String, _ version: String, _ fields: [RecordedRequest.Field], content: JSON
  ) -> JSON {
    [
      "status": ^status, "statusText": shown(reason), "httpVersion": .string(version),
      "cookies": setCookies(fields), "headers": headers(fields), "content": content,
      "redirectURL": url(fields.first { $0.isNamed("location") }?.value ?? ""), "headersSize": -1,
      "bodySize": -1,
    ]
  }

  private mutating func entry(of response: RecordedResponse, in step: RecordedStep) -> JSON {
    let request = request(response.sent, response.version, in: step)
    let received = received(
      response.status, response.reason, response.version, response.headers, content: content(response))
    let timings = response.timings
    var object: JSONObject = [
      "startedDateTime": .string(CivilTime(response.started).rfc3339Milliseconds), "time": milliseconds(timings.total),
      "request": request, "response": received, "cache": [:],
      "timings": [
        "dns": milliseconds(timings.dns), "connect": milliseconds(max(.zero, timings.connect - timings.dns)),
        "ssl": timings.tls == .zero ? -1 : milliseconds(max(.zero, timings.tls - timings.connect)), "send": 0,
        "wait": milliseconds(max(.zero, timings.firstByte - max(timings.tls, timings.connect))),
        "receive": milliseconds(max(.zero, timings.total - timings.firstByte)),
      ], "comment": shown(step.name),
    ]
    // A member that others ignore (HAR 1.2: custom ones begin with an underscore).
    object["_signedIn"] = response.token.map { token in
      var signedIn: JSONObject = ["by": shown(token.origin)]
      signedIn["until"] = token.expires.map { .string(CivilTime($0).rfc3339) }
      return .object(signedIn)
    }
    return .object(object)
  }

  private func postData(_ body: RecordedRequest.Body, type: String) -> JSON? {
    switch body {
    case .none: return nil
    case .bytes(let bytes):
      var text = String(decoding: bytes, as: UTF8.self)
      if CredentialNames.isForm(type) { text = CredentialMask.items(text) }
      return ["mimeType": .string(type), "params": [], "text": shown(CredentialMask.json(text))]
    case .file(let file):
      return [
        "mimeType": .string(type), "text": "",
        "params": [["name": "", "fileName": .string(RecordedRequest.File.name(of: file.path))]],
      ]
    case .parts(let parts):
      return [
        "mimeType": .string(type), "text": "",
        "params": .array(
          parts.map { part in
            var object: JSONObject = ["name": shown(part.name)]
            switch part.content {
            case .bytes(let bytes):
              let text = String(decoding: bytes, as: UTF8.self)
              object["value"] =
                CredentialNames.contains(part.name) ? .string(CredentialMask.text) : shown(CredentialMask.json(text))
            case .file(let file):
              object["fileName"] = .string(part.fileName ?? RecordedRequest.File.name(of: file.path))
            }
            object["contentType"] = part.type.map(JSON.string)
            return .object(object)
          }),
      ]
    }
  }

  private func content(_ response: RecordedResponse) -> JSON {
    var object: JSONObject = [
      "size": ^response.body.count, "mimeType": .string(response.type),
    ]
    if let size = response.lostBody {
      object["size"] = ^size
      object["comment"] = "it was not kept: the disk was full"
      return .object(object)
    }
    guard response.body.count <= RunStore.inlineLimit, let bytes = try? response.body.bytes() else {
      object["comment"] = "too large for this archive"
      return .object(object)
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      object["text"] =
        CredentialNames.isForm(response.type) ? shown(CredentialMask.items(text)) : shown(CredentialMask.json(text))
    } else {
      let (encoded, text) = (Base64.encode(bytes), String(decoding: bytes, as: UTF8.self))
      guard redactor.redact(encoded) == encoded, redactor.redact(text) == text
      else {
        object["comment"] = "it is not text, and it contains a secret"
        return .object(object)
      }
      object["text"] = .string(encoded)
      object["encoding"] = "base64"
    }
    return .object(object)
  }

  // MARK: Heads

  private mutating func headers(_ fields: [RecordedRequest.Field]) -> JSON {
    .array(fields.map { header($0) })
  }

  private mutating func header(_ field: RecordedRequest.Field) -> JSON {
    if let known = fields[field] { return known }
    let made: JSON = ["name": .string(field.name), "value": shown(CredentialMask.value(of: field.name, field.value))]
    if fields.count < 10_000 { fields[field] = made }
    return made
  }

  private func sentCookies(_ fields: [RecordedRequest.Field]) -> JSON {
    .array(fields.filter { $0.isNamed("cookie") }.flatMap { $0.value.split(separator: ";").map(cookie) })
  }

  private func setCookies(_ fields: [RecordedRequest.Field]) -> JSON {
    .array(fields.filter { $0.isNamed("set-cookie") }.map { cookie($0.value.prefix { $0 != ";" }) })
  }

  private func cookie(_ pair: Substring) -> JSON {
    ["name": shown(String(pair.prefix { $0 != "=" }.drop { $0 == " " })), "value": .string(CredentialMask.text)]
  }

  private func query(_ url: String) -> JSON {
    guard let start = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
    return .array(
      CredentialNames.items(of: url[start...].dropFirst().prefix { $0 != "#" }).map { name, value in
        ["name": shown(name), "value": CredentialNames.contains(name) ? .string(PresignedText.mark) : shown(value)]
      })
  }

  private func url(_ text: String) -> JSON { shown(CredentialMask.url(text)) }

  // MARK: Texts

  private func shown(_ text: String) -> JSON { .string(redactor.redact(text)) }

  private func milliseconds(_ duration: Duration) -> JSON { ^(Double(duration.wholeMicroseconds) / 1_000) }
}
