/// Paths relative to another directory, computed from their text alone.
package enum RelativePath {
  /// - Parameters:
  ///   - path: relative to `directory`.
  ///   - directory, place: relative to the working directory; empty: that directory itself.
  ///   - workingDirectory: absolute.
  /// - Returns: the path relative to `place`; absolute if `place` is not below the working directory.
  package static func path(
    of path: String, in directory: String, seenFrom place: String, workingDirectory: String
  ) -> String {
    guard !path.hasPrefix("/"), directory != place else { return path }
    if directory.hasPrefix("/") { return "\(directory)/\(path)" }
    let target = components(directory) + components(path)
    guard !place.hasPrefix("/"), !components(place).contains("..") else {
      return "/" + components(workingDirectory + "/" + target.joined(separator: "/")).joined(separator: "/")
    }
    let start = components(place)
    var shared = 0
    while shared < min(start.count, target.count - 1), start[shared] == target[shared] { shared += 1 }
    return (Array(repeating: "..", count: start.count - shared) + target[shared...]).joined(separator: "/")
  }

  private static func components(_ path: String) -> [String] {
    var components: [String] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = components.last, last != ".." {
        components.removeLast()
      } else {
        components.append(String(part))
      }
    }
    return components
  }
}
