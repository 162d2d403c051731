internal import JSONValue
internal import Presentation
internal import Requests

/// What somebody waited for who asked the same thing again and again: a value that was the same until the last answer.
struct AwaitedChange {
  /// `body.state == "ready"`
  let condition: String
  /// `repeat every 1s for 1m until body.state == "ready"`
  let clause: String

  /// - Parameters:
  ///   - exchanges: of one request, in their order.
  ///   - secrets: nobody waits for one by its text.
  init?(_ exchanges: [Exchange], secrets: [Secret]) {
    let bodies = exchanges.map { exchange -> [String: String]? in
      guard exchange.response.isJSON, let bytes = try? exchange.response.body.bytes(limit: 1 << 20),
        let json = try? JSON(parsing: bytes)
      else { return nil }
      var values: [String: String] = [:]
      Self.collect(json, "body", &values)
      return values
    }
    guard let last = bodies.last ?? nil, bodies.allSatisfy({ $0 != nil }) else { return nil }
    let changed = last.filter { path, value in
      !path.split(whereSeparator: { ".[]\"".contains($0) }).contains { SensitiveName.contains(String($0)) }
        && !secrets.contains { $0.withExposedText { !$0.isEmpty && value.contains($0) } }
        && bodies.dropLast().allSatisfy { $0.map { $0[path] != value } ?? false }
        && Set(bodies.dropLast().map { $0?[path] }).count == 1
    }
    let wanted = changed.keys.sorted { (Self.rank($0), $0) < (Self.rank($1), $1) }
    guard let path = wanted.first, Self.rank(path) < 3, let value = changed[path] else { return nil }
    condition = "\(path) == \(value)"
    let gaps = zip(exchanges, exchanges.dropFirst()).map { $1.started.subtracting($0.started) }
    let seconds = max(1, min(10, (gaps.min() ?? .seconds(1)).wholeSeconds))
    clause = "repeat every \(seconds)s for \(max(30, seconds * 20))s until \(condition)"
  }

  /// How likely it is that people wait for it: states, then truth values, then short words.
  private static func rank(_ path: String) -> Int {
    let name = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    if ["state", "status", "phase", "ready", "done", "finished", "completed", "complete"].contains(name) { return 0 }
    if ["updated", "time", "date", "at", "age", "count", "etag", "version", "progress"].contains(where: name.hasSuffix)
    {
      return 3
    }
    return 1
  }

  private static func collect(_ json: JSON, _ path: String, _ values: inout [String: String]) {
    guard values.count < 200 else { return }
    switch json {
    case .object(let object):
      for member in object.members { collect(member.value, path + ReferencePath.member(member.key), &values) }
    case .array(let items):
      for (index, item) in items.prefix(20).enumerated() { collect(item, "\(path)[\(index)]", &values) }
    case .string(let text): if text.count <= 40 { values[path] = StatementText.literal(text) }
    case .bool(let bool): values[path] = "\(bool)"
    case .number, .null: break
    }
  }
}
