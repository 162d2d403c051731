/// How servers of CI, and others that begin several jobs, say which of them one is.
package enum ShardVariables {
  private struct Pair {
    let index: String
    let count: String
    /// The index of the first job.
    let first: Int
    /// The variables that have it, and how much higher the next one's is, if there are such.
    var lowest: String?
    var step: String?

    /// Counted from one; nil: it is not a job's.
    func number(_ environment: [String: String]) -> Int? {
      guard let index = environment[index].flatMap({ Int($0) }), (0..<1_000_000).contains(index) else { return nil }
      let first = lowest.flatMap { environment[$0] }.flatMap { Int($0) } ?? first
      let step = step.flatMap { environment[$0] }.flatMap { Int($0) } ?? 1
      guard step > 0, (0..<1_000_000).contains(first), (index - first).isMultiple(of: step) else { return nil }
      return (index - first) / step + 1
    }
  }

  /// The first is for servers that have none of their own: a matrix of GitHub Actions sets it.
  private static let pairs = [
    Pair(index: "WORKBENCH_SHARD", count: "WORKBENCH_SHARDS", first: 1),
    // GitLab
    Pair(index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1),
    Pair(index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL", first: 0),
    Pair(index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT", first: 0),
    Pair(index: "SEMAPHORE_JOB_INDEX", count: "SEMAPHORE_JOB_COUNT", first: 1),
    // Azure Pipelines
    Pair(index: "SYSTEM_JOBPOSITIONINPHASE", count: "SYSTEM_TOTALJOBSINPHASE", first: 1),
    // Bazel
    Pair(index: "TEST_SHARD_INDEX", count: "TEST_TOTAL_SHARDS", first: 0),
    // An array of Slurm, which may begin anywhere and leave out numbers evenly
    Pair(
      index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: 0, lowest: "SLURM_ARRAY_TASK_MIN",
      step: "SLURM_ARRAY_TASK_STEP"),
    // An indexed job of Kubernetes, which does not say how many there are
    Pair(index: "JOB_COMPLETION_INDEX", count: "WORKBENCH_SHARDS", first: 0),
  ]

  package enum Problem: Error, CustomStringConvertible {
    case unset
    case wrong(name: String, value: String, count: String)

    package var description: String {
      switch self {
      case .unset:
        "--shard auto: no variable says which job this is; set WORKBENCH_SHARD and WORKBENCH_SHARDS, or write --shard 2/5."
      case .wrong(let name, let value, let count):
        "--shard auto: \(name) is \"\(value)\", which is not one of \"\(count)\" jobs."
      }
    }
  }

  package static func shard(in environment: [String: String]) throws(Problem) -> SuiteOptions.Shard {
    let known = pairs.filter { environment[$0.count]?.isEmpty == false }
    let pair = known.first { environment[$0.index]?.isEmpty == false } ?? known.first
    guard let pair, let count = environment[pair.count] else { throw .unset }
    let index = environment[pair.index] ?? ""
    // A job that has no others has no number.
    if count == "1", index.isEmpty, let only = SuiteOptions.Shard("1/1") { return only }
    guard let number = pair.number(environment), let shard = SuiteOptions.Shard("\(number)/\(count)") else {
      throw .wrong(name: pair.index, value: index, count: count)
    }
    return shard
  }
}
