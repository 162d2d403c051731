internal import HTTPTypes
internal import JSONValue
internal import RequestSyntax
internal import Requests

/// Why a body whose type says JSON is not.
struct JSONFault {
  private let error: JSONSyntaxError?

  init(_ bytes: [UInt8]) {
    do {
      _ = try JSON(parsing: bytes)
      error = nil
    } catch {
      self.error = error
    }
  }

  var sentence: String { error.map { "\($0)" } ?? "it cannot be shown as JSON" }

  /// What reads it nevertheless.
  ///
  /// - Parameter text: an expression that has the text.
  func advice(text: String) -> String? { error?.advice(onLinesOf: text) }

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
