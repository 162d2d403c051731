import JSONValue
import NIOHTTP1

/// What is returned for a request.
struct Response: Sendable {
  enum Content: Sendable {
    case none
    case bytes([UInt8])
    /// This many bytes from the start of a file.
    case file(OpenFile, size: Int)
    /// Server-sent events: those after this one, five at most, one after another.
    case events(after: Int)
    /// There is no response: the connection ends instead.
    case dropped
  }

  var status: HTTPResponseStatus
  var headers: [(String, String)] = []
  var content = Content.none

  /// How many bytes the content has.
  var contentLength: Int {
    switch content {
    case .none, .events, .dropped: 0
    case .bytes(let bytes): bytes.count
    case .file(_, let size): size
    }
  }
}

extension Response {
  /// How many events come before the connection has to be made again.
  static let eventsAtOnce = 5

  /// Whether its content comes bit by bit.
  var isStream: Bool { if case .events = content { true } else { false } }

  static func json(_ status: HTTPResponseStatus, _ json: JSON) -> Response {
    .text(status, type: "application/json", "\(json)\n")
  }

  static func text(
    _ status: HTTPResponseStatus, type: String, _ text: String, headers: [(String, String)] = []
  ) -> Response {
    Response(status: status, headers: [("Content-Type", type)] + headers, content: .bytes(Array(text.utf8)))
  }
}
