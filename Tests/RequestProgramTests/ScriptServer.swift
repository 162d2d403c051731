import LoopbackServer
import Synchronization

/// A server for one script: it responds as instructed, and keeps what it was sent.
final class ScriptServer: Sendable {
  struct Request: Sendable {
    var head: String
    var body: [UInt8]

    var method: String { String(head.prefix { $0 != " " }) }
    /// Path and query.
    var target: String { head.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init) ?? "" }
    var path: String { String(target.prefix { $0 != "?" }) }
    /// `PUT /x?a=1`
    var line: String { "\(method) \(target)" }
    var text: String { String(decoding: body, as: UTF8.self) }
    /// Head and body, as they came.
    var whole: String { head + text }

    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix("\(name.lowercased()):") }.map {
        String($0.dropFirst(name.utf8.count + 1).drop { $0 == " " })
      }
    }
  }

  struct Answer: Sendable {
    var status = "200 OK"
    var headers: [String] = []
    var body = ""

    static func json(_ body: String, status: String = "200 OK", headers: [String] = []) -> Answer {
      Answer(status: status, headers: headers + ["Content-Type: application/json"], body: body)
    }
  }

  private final class Log: Sendable {
    let requests = Mutex<[Request]>([])
  }

  private let server: LoopbackServer
  private let log: Log

  /// - Parameter answer: the response to a request, given how many came before it.
  init(_ answer: @escaping @Sendable (Request, Int) -> Answer) throws {
    let log = Log()
    self.log = log
    server = try LoopbackServer { connection in
      while let (head, body) = try connection.readRequest() {
        let request = Request(head: head, body: body)
        let number = log.requests.withLock { requests in
          requests.append(request)
          return requests.count - 1
        }
        let answer = answer(request, number)
        if request.method == "HEAD" || answer.status.hasPrefix("204") {
          let fields = answer.headers.map { "\($0)\r\n" }.joined()
          try connection.send("HTTP/1.1 \(answer.status)\r\n\(fields)\r\n")
        } else {
          try connection.respond(answer.status, headers: answer.headers, body: answer.body)
        }
      }
    }
  }

  var url: String { server.url }
  var requests: [Request] { log.requests.withLock { $0 } }
  var lines: [String] { requests.map(\.line) }
}
