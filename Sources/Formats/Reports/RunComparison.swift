package import JSONValue
internal import Presentation
package import RunStore
package import Sessions
internal import UploaderCore

/// What differs between a run and the one of the same script before it, for reports that show it.
package struct RunComparison: Sendable {
  private static let mostSteps = 200
  private static let mostLines = 20

  private let store: RunStore
  private let secrets: KnownSecrets

  package init(_ store: RunStore, secrets: KnownSecrets) {
    self.store = store
    self.secrets = secrets
  }

  /// The members of the line at the end of a file: which run was before, how many steps differ, and how.
  ///
  /// - Returns: nil if there was none.
  package func members(of id: String) -> JSONObject? {
    guard let run = try? store.run(id) else { return nil }
    return members(of: run)
  }

  func members(of run: RecordedRun) -> JSONObject? {
    guard let before = try? store.run(before: run), let old = try? store.steps(of: before),
      let new = try? store.steps(of: run)
    else { return nil }
    secrets.learn(RecordedStep.cookieSecrets(in: old).union(RecordedStep.cookieSecrets(in: new)))
    let difference = RunDifference(old, new, names: ("run \(before.id)", "this run"))
    let changes = difference.steps.prefix(Self.mostSteps).map { step -> JSON in
      let lines = step.lines.prefix(Self.mostLines).map { line in
        JSON.string(secrets.redact(String(line.rendered(isColored: false).drop { $0 == " " }.prefix { $0 != "\n" })))
      }
      return ["step": .string(secrets.redact(step.name)), "lines": .array(lines)]
    }
    return ["before": .string(before.id), "changed": ^difference.steps.count, "changes": .array(changes)]
  }
}
