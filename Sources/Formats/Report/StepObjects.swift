package import Diagnostics
internal import HTTPTypes
internal import JSONValue
internal import Presentation
package import Requests
package import UploaderCore

/// The steps of a run as JSON objects for programs, each on a line of its own.
package struct StepObjects: StepWriter {
  private let printer: Printer
  /// Whether headers and bodies are in them.
  private let isWhole: Bool

  package init(_ printer: Printer, isWhole: Bool) {
    self.printer = printer
    self.isWhole = isWhole
  }

  package func write(_ exchange: Exchange, number: Int?, isRecorded: Bool) {
    print(StepReport(exchange, isWhole: isWhole, isRecorded: isRecorded))
  }

  /// Only the last round of a step is reported.
  package func write(round exchange: Exchange, number: Int?, isRecorded: Bool) {}

  package func write(failed exchange: Exchange, number: Int?, unmet: [UnmetExpectation], isBrief: Bool) {
    print(StepReport(exchange, unmet: unmet, isWhole: isWhole))
  }

  /// Its object names the request, and a script says where it saves.
  package func write(savedBodyOf exchange: Exchange) {}

  /// Programs read about a step that got no response in the same place as about the others.
  package func write(unanswered error: UploadError, message: String) {
    print(StepReport(error, message: message))
  }

  package func write(skipped label: String?, reason: String) {
    print(StepReport(skipped: label, reason: reason))
  }

  package func write(problem message: String, at place: Diagnostic?) {
    print(StepReport(problem: message, at: place))
  }

  private func print(_ report: StepReport) {
    printer.json(String(decoding: JSONPrinter.compact.print(report.json), as: UTF8.self))
  }
}

/// What happened in a step as one JSON object.
struct StepReport {
  private(set) var json: JSON

  /// - Parameters:
  ///   - unmet: the expectations that were not met.
  ///   - isWhole: with headers and bodies.
  ///   - isRecorded: whether the response is from an earlier run.
  init(_ exchange: Exchange, unmet: [UnmetExpectation] = [], isWhole: Bool, isRecorded: Bool = false) {
    let head = exchange.description.head
    let response = exchange.response
    var object = Self.start(ok: unmet.isEmpty, number: head.number, label: head.label)
    if isRecorded { object["recorded"] = true }
    object["method"] = .string(exchange.request.method.rawValue)
    object["url"] = .string(exchange.request.url)
    object["profile"] = .string(exchange.profile)
    object["status"] = .number(JSONNumber(response.status.code))
    object["protocol"] = .string(response.version)
    object["time"] = Self.milliseconds(exchange.timings.total)
    object["size"] = .number(JSONNumber(response.body.count))
    object["type"] = response.contentType.map(JSON.string)
    object["rounds"] = head.round.map { .number(JSONNumber($0)) }
    object["certificate"] = exchange.connection.certificate?.json
    if !exchange.failedAttempts.isEmpty {
      object["failed-attempts"] = .array(exchange.failedAttempts.map { .string($0.reason) })
    }
    if !exchange.redirects.isEmpty {
      object["redirects"] = .array(exchange.redirects.map { .string($0.request.url) })
    }
    object["withheld"] = Self.withheld(exchange.withheld)
    object["signed-in"] = exchange.token?.json
    if head.expectations > 0 { object["expectations"] = .number(JSONNumber(head.expectations)) }
    if !unmet.isEmpty {
      object["unmet"] = .array(
        unmet.map { ["subject": .string($0.subject), "expected": .string($0.expected), "actual": .string($0.actual)] })
    }
    if isWhole {
      object["request"] = [
        "headers": Self.headers(exchange.request.headers), "size": .number(JSONNumber(exchange.request.bodySize)),
      ]
    }
    if isWhole || !unmet.isEmpty {
      object["headers"] = Self.headers(response.headers)
      object["body"] = Self.body(of: response)
    }
    json = .object(object)
  }

  init(skipped label: String?, reason: String) {
    var object = JSONObject([("ok", true)])
    object["label"] = label.map(JSON.string)
    object["skipped"] = .string(reason)
    json = .object(object)
  }

  /// What keeps a run from beginning.
  init(problem message: String, at place: Diagnostic?) {
    var object = JSONObject([("ok", false), ("error", .string(message))])
    if let place {
      let location = place.source.location(of: place.range.lowerBound)
      object["file"] = .string(place.source.name)
      object["line"] = ^location.line
      object["column"] = ^location.column
    }
    json = .object(object)
  }

  /// A step that got no response.
  init(_ error: UploadError, message: String) {
    var object = Self.start(ok: false, number: error.step?.number, label: error.step?.label)
    object["error"] = .string(message)
    object["outcome"] = .string("\(error.outcome)")
    object["withheld"] = Self.withheld(error.withheld)
    json = .object(object)
  }

  private static func start(ok: Bool, number: Int?, label: String?) -> JSONObject {
    var object = JSONObject([("ok", .bool(ok))])
    object.members.reserveCapacity(16)
    object["number"] = number.map { .number(JSONNumber($0)) }
    object["label"] = label.map(JSON.string)
    return object
  }

  private static func withheld(_ credentials: [WithheldCredential]) -> JSON? {
    credentials.isEmpty ? nil : .array(credentials.map { .string($0.label) })
  }

  private static func headers(_ fields: HTTPFields) -> JSON {
    .array(fields.map { [.string($0.name.rawName), .string($0.value)] })
  }

  /// JSON as it is, a text as a string; nothing if it is neither, or larger than what is printed of a body.
  private static func body(of response: Response) -> JSON? {
    guard response.body.count <= ExchangeRenderer.Limit().bytes, let bytes = try? response.body.bytes() else {
      return nil
    }
    if response.isJSON, let json = try? JSON(parsing: bytes) { return json }
    return String(validating: bytes, as: UTF8.self).map(JSON.string)
  }

  private static func milliseconds(_ duration: Duration) -> JSON {
    JSONNumber(Double(duration.wholeMicroseconds) / 1_000).map(JSON.number) ?? .null
  }
}
