internal import JSONValue
internal import Requests

// How requests and answers stand in the store: JSON texts, with bodies in columns or files of their own.

extension RecordedRequest {
  var json: JSON {
    var object: JSONObject = [
      "method": .string(method), "url": .string(url), "headers": Field.json(headers), "profile": .string(profile),
    ]
    switch body {
    case .none, .bytes: break
    case .file(let file): object["file"] = file.json
    case .parts(let parts): object["parts"] = .array(parts.map(\.json))
    }
    return .object(object)
  }

  /// - Parameter bytes: the body's column.
  init(json: JSON, bytes: [UInt8]?) throws(StoreError) {
    guard let method = json["method"]?.string, let url = json["url"]?.string, let profile = json["profile"]?.string
    else { throw .damaged("a request") }
    self.method = method
    self.url = url
    self.profile = profile
    headers = try Field.array(json["headers"])
    if let file = json["file"] {
      body = .file(try File(json: file))
    } else if let parts = json["parts"]?.array {
      var all: [Part] = []
      for part in parts { all.append(try Part(json: part)) }
      body = .parts(all)
    } else {
      body = bytes.map(Body.bytes) ?? .none
    }
  }
}

extension RecordedRequest.Field {
  static func json(_ fields: [Self]) -> JSON {
    .array(fields.map { .array([.string($0.name), .string($0.value)]) })
  }

  static func array(_ json: JSON?) throws(StoreError) -> [Self] {
    var fields: [Self] = []
    for field in json?.array ?? [] {
      guard let name = field[0]?.string, let value = field[1]?.string else { throw .damaged("a header field") }
      fields.append(Self(name: name, value: value))
    }
    return fields
  }
}

extension RecordedRequest.File {
  fileprivate var json: JSON {
    ["path": .string(path), "offset": ^offset, "count": ^count, "size": ^size, "modified": ^modified]
  }

  fileprivate init(json: JSON) throws(StoreError) {
    guard let path = json["path"]?.string, let offset = json["offset"]?.int, let count = json["count"]?.int,
      let size = json["size"]?.int, let modified = json["modified"]?.int
    else { throw .damaged("a file") }
    self.init(path: path, offset: offset, count: count, size: size, modified: modified)
  }
}

extension RecordedRequest.Part {
  fileprivate var json: JSON {
    var object: JSONObject = ["name": .string(name)]
    object["type"] = type.map(JSON.string)
    object["fileName"] = fileName.map(JSON.string)
    switch content {
    case .file(let file): object["file"] = file.json
    case .bytes(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) {
        object["text"] = .string(text)
      } else {
        object["base64"] = .string(Base64.encode(bytes))
      }
    }
    return .object(object)
  }

  fileprivate init(json: JSON) throws(StoreError) {
    guard let name = json["name"]?.string else { throw .damaged("a part of a form") }
    self.name = name
    type = json["type"]?.string
    fileName = json["fileName"]?.string
    if let file = json["file"] {
      content = .file(try RecordedRequest.File(json: file))
    } else if let text = json["text"]?.string {
      content = .bytes(Array(text.utf8))
    } else if let bytes = json["base64"]?.string.flatMap(Base64.decode) {
      content = .bytes(bytes)
    } else {
      throw .damaged("a part of a form")
    }
  }
}

extension RecordedAnswer.Sent {
  fileprivate var json: JSON {
    [
      "method": .string(method), "url": .string(url), "headers": RecordedRequest.Field.json(headers), "size": ^bodySize,
    ]
  }

  fileprivate init(json: JSON?) throws(StoreError) {
    guard let method = json?["method"]?.string, let url = json?["url"]?.string, let size = json?["size"]?.int else {
      throw .damaged("a request that was sent")
    }
    self.init(method: method, url: url, headers: try RecordedRequest.Field.array(json?["headers"]), bodySize: size)
  }
}

extension RecordedAnswer {
  var json: JSON {
    var object: JSONObject = [
      "sent": sent.json, "status": ^status, "reason": .string(reason), "version": .string(version),
      "headers": RecordedRequest.Field.json(headers), "started": ^started.inMicroseconds,
      "timings": .array(timings.phases.map { ^$0.inMicroseconds }),
    ]
    object["lostBody"] = lostBody.map { ^$0 }
    if !redirects.isEmpty {
      object["redirects"] = .array(
        redirects.map { hop in
          ["sent": hop.sent.json, "status": ^hop.status, "headers": RecordedRequest.Field.json(hop.headers)]
        })
    }
    if !failedAttempts.isEmpty {
      object["failedAttempts"] = .array(failedAttempts.map { [.string($0.reason), ^$0.wait.inMicroseconds] })
    }
    if !unmet.isEmpty {
      object["unmet"] = .array(
        unmet.map { [.string($0.subject), .string($0.expected), .string($0.actual)] })
    }
    return .object(object)
  }

  init(json: JSON, body: ResponseBody) throws(StoreError) {
    guard let status = json["status"]?.int, let reason = json["reason"]?.string,
      let version = json["version"]?.string, let started = json["started"]?.int
    else { throw .damaged("an answer") }
    sent = try Sent(json: json["sent"])
    self.status = status
    self.reason = reason
    self.version = version
    self.started = .microseconds(started)
    self.body = body
    lostBody = json["lostBody"]?.int
    headers = try RecordedRequest.Field.array(json["headers"])
    timings = Timings(phases: (json["timings"]?.array ?? []).map { .microseconds($0.int ?? 0) })
    redirects = []
    for hop in json["redirects"]?.array ?? [] {
      redirects.append(
        Hop(
          sent: try Sent(json: hop["sent"]), status: hop["status"]?.int ?? 0,
          headers: try RecordedRequest.Field.array(hop["headers"])))
    }
    failedAttempts = (json["failedAttempts"]?.array ?? []).map {
      FailedAttempt(reason: $0[0]?.string ?? "", wait: .microseconds($0[1]?.int ?? 0))
    }
    unmet = (json["unmet"]?.array ?? []).map {
      UnmetExpectation(subject: $0[0]?.string ?? "", expected: $0[1]?.string ?? "", actual: $0[2]?.string ?? "")
    }
  }
}

extension Timings {
  fileprivate var phases: [Duration] { [dns, connect, tls, firstByte, total] }

  fileprivate init(phases: [Duration]) {
    let all = phases + [Duration](repeating: .zero, count: max(0, 5 - phases.count))
    self.init(dns: all[0], connect: all[1], tls: all[2], firstByte: all[3], total: all[4])
  }
}

extension Duration {
  var inMicroseconds: Int {
    Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
  }
}
