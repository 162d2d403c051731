internal import HTTPTypes
internal import JSONValue
internal import Presentation
internal import Requests
internal import RunStore
internal import UploaderCore

extension StoredRuns {
  /// What is not the same in two runs, step by step. Success says that nothing is.
  public func difference(_ first: String, _ second: String) -> ExitCode {
    withStore { store in
      let runs = [try store.run(first), try store.run(second)]
      let left = try store.steps(of: runs[0])
      let right = try store.steps(of: runs[1])
      printer.secrets.learn(RecordedStep.cookieSecrets(in: left + right))
      var isSame = true
      for (mine, theirs) in Self.pairs(left, right) {
        let lines = differences(mine, theirs)
        let name = (mine ?? theirs)?.name ?? ""
        if lines.isEmpty { continue }
        isSame = false
        printer.result(StyledText("\(name)\n", .strong))
        for line in lines { printer.result(line) }
      }
      if isSame { errors.note("the runs \(runs[0].id) and \(runs[1].id) were answered alike") }
      return isSame ? .success : .failed
    }
  }

  /// Steps of the same name and round belong together, in the order of the first run.
  private static func pairs(
    _ left: [RecordedStep], _ right: [RecordedStep]
  ) -> [(RecordedStep?, RecordedStep?)] {
    var rest = right
    var pairs: [(RecordedStep?, RecordedStep?)] = []
    for step in left {
      let index = rest.firstIndex {
        $0.name == step.name && $0.position.indices.count == step.position.indices.count
      }
      pairs.append((step, index.map { rest.remove(at: $0) }))
    }
    return pairs + rest.map { (nil, $0) }
  }

  private func differences(_ mine: RecordedStep?, _ theirs: RecordedStep?) -> [StyledText] {
    guard let mine else { return [StyledText("  only in the second run\n", .success)] }
    guard let theirs else { return [StyledText("  only in the first run\n", .failure)] }
    var lines = mine.request.differences(to: theirs.request).map {
      line("request \($0.subject)", PresignedDisplay.text($0.recorded), PresignedDisplay.text($0.now))
    }
    guard let left = mine.answer, let right = theirs.answer else {
      if (mine.answer == nil) != (theirs.answer == nil) {
        lines.append(line("answer", mine.answer == nil ? "none" : "one", theirs.answer == nil ? "none" : "one"))
      }
      return lines
    }
    if left.status != right.status { lines.append(line("status", "\(left.status)", "\(right.status)")) }
    lines += headerDifferences(left.headers, right.headers)
    lines += bodyDifferences(left, right)
    // A tenth of a second more or less says nothing; three times as long does.
    let (fast, slow) = (min(left.timings.total, right.timings.total), max(left.timings.total, right.timings.total))
    if slow - fast > .milliseconds(100), slow > fast * 3 {
      lines.append(line("time", Figures.duration(left.timings.total), Figures.duration(right.timings.total)))
    }
    return lines
  }

  private func headerDifferences(
    _ left: [RecordedRequest.Field], _ right: [RecordedRequest.Field]
  ) -> [StyledText] {
    // These differ whenever they are asked for.
    let changing: Set<String> = ["date", "age", "x-request-id", "x-amz-request-id", "x-amz-id-2", "server-timing"]
    var names: [String] = []
    for name in (left + right).map({ $0.name.lowercased() }) where !changing.contains(name) && !names.contains(name) {
      names.append(name)
    }
    return names.compactMap { name in
      let values = [left, right].map { fields in
        fields.filter { $0.name.lowercased() == name }.map { SecretMarkers.display($0.value) }.joined(separator: ", ")
      }
      guard values[0] != values[1] else { return nil }
      return line("header \(name)", PresignedDisplay.text(values[0]), PresignedDisplay.text(values[1]))
    }
  }

  private func bodyDifferences(_ left: RecordedAnswer, _ right: RecordedAnswer) -> [StyledText] {
    let limit = 1 << 20
    guard left.body.count <= limit, right.body.count <= limit, let mine = try? left.body.bytes(),
      let theirs = try? right.body.bytes()
    else {
      return left.body.count == right.body.count ? [] : [line("size", "\(left.body.count)", "\(right.body.count)")]
    }
    guard mine != theirs else { return [] }
    guard let mine = try? JSON(parsing: mine), let theirs = try? JSON(parsing: theirs) else {
      return [line("body", Figures.bytes(left.body.count), "\(Figures.bytes(right.body.count)), another")]
    }
    return JSONDifference.between(mine, theirs).map {
      line("body\($0.path)", PresignedDisplay.text($0.left ?? "nothing"), PresignedDisplay.text($0.right ?? "nothing"))
    }
  }

  private func line(_ subject: String, _ left: String, _ right: String) -> StyledText {
    var text = StyledText("  \(subject)  ", .faint)
    text.append(SecretMarkers.display(left).isEmpty ? "nothing" : SecretMarkers.display(left), .failure)
    text.append(" → ", .faint)
    text.append(SecretMarkers.display(right).isEmpty ? "nothing" : SecretMarkers.display(right), .success)
    text.append("\n")
    return text
  }
}

/// Where two JSON values are not the same.
struct JSONDifference: Hashable {
  let path: String
  let left: String?
  let right: String?

  /// Every place, the deepest that says it.
  static func between(_ left: JSON, _ right: JSON, path: String = "") -> [JSONDifference] {
    switch (left, right) {
    case (.object(let mine), .object(let theirs)):
      var keys: [String] = []
      for key in mine.keys + theirs.keys where !keys.contains(key) { keys.append(key) }
      return keys.flatMap { key -> [JSONDifference] in
        let place = "\(path).\(key)"
        guard let first = mine[key], let second = theirs[key] else {
          return [JSONDifference(path: place, left: mine[key].map(shown), right: theirs[key].map(shown))]
        }
        return between(first, second, path: place)
      }
    case (.array(let mine), .array(let theirs)) where mine.count == theirs.count:
      return zip(mine, theirs).enumerated().flatMap { between($1.0, $1.1, path: "\(path)[\($0)]") }
    default:
      return left == right ? [] : [JSONDifference(path: path, left: shown(left), right: shown(right))]
    }
  }

  private static func shown(_ json: JSON) -> String {
    let text = "\(json)"
    return text.count > 100 ? "\(text.prefix(100))…" : text
  }
}
