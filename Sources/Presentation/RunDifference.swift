internal import JSONValue
internal import Requests
package import RunStore
internal import UploaderCore

/// What differs between two runs, step by step: the request, status, headers, JSON, time. Signatures, policies and what
/// is called a credential are left out: they are never the same, and nobody is meant to see them.
package struct RunDifference {
  /// What differs in a step.
  package struct Step {
    package let name: String
    package let lines: [StyledText]
  }

  /// The steps that differ, in the order of the first run.
  package let steps: [Step]

  /// How much of a body is compared, in bytes.
  private static let bodyLimit = 1 << 20

  /// - Parameter names: the names of the two runs, for a step that only one of them has.
  package init(
    _ left: [RecordedStep], _ right: [RecordedStep], names: (String, String) = ("the first run", "the second run")
  ) {
    steps = Self.pairs(left, right).compactMap { mine, theirs in
      let (mine, theirs) = (mine.map(Self.unsigned), theirs.map(Self.unsigned))
      let lines = Self.differences(mine, theirs, names)
      return lines.isEmpty ? nil : Step(name: (mine ?? theirs)?.name ?? "", lines: lines)
    }
  }

  private static func unsigned(_ step: RecordedStep) -> RecordedStep {
    PresignedDisplay.step(step, limit: bodyLimit)
  }

  package var text: StyledText {
    steps.reduce(into: StyledText()) { text, step in
      text.append("\(step.name)\n", .strong)
      for line in step.lines { text.append(line) }
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

  private static func differences(
    _ mine: RecordedStep?, _ theirs: RecordedStep?, _ names: (String, String)
  ) -> [StyledText] {
    guard let mine else { return [StyledText("  only in \(names.1)\n", .success)] }
    guard let theirs else { return [StyledText("  only in \(names.0)\n", .failure)] }
    var lines = mine.request.differences(to: theirs.request).map {
      line("request \($0.subject)", PresignedDisplay.text($0.recorded), PresignedDisplay.text($0.now))
    }
    guard let left = mine.response, let right = theirs.response else {
      if (mine.response == nil) != (theirs.response == nil) {
        lines.append(line("response", mine.response == nil ? "none" : "one", theirs.response == nil ? "none" : "one"))
      }
      return lines
    }
    if left.status != right.status { lines.append(line("status", "\(left.status)", "\(right.status)")) }
    lines += headerDifferences(left.headers, right.headers)
    lines += bodyDifferences(left, right)
    // A tenth of a second more or less means nothing; three times as long does.
    let (fast, slow) = (min(left.timings.total, right.timings.total), max(left.timings.total, right.timings.total))
    if slow - fast > .milliseconds(100), slow > fast * 3 {
      lines.append(line("time", NumberFormat.duration(left.timings.total), NumberFormat.duration(right.timings.total)))
    }
    return lines
  }

  private static func headerDifferences(
    _ left: [RecordedRequest.Field], _ right: [RecordedRequest.Field]
  ) -> [StyledText] {
    // These differ in every response.
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

  private static func bodyDifferences(_ left: RecordedResponse, _ right: RecordedResponse) -> [StyledText] {
    guard left.body.count <= bodyLimit, right.body.count <= bodyLimit, let recorded = try? left.body.bytes(),
      let now = try? right.body.bytes()
    else {
      return left.body.count == right.body.count ? [] : [line("size", "\(left.body.count)", "\(right.body.count)")]
    }
    // With the mark of a secret in it, a body is not JSON.
    let (mine, theirs) = (SecretMarkers.display(recorded), SecretMarkers.display(now))
    guard mine != theirs else { return [] }
    guard let mine = try? JSON(parsing: mine), let theirs = try? JSON(parsing: theirs) else {
      return [line("body", NumberFormat.bytes(left.body.count), "\(NumberFormat.bytes(right.body.count)), different")]
    }
    // What is called a credential is never the same either.
    let (known, other) = (mine.hidingCredentials(PresignedText.mark), theirs.hidingCredentials(PresignedText.mark))
    return JSONDifference.between(known, other).map {
      line("body\($0.path)", PresignedDisplay.text($0.left ?? "nothing"), PresignedDisplay.text($0.right ?? "nothing"))
    }
  }

  private static func line(_ subject: String, _ left: String, _ right: String) -> StyledText {
    var text = StyledText("  \(subject)  ", .faint)
    text.append(SecretMarkers.display(left).isEmpty ? "nothing" : SecretMarkers.display(left), .failure)
    text.append(" → ", .faint)
    text.append(SecretMarkers.display(right).isEmpty ? "nothing" : SecretMarkers.display(right), .success)
    text.append("\n")
    return text
  }
}
