internal import RunStore

/// What became of rows before, in their order: read from the store as the rows come.
struct EarlierRows {
  private let store: RunStore
  private let run: RecordedRun
  private var page: ArraySlice<(row: Int, outcome: RowOutcome)> = []
  private var next = 0
  private var isAtEnd = false

  init(_ run: RecordedRun, in store: RunStore) {
    self.run = run
    self.store = store
  }

  /// What became of the row; nil: nothing yet. To be asked for one row after another.
  mutating func outcome(of row: Int) throws(StoreError) -> RowOutcome? {
    while true {
      while let first = page.first, first.row < row { page.removeFirst() }
      if let first = page.first { return first.row == row ? first.outcome : nil }
      if isAtEnd || next > row { return nil }
      try turn()
    }
  }

  /// Whether there are any after those that were asked for.
  mutating func hasMore(after row: Int) throws(StoreError) -> Bool {
    while true {
      while let first = page.first, first.row <= row { page.removeFirst() }
      if !page.isEmpty { return true }
      if isAtEnd { return false }
      try turn()
    }
  }

  private mutating func turn() throws(StoreError) {
    let found = try store.rows(of: run, from: next, limit: 1_000)
    isAtEnd = found.count < 1_000
    if let last = found.last { next = last.row + 1 }
    page = found[...]
  }
}
