import Subcommands
import Testing

/// Which of several jobs one is.
@Suite struct ShardVariablesTests {
  @Test(arguments: [
    (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], "2/5"),
    (["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "3"], "1/3"),
    (["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "7", "SLURM_ARRAY_TASK_COUNT": "4"], "1/4"),
    (
      [
        "SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "4",
        "SLURM_ARRAY_TASK_COUNT": "3",
      ], "3/3"
    ),
    (["JOB_COMPLETION_INDEX": "3", "WORKBENCH_SHARDS": "4"], "4/4"),
    (["JOB_COMPLETION_INDEX": "3", "WORKBENCH_SHARD": "1", "WORKBENCH_SHARDS": "4"], "1/4"),
    (["CI_NODE_TOTAL": "1"], "1/1"),
  ])
  func `a job is known by the variables of what began it`(variables: [String: String], share: String) throws {
    #expect(try ShardVariables.shard(in: variables) == SuiteOptions.Shard(share))
  }

  @Test(arguments: [
    [:], ["JOB_COMPLETION_INDEX": "3"], ["WORKBENCH_SHARDS": "4"],
    ["JOB_COMPLETION_INDEX": "4", "WORKBENCH_SHARDS": "4"],
    [
      "SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_STEP": "2",
      "SLURM_ARRAY_TASK_COUNT": "3",
    ],
    ["SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "3"],
  ])
  func `what says nothing, or what no job can be, is refused`(variables: [String: String]) {
    #expect(throws: ShardVariables.Problem.self) { try ShardVariables.shard(in: variables) }
  }
}
