import Diagnostics
import POSIX

/// A file that another tool's file names: only what is below the folder of that file is read or written.
struct ImportedFile {
  enum Use {
    case read, write, connect

    /// What to do about one that is elsewhere.
    fileprivate var hint: String {
      switch self {
      case .read: "copy it there"
      case .write: "write a path below it"
      case .connect: "a script of yours may name it: unix-socket, in a profile"
      }
    }
  }

  let path: String

  /// - Parameters:
  ///   - path: as it is written.
  ///   - source: the file that names it.
  init(_ path: String, _ use: Use, in source: SourceText, at range: SourceRange) throws(ImportRefusal) {
    let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    if path.isEmpty { throw ImportRefusal("the name of the file is missing", at: range) }
    if path.hasPrefix("/") || path.split(separator: "/").contains("..") || Self.leads(path, outside: source.name) {
      throw ImportRefusal(
        "this file is outside of the script's folder", hint: use.hint, at: range)
    }
    self.path = path
  }

  /// Whether a link on the way leads out of the folder. What is not there yet is where the part of it that is there is.
  private static func leads(_ path: String, outside name: String) -> Bool {
    var folder = "."
    if !name.hasPrefix("<"), let slash = name.lastIndex(of: "/") {
      folder = slash == name.startIndex ? "/" : String(name[..<slash])
    }
    guard let root = resolved(folder) else { return false }
    var known = path[...]
    while !known.isEmpty {
      let whole = "\(folder)/\(known)"
      if let place = resolved(whole) { return place != root && !place.hasPrefix(root == "/" ? root : "\(root)/") }
      var status = stat()
      // A link to nothing: whoever writes to it makes the file where it leads.
      if lstat(whole, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { return true }
      known = known.lastIndex(of: "/").map { known[..<$0] } ?? ""
    }
    return false
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
