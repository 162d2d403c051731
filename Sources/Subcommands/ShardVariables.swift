/// How servers of CI say which of several jobs one is.
package enum ShardVariables {
  private struct Pair {
    let index: String
    let count: String
    /// The index of the first job.
    let first: Int
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
    for pair in pairs {
      guard let count = environment[pair.count], !count.isEmpty else { continue }
      let index = environment[pair.index] ?? ""
      // A job that has no others has no number.
      if count == "1", index.isEmpty, let only = SuiteOptions.Shard("1/1") { return only }
      guard let number = Int(index), number < 10_000,
        let shard = SuiteOptions.Shard("\(number - pair.first + 1)/\(count)")
      else { throw .wrong(name: pair.index, value: index, count: count) }
      return shard
    }
    throw .unset
  }
}
