internal import HTTPTypes
internal import JSONValue
internal import Requests
internal import RunStore

/// The headers, bodies and phases of an exchange, for reports that show them.
enum StepDetails {
  /// The most that is shown of a body, in bytes.
  static let bodyLimit = 16 << 10

  /// - Parameter sent: what was sent.
  static func members(of exchange: Exchange, _ sent: RequestDescription) -> JSONObject {
    let response = exchange.response
    var request: JSONObject = [
      "headers": headers(exchange.request.headers), "size": ^exchange.request.bodySize,
    ]
    if exchange.request.keepsBody(of: exchange.description.head) { request["body"] = body(of: sent) }
    var object: JSONObject = [
      "request": .object(request), "headers": headers(response.headers),
      "timings": members(of: exchange.timings),
    ]
    object["body"] = text(of: response)
    return object
  }

  private static func body(of sent: RequestDescription) -> JSON? {
    switch sent {
    case .inMemory(let description):
      guard let bytes = description.body?.bytes, bytes.count <= bodyLimit else { return nil }
      return String(validating: bytes, as: UTF8.self).map(JSON.string)
    case .stream, .multipart: return nil
    }
  }

  /// The text of a body that is one; nothing if it is long.
  private static func text(of response: Response) -> JSON? {
    guard !response.body.isEmpty, response.body.count <= bodyLimit, let bytes = try? response.body.bytes() else {
      return nil
    }
    return String(validating: bytes, as: UTF8.self).map(JSON.string)
  }

  private static func headers(_ fields: HTTPFields) -> JSON {
    .array(fields.map { [.string($0.name.rawName), .string($0.value)] })
  }

  private static func milliseconds(_ duration: Duration) -> JSON { FileReporter.milliseconds(duration) }

  /// The same of a recorded step, without anything that stands for a secret.
  static func members(of step: RecordedStep) -> JSONObject {
    let sent = step.lastSent
    var request: JSONObject = ["headers": headers(sent.headers)]
    if case .bytes(let bytes) = step.body(sentWith: sent), bytes.count <= bodyLimit {
      request["body"] = String(validating: bytes, as: UTF8.self).map(JSON.string)
    }
    var object: JSONObject = ["request": .object(request)]
    guard let response = step.response else { return object }
    object["headers"] = headers(response.headers)
    object["timings"] = members(of: response.timings)
    if !response.body.isEmpty, response.body.count <= bodyLimit, let bytes = try? response.body.bytes() {
      object["body"] = String(validating: bytes, as: UTF8.self).map(JSON.string)
    }
    return object
  }

  private static func headers(_ fields: [RecordedRequest.Field]) -> JSON {
    .array(fields.map { [.string($0.name), .string($0.value)] })
  }

  private static func members(of timings: Timings) -> JSON {
    [
      "dns": milliseconds(timings.dns), "connect": milliseconds(timings.connect), "tls": milliseconds(timings.tls),
      "sent": milliseconds(timings.sent), "first-byte": milliseconds(timings.firstByte),
      "total": milliseconds(timings.total),
    ]
  }
}
