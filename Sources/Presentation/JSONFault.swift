internal import HTTPTypes
internal import JSONValue
internal import Requests

/// Why a body whose type says JSON is not.
struct JSONFault {
  let sentence: String
  /// Whether it looks like JSON lines.
  let isOfLines: Bool

  init(_ bytes: [UInt8]) {
    do {
      _ = try JSON(parsing: bytes)
      (sentence, isOfLines) = ("it cannot be shown as JSON", false)
    } catch {
      (sentence, isOfLines) = ("\(error)", error.isOfLines)
    }
  }

  /// What reads JSON lines.
  ///
  /// - Parameter text: an expression that has the text.
  static func linesAdvice(text: String) -> String {
    "\(text) | split(\"\\n\") has the lines, and parse-json reads one"
  }

  /// How much of a body is looked at, in bytes.
  private static let limit = 1 << 20

  /// What to know about the body of a request that a server did not understand.
  static func notes(onSentBodyOf exchange: Exchange) -> [String] {
    guard [400, 415, 422].contains(exchange.response.status.code), case .inMemory(let request) = exchange.description,
      let bytes = request.body?.bytes, !bytes.isEmpty, bytes.count <= limit,
      let type = exchange.firstRequest.headers[.contentType], MediaType.isJSON(type)
    else { return [] }
    do {
      _ = try JSON(parsing: bytes)
      return []
    } catch {
      let note = "the type of the body that was sent says JSON, but it is not: \(error)"
      return error.isOfLines ? [note, "JSON lines are sent with body … as \"application/x-ndjson\""] : [note]
    }
  }
}
