package import Requests

/// A file of values that cannot be taken.
package enum OutsideFileError: Error, Hashable, Sendable {
  /// It cannot be read.
  case file(FileError)
  /// It was read, and what it says is wrong.
  case content(path: String, line: Int?, problem: String, advice: [String] = [])

  /// One sentence: what is wrong, and where.
  package var message: String {
    switch self {
    case .file(let error): "\(error)"
    case .content(let path, let line, let problem, _): "\(path)\(line.map { ":\($0)" } ?? ""): \(problem)"
    }
  }

  /// What to do.
  package var advice: [String] {
    switch self {
    case .file: []
    case .content(_, _, _, let advice): advice
    }
  }

  package var exitCode: ExitCode {
    switch self {
    case .file: .file
    case .content: .usage
    }
  }
}
