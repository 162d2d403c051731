package import RequestProgram

/// One row of a file, for which a sequence is run.
package struct BulkRow: Sendable {
  package enum Content: Sendable {
    /// The value of each column.
    case values([String: Setting])
    case malformed(RowFault)
  }

  /// From 1; the names of the columns are not a row.
  package let number: Int
  /// Where it is in its file, from 1.
  package let line: Int
  /// Where it begins, in bytes.
  package let offset: Int
  /// As it is written, without its line end.
  package let bytes: [UInt8]
  package let content: Content
}

/// Why rows cannot be used.
package enum RowsProblem: Error, Hashable, Sendable {
  /// There is not even a line with the names of the columns.
  case empty(path: String)
  case header(path: String, RowFault)
  case repeatedColumn(String, path: String)
  /// Nothing is called so that can be set.
  case unknownColumn(String, known: [String])
  case missingColumns([String])
  /// It is a column, and was set as well.
  case alsoSet(String)
  /// The row is not the one that the run was given before.
  case changed(line: Int, path: String)
  /// Rows that the run was given before are no longer there.
  case shortened(path: String)
  /// They came through a pipe, and have to be given again.
  case gone
  /// What is recorded of the run cannot be used.
  case notBulk(run: String)
  case done(run: String)

  package var sentence: String {
    switch self {
    case .empty(let path): "\(path) has no rows"
    case .header(let path, let fault): "the names of the columns in \(path) cannot be read: \(fault.sentence)"
    case .repeatedColumn(let name, let path): "two columns of \(path) are called \"\(name)\""
    case .unknownColumn(let name, _): "a column is called \"\(name)\", but nothing is called so that could be set"
    case .missingColumns(let names):
      "no column is called \(names.map { "\"\($0)\"" }.joined(separator: ", ")), which the sequence needs"
    case .alsoSet(let name): "\"\(name)\" is a column, and was set as well"
    case .changed(let line, let path): "\(path):\(line): the row is not the one that this run was given before"
    case .shortened(let path): "rows of \(path) that this run was given before are no longer there"
    case .gone: "the rows of this run came through a pipe"
    case .notBulk(let run): "run \(run) is not one over the rows of a file"
    case .done(let run): "run \(run) is done: nothing is left to do"
    }
  }

  package var advice: [String] {
    switch self {
    case .unknownColumn(_, let known):
      known.isEmpty
        ? ["name the sequence whose parameters the columns are"] : ["what can be set: \(known.joined(separator: ", "))"]
    case .missingColumns(let names): ["or give it with " + names.map { "--set \($0)=…" }.joined(separator: " ")]
    case .alsoSet(let name): ["leave out --set \(name), or the column"]
    case .changed, .shortened: ["nothing was sent; new rows can be appended, or be a file of their own"]
    case .gone: ["give them again: --rows -"]
    case .empty, .header, .repeatedColumn, .notBulk, .done: []
    }
  }
}
