internal import POSIX

/// Directories of a file that is about to be written.
package enum MissingDirectories {
  /// Makes those between a directory, which exists, and a file below it.
  ///
  /// - Parameters:
  ///   - path: begins with `root` and a slash, unless that is the working directory.
  ///   - root: empty: the working directory.
  package static func make(for path: String, below root: String) throws(FileError) {
    let rest = root.isEmpty || !path.hasPrefix(root) ? path[...] : path.dropFirst(root.count)
    var directory = root.isEmpty || rest.count == path.count ? "" : root
    for name in rest.split(separator: "/").dropLast() {
      directory += directory.isEmpty || directory.hasSuffix("/") ? name : "/\(name)"
      guard mkdir(directory, 0o777) == 0 || errno == EEXIST else {
        throw .unwritable(path: path, reason: .current)
      }
    }
  }
}
