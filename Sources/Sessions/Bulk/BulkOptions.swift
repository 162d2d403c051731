internal import RequestProgram
package import Requests
package import RunStore

/// How a script is run for each row of a file.
package struct BulkOptions: Sendable {
  /// The file with the rows; `-` is standard input.
  package var rows: String
  /// How many rows at once.
  package var jobs = 1
  /// At least so long from the beginning of one row to that of the next.
  package var interval: Duration?
  /// No row begins after this many have failed.
  package var stopsAfter: Int?
  /// Which of several shares of the rows is run: the index from 0, and how many there are.
  package var share: (index: Int, count: Int)?
  /// What is wanted of each row: `id=$create.body.id`.
  package var selections: [String] = []
  /// Whether rows that failed before are run again, if nothing happened that must not happen twice.
  package var retriesFailed = false
  /// Whether it is of interest what the steps of the rows do.
  package var reportsSteps = false
  /// Why what becomes of the rows cannot be written to a file that was asked for: then no more of them begin.
  package var blockage: @Sendable () -> FileError? = { nil }

  package init(rows: String) {
    self.rows = rows
  }
}

/// What happens while a script is run for the rows of a file. Rows end on several threads.
package enum BulkEvent: Sendable {
  /// What happens before the first row, or outside of any.
  case run(RunEvent)
  /// The rows are there, and the run is recorded under this identifier; nil: nowhere.
  case began(columns: [String], heading: [UInt8], isObjects: Bool, run: String?, size: Int?)
  /// This many bytes of the rows have been read.
  case read(Int)
  /// What happens in the run of a row.
  case step(BulkRow, RunEvent)
  /// A row is over; before, if it has no exit code.
  case row(BulkRow, RowOutcome, ExitCode?)
}

/// How it ended.
package struct BulkEnd: Sendable {
  package var exitCode: ExitCode
  /// Whether rows were not begun, because too many had failed or somebody ended it.
  package var isIncomplete = false
  /// The identifier under which it is recorded.
  package var run: String?

  package init(_ exitCode: ExitCode, isIncomplete: Bool = false, run: String? = nil) {
    self.exitCode = exitCode
    self.isIncomplete = isIncomplete
    self.run = run
  }
}
