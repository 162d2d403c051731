import Requests
import Testing

@testable import RunStore

/// Which steps are discarded along with another one.
@Suite struct StepOrderTests {
  @Test(arguments: [
    ([1], [0], true), ([0], [1], false), ([1], [1], false),
    // Steps inside a step are part of it.
    ([1, 0, 0], [1], true), ([1], [1, 0, 0], false),
    // In one child of a group, and after the group.
    ([1, 0, 2], [1, 0, 1], true), ([1, 0, 0], [1, 0, 1], false), ([2], [1, 0, 1], true), ([0], [1, 0, 1], false),
    // Steps that run beside it in another child do not come after it.
    ([1, 1, 0], [1, 0, 0], false), ([1, 1, 5], [1, 0, 0], false), ([1, 0, 0], [1, 1, 0], false),
    ([1, 1, 0, 2, 0], [1, 0, 0, 2, 0], false),
  ])
  func `a step comes after another in its block, or after the group that contains that step`(
    step: [Int], other: [Int], isAfter: Bool
  ) {
    #expect(StepPosition(step).comesAfter(StepPosition(other)) == isAfter)
  }
}
