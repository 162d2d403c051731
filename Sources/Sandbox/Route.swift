/// The path of a route: `/sheets/{sheet}/snapshots/{uid}`; a final `{name...}` takes the rest, including slashes.
struct PathPattern: Hashable, Sendable, ExpressibleByStringInterpolation {
  private enum Segment: Hashable {
    case text(Substring)
    case parameter(String)
    case rest(String)
  }

  private var segments: [Segment]

  init(stringLiteral text: String) {
    segments = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
      guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return .text(segment) }
      let name = segment.dropFirst().dropLast()
      return name.hasSuffix("...") ? .rest(String(name.dropLast(3))) : .parameter(String(name))
    }
  }

  /// The still encoded parameters of a path that matches; nil if it does not. No parameter is empty.
  func match(_ path: Substring) -> [String: Substring]? {
    guard path.hasPrefix("/") else { return nil }
    var parameters: [String: Substring] = [:]
    var rest: Substring? = path.dropFirst()
    for segment in segments {
      guard let current = rest else { return nil }
      if case .rest(let name) = segment {
        parameters[name] = current
        return current.isEmpty ? nil : parameters
      }
      let piece = current.prefix { $0 != "/" }
      rest = piece.endIndex == current.endIndex ? nil : current[current.index(after: piece.endIndex)...]
      switch segment {
      case .text(let text): guard piece == text else { return nil }
      case .parameter(let name):
        guard !piece.isEmpty else { return nil }
        parameters[name] = piece
      case .rest: break
      }
    }
    return rest == nil ? parameters : nil
  }
}

/// One line of an origin's table: what a method on a path does.
struct Route<Action: Sendable>: Sendable {
  var method: String
  var pattern: PathPattern
  var action: Action

  init(_ method: String, _ pattern: PathPattern, _ action: Action) {
    self.method = method
    self.pattern = pattern
    self.action = action
  }
}

/// The result of looking up a request in a table.
enum RouteMatch<Action> {
  case found(Action, [String: String])
  /// A parameter is not valid percent-encoded UTF-8.
  case malformedPath
  case methodNotAllowed(allowed: [String])
  case notFound
}

extension Array {
  /// Looks a request up by method and target as received. A HEAD is a GET whose content is not sent (RFC 9110 §9.3.2).
  func match<Action>(method: String, target: String) -> RouteMatch<Action> where Element == Route<Action> {
    let path = Self.path(ofTarget: target)
    let fitting = compactMap { route in route.pattern.match(path).map { (route, $0) } }
    guard !fitting.isEmpty else { return .notFound }
    let asked = method == "HEAD" ? "GET" : method
    guard let (route, encoded) = fitting.first(where: { $0.0.method == asked }) else {
      let methods = fitting.flatMap { $0.0.method == "GET" ? ["GET", "HEAD"] : [$0.0.method] }
      return .methodNotAllowed(allowed: methods)
    }
    var parameters: [String: String] = [:]
    for (name, value) in encoded {
      guard let decoded = PercentEncoding.decode(value) else { return .malformedPath }
      parameters[name] = decoded
    }
    return .found(route.action, parameters)
  }

  /// The path of a target in origin or absolute form (RFC 9112 §3.2), without its query.
  private static func path<Action>(ofTarget target: String) -> Substring where Element == Route<Action> {
    var path = target.prefix { $0 != "?" }
    if !path.hasPrefix("/"), let authority = path.firstRange(of: "://") {
      path = path[authority.upperBound...].drop { $0 != "/" }
    }
    return path.isEmpty ? "/" : path
  }
}
