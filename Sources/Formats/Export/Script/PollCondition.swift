internal import JSONValue
package import RequestSyntax
package import Requests

/// What somebody who sent the same request again and again was waiting for: a value that stayed the same until the last
/// response.
package struct PollCondition {
  /// `repeat every 1s for 1m until body.state == "ready"`
  package let repetition: RepeatSyntax

  /// - Parameters:
  ///   - exchanges: those of one request, in order.
  ///   - secrets: nobody waits for one by its text.
  package init?(_ exchanges: [Exchange], secrets: [Secret]) {
    let bodies = exchanges.map { exchange -> [Path: JSON]? in
      guard exchange.response.isJSON, let bytes = try? exchange.response.body.bytes(limit: 1 << 20),
        let json = try? JSON(parsing: bytes)
      else { return nil }
      var values: [Path: JSON] = [:]
      Self.collect(json, Path(), &values)
      return values
    }
    guard let last = bodies.last ?? nil, bodies.allSatisfy({ $0 != nil }) else { return nil }
    let changed = last.filter { path, value in
      (path.rank == 0 || Self.isAwaited(value)) && !path.names.contains(where: SensitiveName.contains)
        && !secrets.contains { $0.withExposedText { !$0.isEmpty && value.string?.contains($0) ?? false } }
        && bodies.dropLast().allSatisfy { $0.map { $0[path] != value } ?? false }
        && Set(bodies.dropLast().map { $0?[path] }).count == 1
    }
    let wanted = changed.keys.sorted { ($0.rank, $0.text) < ($1.rank, $1.text) }
    guard let path = wanted.first, path.rank < 3, let value = changed[path] else { return nil }
    let gaps = zip(exchanges, exchanges.dropFirst()).map { $1.started.subtracting($0.started) }
    let seconds = max(1, min(10, (gaps.min() ?? .seconds(1)).wholeSeconds))
    repetition = RepeatSyntax(
      every: .seconds(seconds), for: .seconds(max(30, seconds * 20)),
      until: .binary(BinarySyntax(path.expression, .equal, ExpressionSyntax(value))))
  }

  /// Whether people may wait for a value that is not called a state: words. An identifier is another each time.
  private static func isAwaited(_ value: JSON) -> Bool {
    value.string?.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || " -_".unicodeScalars.contains($0) } ?? true
  }

  /// A path within the body.
  private struct Path: Hashable {
    var segments: [SegmentSyntax] = []
    /// The members on the way.
    var names: [String] = []

    var text: String { SyntaxPrinter.print(segments) }

    var expression: ExpressionSyntax {
      let body = ExpressionSyntax.member(NameSyntax("body"))
      return segments.isEmpty ? body : body.path(segments)
    }

    /// How likely people are to wait for it: states, then booleans, then short words.
    var rank: Int {
      let name = names.last.map { $0.lowercased() } ?? ""
      if ["state", "status", "phase", "ready", "done", "finished", "completed", "complete"].contains(name) { return 0 }
      let moving = ["updated", "time", "date", "at", "age", "count", "etag", "version", "progress"]
      return moving.contains(where: name.hasSuffix) ? 3 : 1
    }

    func appending(_ segment: SegmentSyntax, _ name: String? = nil) -> Path {
      Path(segments: segments + [segment], names: names + (name.map { [$0] } ?? []))
    }
  }

  private static func collect(_ json: JSON, _ path: Path, _ values: inout [Path: JSON]) {
    guard values.count < 200 else { return }
    switch json {
    case .object(let object):
      for member in object.members {
        collect(member.value, path.appending(.member(member.key), member.key), &values)
      }
    case .array(let items):
      for (index, item) in items.prefix(20).enumerated() { collect(item, path.appending(.element(index)), &values) }
    case .string(let text): if text.count <= 40 { values[path] = json }
    case .bool: values[path] = json
    case .number, .null: break
    }
  }
}
