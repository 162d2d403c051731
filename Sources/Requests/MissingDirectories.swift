internal import POSIX

/// Directories of a file that is about to be written.
package enum MissingDirectories {
  /// Makes those between a directory, which exists, and a file below it.
  ///
  /// - Parameters:
  ///   - path: begins with `root` and a slash, unless that is the working directory.
  ///   - root: empty: the working directory.
  /// - Throws: also for one that would be made where a symbolic link leads out of the root.
  package static func make(for path: String, below root: String) throws(FileError) {
    let rest = root.isEmpty || !path.hasPrefix(root) ? path[...] : path.dropFirst(root.count)
    var directory = root.isEmpty || rest.count == path.count ? "" : root
    let top = directory
    for name in rest.split(separator: "/").dropLast() {
      let parent = directory
      directory += directory.isEmpty || directory.hasSuffix("/") ? name : "/\(name)"
      if access(directory, F_OK) == 0 { continue }
      guard isInside(parent, top) else { throw .outside(path: path) }
      guard mkdir(directory, 0o777) == 0 || errno == EEXIST else {
        throw .unwritable(path: path, reason: .current)
      }
    }
  }

  private static func isInside(_ directory: String, _ root: String) -> Bool {
    func real(_ path: String) -> String? {
      guard let found = realpath(path.isEmpty ? "." : path, nil) else { return nil }
      defer { free(found) }
      return String(cString: found)
    }
    guard let directory = real(directory), let root = real(root) else { return false }
    return directory == root || root == "/" || directory.hasPrefix("\(root)/")
  }
}
