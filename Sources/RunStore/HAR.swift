public import JSONValue
internal import Requests
internal import UploaderCore

/// A recorded run as an HTTP Archive (HAR 1.2), which browsers and proxies read. It travels, so nothing secret is in
/// it: neither declared secrets nor presigned URLs and signatures.
public enum HAR {
  /// - Parameter version: of the program that writes it.
  public static func archive(_ steps: [RecordedStep], version: String) -> JSON {
    let entries = steps.compactMap { entry(PresignedText.dropped(from: $0)) }
    return [
      "log": [
        "version": "1.2", "creator": ["name": "workbench", "version": .string(version)], "entries": .array(entries),
      ]
    ]
  }

  private static func entry(_ step: RecordedStep) -> JSON? {
    guard let answer = step.answer else { return nil }
    var request: JSONObject = [
      "method": .string(answer.sent.method), "url": shown(answer.sent.url), "httpVersion": .string(answer.version),
      "cookies": [], "headers": headers(answer.sent.headers), "queryString": query(answer.sent.url),
      "headersSize": -1, "bodySize": ^answer.sent.bodySize,
    ]
    request["postData"] = postData(step.request)
    let response: JSON = [
      "status": ^answer.status, "statusText": .string(answer.reason), "httpVersion": .string(answer.version),
      "cookies": [], "headers": headers(answer.headers), "content": content(answer),
      "redirectURL": shown(value("location", answer.headers) ?? ""), "headersSize": -1, "bodySize": -1,
    ]
    let timings = answer.timings
    var object: JSONObject = [
      "startedDateTime": .string(DateText.make(answer.started)), "time": milliseconds(timings.total),
      "request": .object(request), "response": response, "cache": [:],
      "timings": [
        "dns": milliseconds(timings.dns), "connect": milliseconds(max(.zero, timings.connect - timings.dns)),
        "ssl": timings.tls == .zero ? -1 : milliseconds(max(.zero, timings.tls - timings.connect)), "send": 0,
        "wait": milliseconds(max(.zero, timings.firstByte - max(timings.tls, timings.connect))),
        "receive": milliseconds(max(.zero, timings.total - timings.firstByte)),
      ],
    ]
    object["comment"] = .string(step.name)
    return .object(object)
  }

  private static func postData(_ request: RecordedRequest) -> JSON? {
    let type = request.headers.first { $0.name.lowercased() == "content-type" }?.value ?? ""
    switch request.body {
    case .none: return nil
    case .bytes(let bytes):
      return ["mimeType": .string(type), "params": [], "text": shown(String(decoding: bytes, as: UTF8.self))]
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
            case .bytes(let bytes): object["value"] = shown(String(decoding: bytes, as: UTF8.self))
            case .file(let file):
              object["fileName"] = .string(part.fileName ?? RecordedRequest.File.name(of: file.path))
            }
            object["contentType"] = part.type.map(JSON.string)
            return .object(object)
          }),
      ]
    }
  }

  private static func content(_ answer: RecordedAnswer) -> JSON {
    var object: JSONObject = [
      "size": ^answer.body.count, "mimeType": .string(value("content-type", answer.headers) ?? ""),
    ]
    guard answer.body.count <= RunStore.inlineLimit, let bytes = try? answer.body.bytes() else {
      object["comment"] = "too large for this archive"
      return .object(object)
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      object["text"] = shown(text)
    } else {
      object["text"] = .string(Base64.encode(Array(SecretMarkers.display(bytes))))
      object["encoding"] = "base64"
    }
    return .object(object)
  }

  private static func headers(_ fields: [RecordedRequest.Field]) -> JSON {
    .array(fields.map { ["name": .string($0.name), "value": shown($0.value)] })
  }

  private static func query(_ url: String) -> JSON {
    guard let mark = url.firstIndex(of: "?") else { return [] }
    let items = url[url.index(after: mark)...].prefix { $0 != "#" }.split(separator: "&")
    return .array(
      items.map { item in
        let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return ["name": shown(String(pair[0])), "value": shown(pair.count == 2 ? String(pair[1]) : "")]
      })
  }

  private static func value(_ name: String, _ fields: [RecordedRequest.Field]) -> String? {
    fields.first { $0.name.lowercased() == name }?.value
  }

  private static func shown(_ text: String) -> JSON { .string(SecretMarkers.display(text)) }

  private static func milliseconds(_ duration: Duration) -> JSON { ^(Double(duration.inMicroseconds) / 1_000) }
}

extension RecordedRequest.File {
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}

/// Moments as ISO 8601 has them.
enum DateText {
  /// `2026-01-02T03:04:05.678Z`.
  ///
  /// - Parameter moment: since 1970.
  static func make(_ moment: Duration) -> String {
    let milliseconds = moment.inMicroseconds / 1_000
    let seconds = milliseconds / 1_000
    let (year, month, day) = GregorianDay.date(seconds / 86_400)
    func digits(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let clock = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map { digits($0, 2) }.joined(separator: ":")
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(clock).\(digits(milliseconds % 1_000, 3))Z"
  }
}
