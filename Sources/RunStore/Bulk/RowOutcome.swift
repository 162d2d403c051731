internal import Crypto

/// What became of one row that a sequence was run for.
package struct RowOutcome: Hashable, Sendable {
  package enum State: Int, Hashable, Sendable, CaseIterable {
    /// A request of it that must not happen twice may have been sent; what came of it is not known here.
    case begun = 0
    /// Every step of it is done.
    case done = 1
    /// It failed, and nothing happened that must not happen twice: it may be run again.
    case failed = 2
    /// It failed after something that must not happen twice had happened.
    case partial = 3
    /// It is not known whether something happened that must not happen twice.
    case unknown = 4
    /// All of its steps were skipped.
    case skipped = 5

    /// Whether it may be run again without asking anybody.
    package var mayRunAgain: Bool { self == .failed }
  }

  package var state: State
  /// Of the row, with what only this run has.
  package var digest: [UInt8]
  /// Of its last response.
  package var status: Int?
  /// How long it took.
  package var time: Duration
  /// A JSON object with what was selected of its responses, without secrets.
  package var selected: String?
  /// Why it is not done, in a sentence without secrets.
  package var failure: String?

  package init(
    _ state: State, digest: [UInt8], status: Int? = nil, time: Duration = .zero, selected: String? = nil,
    failure: String? = nil
  ) {
    self.state = state
    self.digest = digest
    self.status = status
    self.time = time
    self.selected = selected
    self.failure = failure
  }
}

extension RowOutcome {
  /// - Parameter salt: only this run has it, so that nobody finds short rows by trying.
  package static func digest(of row: some Sequence<UInt8>, salt: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: salt + row).prefix(16))
  }
}
