internal import JSONValue
internal import Requests

// How requests and answers stand in the store: JSON texts, with bodies in columns or files of their own.

extension RecordedRequest {
  func write(to writer: inout RecordWriter) {
    writer.object { object in
      object.member("method", method)
      object.member("url", url)
      object.name("headers")
      object.fields(headers)
      object.member("profile", profile)
      switch body {
      case .none, .bytes: break
      case .file(let file):
        object.name("file")
        file.write(to: &object)
      case .parts(let parts):
        object.name("parts")
        object.array { for part in parts { part.write(to: &$0) } }
      }
    }
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
  fileprivate func write(to writer: inout RecordWriter) {
    writer.object { object in
      object.member("path", path)
      object.member("offset", offset)
      object.member("count", count)
      object.member("size", size)
      object.member("modified", modified)
    }
  }

  fileprivate init(json: JSON) throws(StoreError) {
    guard let path = json["path"]?.string, let offset = json["offset"]?.int, let count = json["count"]?.int,
      let size = json["size"]?.int, let modified = json["modified"]?.int
    else { throw .damaged("a file") }
    self.init(path: path, offset: offset, count: count, size: size, modified: modified)
  }
}

extension RecordedRequest.Part {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.object { object in
      object.member("name", name)
      if let type {
        object.member("type", type)
      }
      if let fileName {
        object.member("fileName", fileName)
      }
      switch content {
      case .file(let file):
        object.name("file")
        file.write(to: &object)
      case .bytes(let bytes):
        if let text = String(validating: bytes, as: UTF8.self) {
          object.member("text", text)
        } else {
          object.member("base64", Base64.encode(bytes))
        }
      }
    }
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
  fileprivate func write(to writer: inout RecordWriter) {
    writer.object { object in
      object.member("method", method)
      object.member("url", url)
      object.name("headers")
      object.fields(headers)
      object.member("size", bodySize)
    }
  }

  fileprivate init(json: JSON?) throws(StoreError) {
    guard let method = json?["method"]?.string, let url = json?["url"]?.string, let size = json?["size"]?.int else {
      throw .damaged("a request that was sent")
    }
    self.init(method: method, url: url, headers: try RecordedRequest.Field.array(json?["headers"]), bodySize: size)
  }
}

extension RecordedAnswer {
  func write(to writer: inout RecordWriter) {
    writer.object { object in
      object.name("sent")
      sent.write(to: &object)
      object.member("status", status)
      object.member("reason", reason)
      object.member("version", version)
      object.name("headers")
      object.fields(headers)
      object.member("started", started.inMicroseconds)
      object.name("timings")
      object.array { for phase in timings.phases { $0.number(phase.inMicroseconds) } }
      if let lostBody {
        object.member("lostBody", lostBody)
      }
      writeRare(to: &object)
    }
  }

  /// What most answers do not have.
  private func writeRare(to object: inout RecordWriter) {
    if !redirects.isEmpty {
      object.name("redirects")
      object.array { list in
        for hop in redirects {
          list.object { object in
            object.name("sent")
            hop.sent.write(to: &object)
            object.member("status", hop.status)
            object.name("headers")
            object.fields(hop.headers)
          }
        }
      }
    }
    if !failedAttempts.isEmpty {
      object.name("failedAttempts")
      object.array { list in
        for attempt in failedAttempts {
          list.array {
            $0.string(attempt.reason)
            $0.number(attempt.wait.inMicroseconds)
          }
        }
      }
    }
    if !unmet.isEmpty {
      object.name("unmet")
      object.array { list in
        for expectation in unmet {
          list.array {
            $0.string(expectation.subject)
            $0.string(expectation.expected)
            $0.string(expectation.actual)
          }
        }
      }
    }
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

extension RecordedRequest {
  /// As it stands in the store, but for a body of bytes.
  var stored: [UInt8] {
    var writer = RecordWriter()
    write(to: &writer)
    return writer.bytes
  }
}

extension RecordedAnswer {
  /// As it stands in the store, but for the body.
  var stored: [UInt8] {
    var writer = RecordWriter()
    write(to: &writer)
    return writer.bytes
  }
}
