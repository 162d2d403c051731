internal import JSONValue
package import Requests

/// The events of an event stream as a line of JSON each, `{"event":…,"id":…,"data":…}`, for programs that read JSON.
package struct EventLines: Sendable {
  private var values = StreamValues(.events)

  /// Nothing has come yet.
  ///
  /// - Returns: nil: the response has no events.
  package init?(of response: Response) {
    guard response.streamKind == .events else { return nil }
  }

  /// - Returns: the lines of the events that these bytes complete.
  package mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    while !rest.isEmpty { rest = rest.dropFirst(values.read(rest).count) }
    defer { values.forget() }
    return values.values.flatMap { JSONPrinter.compact.print($0) + [UInt8(ascii: "\n")] }
  }

  /// The same stream in another connection.
  package mutating func startAgain() {
    values.startAgain()
  }
}
