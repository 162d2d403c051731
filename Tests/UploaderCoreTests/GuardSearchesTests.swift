import Canaries
import Requests
import Testing

@testable import UploaderCore

/// What is remembered of a search finds the same as a new one.
struct GuardSearchesTests {
  private func secret(_ index: Int) -> Secret {
    Secret("\(Canary.secret("guard-searches"))-\(index)-text", name: "\(index)", for: [])
  }

  @Test func `a search that grew finds what it is for, and nothing else`() {
    let searches = GuardSearches()
    let all = (0..<20).map(secret)
    // Growing, shrinking, in other orders, more of them than are remembered.
    for members in [0..<3, 0..<5, 2..<9, 0..<20, 0..<3, 4..<6, 7..<8, 1..<2, 0..<19, 5..<20, 0..<5] {
      let search = searches.search(for: Set(all[members]))
      for (index, _) in all.enumerated() {
        #expect(
          search.isMatched(in: Array("x \(Canary.secret("guard-searches"))-\(index)-text y".utf8))
            == members.contains(index))
      }
    }
  }
}
