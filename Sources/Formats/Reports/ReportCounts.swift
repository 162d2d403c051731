internal import JSONValue

/// How many steps ended how.
package struct ReportCounts: Hashable, Sendable {
  package var passed = 0
  package var skipped = 0
  package var failed = 0
  package var broken = 0
  /// Those that succeeded after they had failed.
  package var flaky = 0
  /// Those of responses that came, and how many of them were not met.
  package var expectations = 0
  package var unmet = 0

  package init() {}

  package var steps: Int { passed + skipped + failed + broken }
  package var failures: Int { failed + broken }

  package mutating func count(_ line: ReportLine) {
    expectations += line.expectations
    unmet += line.unmet
    switch line.verdict {
    case .passed:
      passed += 1
      if !line.earlierFailures.isEmpty { flaky += 1 }
    case .skipped: skipped += 1
    case .failed: failed += 1
    case .broken: broken += 1
    }
  }

  package mutating func add(_ other: ReportCounts) {
    passed += other.passed
    skipped += other.skipped
    failed += other.failed
    broken += other.broken
    flaky += other.flaky
    expectations += other.expectations
    unmet += other.unmet
  }

  /// As members of a line.
  var members: JSONObject {
    var members: JSONObject = [
      "steps": ^steps, "passed": ^passed, "skipped": ^skipped, "failed": ^failed, "broken": ^broken,
    ]
    if flaky > 0 { members["flaky"] = ^flaky }
    if expectations > 0 { members["expectations"] = ^expectations }
    if unmet > 0 { members["unmet"] = ^unmet }
    return members
  }
}
