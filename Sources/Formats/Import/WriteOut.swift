internal import HTTPTypes
package import Presentation
package import Requests

/// What `curl -w` writes after a transfer: `%{http_code}\n`.
package struct WriteOut: Hashable {
  private enum Piece: Hashable {
    case text(String)
    case variable(Variable)
    case header(String)
  }

  private enum Variable: String, CaseIterable {
    case status = "http_code"
    case responseCode = "response_code"
    case method
    case url = "url_effective"
    case scheme
    case version = "http_version"
    case type = "content_type"
    case size = "size_download"
    case headers = "num_headers"
    case redirects = "num_redirects"
    case redirectURL = "redirect_url"
    case address = "remote_ip"
    case port = "remote_port"
    case named = "time_namelookup"
    case connected = "time_connect"
    case encrypted = "time_appconnect"
    case begun = "time_starttransfer"
    case total = "time_total"
  }

  /// One that is not known here.
  package struct UnknownVariable: Error {
    let name: String

    package var report: ErrorReport {
      let known = Variable.allCases.map(\.rawValue).joined(separator: ", ")
      return ErrorReport("-w knows no %{\(name)} here", notes: ["it knows \(known), and %header{name}"])
    }
  }

  private var pieces: [Piece] = []

  /// - Parameter format: as curl takes it.
  package init(_ format: String) throws(UnknownVariable) {
    var rest = format[...]
    var text = ""
    func braced(after prefix: String) -> Substring? {
      guard rest.hasPrefix(prefix), let end = rest.firstIndex(of: "}") else { return nil }
      defer { rest = rest[rest.index(after: end)...] }
      return rest[..<end].dropFirst(prefix.count)
    }
    func take(_ piece: Piece) {
      if !text.isEmpty { pieces.append(.text(text)) }
      text = ""
      pieces.append(piece)
    }
    while let character = rest.first {
      if let name = braced(after: "%header{") {
        take(.header(String(name)))
      } else if let name = braced(after: "%{") {
        guard let variable = Variable(rawValue: String(name)) else { throw UnknownVariable(name: String(name)) }
        take(.variable(variable))
      } else if let escape = ["\\n": "\n", "\\r": "\r", "\\t": "\t", "%%": "%"].first(where: { rest.hasPrefix($0.key) })
      {
        text += escape.value
        rest = rest.dropFirst(2)
      } else {
        text.append(character)
        rest = rest.dropFirst()
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
  }

  /// - Parameter exchange: nil: there was no response.
  package func text(for exchange: Exchange?) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .variable(let variable): Self.value(of: variable, exchange)
      case .header(let name): HTTPField.Name(name).flatMap { exchange?.response.headers[$0] } ?? ""
      }
    }.joined()
  }

  private static func value(of variable: Variable, _ exchange: Exchange?) -> String {
    guard let exchange else { return [.status, .responseCode].contains(variable) ? "000" : "" }
    let (request, response) = (exchange.request, exchange.response)
    func seconds(_ time: Duration) -> String {
      let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
      let fraction = "\(microseconds % 1_000_000)"
      return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
    let address = exchange.connection.address ?? ""
    let colon = address.lastIndex(of: ":")
    return switch variable {
    case .status, .responseCode: "\(response.status.code)"
    case .method: request.method.rawValue
    case .url: request.url
    case .scheme: request.origin.scheme.rawValue
    case .version: String(response.version.drop { $0 != "/" }.dropFirst())
    case .type: response.headers[.contentType] ?? ""
    case .size: "\(response.body.count)"
    case .headers: "\(response.headers.count)"
    case .redirects: "\(exchange.redirects.count)"
    case .redirectURL:
      response.status.kind == .redirection
        ? response.headers[.location].map { URLReference.resolve($0, against: request.url) } ?? "" : ""
    case .address: colon.map { String(address[..<$0]).filter { !"[]".contains($0) } } ?? address
    case .port: colon.map { String(address[address.index(after: $0)...]) } ?? ""
    case .named: seconds(exchange.timings.dns)
    case .connected: seconds(exchange.timings.connect)
    case .encrypted: seconds(exchange.timings.tls)
    case .begun: seconds(exchange.timings.firstByte)
    case .total: seconds(exchange.timings.total)
    }
  }
}
