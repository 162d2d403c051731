import Foundation

/// The files that a script of a page reads: `check` says of each that is not there.
enum NamedFiles {
  static func make(in directory: URL, for script: String) throws {
    for match in script.matches(of: /(?:file\(\"|@)([^"\s{};]+)/) {
      let file = directory.appending(path: String(match.output.1))
      if FileManager.default.fileExists(atPath: file.path) { continue }
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
  }
}
