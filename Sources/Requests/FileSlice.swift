import POSIX

/// A file, or a slice of one, as it was when it was examined: exactly this many bytes of exactly this file are sent, or
/// nothing.
public struct FileSlice: Hashable, Sendable {
  /// Tells whether the file is still the same.
  public struct Identity: Hashable, Sendable {
    /// The number of the file system (`st_dev`).
    public let device: UInt64
    /// The file's number in it (`st_ino`).
    public let inode: UInt64
    /// Bytes.
    public let size: Int
    /// Since 1970.
    public let modified: Duration
  }

  /// As it was given.
  public let path: String
  /// The file as it was when it was examined.
  public let identity: Identity
  /// Where the slice begins, in bytes.
  public let offset: Int
  /// How long the slice is, in bytes.
  public let count: Int

  /// The whole file.
  ///
  /// - Throws: `FileError` if there is no such file, it cannot be read, or it is not a regular file.
  public init(path: String) throws(FileError) {
    // For the system a path ends at a zero byte: it would open another file.
    guard !path.utf8.contains(0) else { throw FileError.unreadable(path: path, reason: SystemError(number: EINVAL)) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError.unreadable(path: path, reason: .current) }
    defer { close(descriptor) }
    identity = try Identity(of: descriptor, path: path)
    self.path = path
    offset = 0
    count = identity.size
  }

  private init(of file: FileSlice, offset: Int, count: Int) {
    path = file.path
    identity = file.identity
    self.offset = offset
    self.count = count
  }

  /// The last component of the path.
  public var name: String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Hands the slice over in pieces of at most 64 KiB.
  ///
  /// - Throws: `FileError` if it is no longer the file that was examined.
  public func forEachChunk(_ body: ([UInt8]) -> Void) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError.unreadable(path: path, reason: .current) }
    let file = SpoolFile(takingOver: descriptor, count: identity.size)
    guard try Identity(of: descriptor, path: path) == identity else { throw .changed(path: path) }
    var done = 0
    while done < count {
      let chunk = try file.read(from: offset + done, count: min(65_536, count - done))
      body(chunk)
      done += chunk.count
    }
  }

  /// A part of this slice; bounds beyond it are clamped.
  public func slice(offset: Int, count: Int) -> FileSlice {
    let start = min(max(offset, 0), self.count)
    return FileSlice(of: self, offset: self.offset + start, count: min(max(count, 0), self.count - start))
  }

  /// This slice with that many more bytes of its file before and after it, as far as they exist.
  package func widened(by margin: Int) -> FileSlice {
    let before = min(margin, offset)
    let after = min(margin, max(0, identity.size - offset - count))
    return FileSlice(of: self, offset: offset - before, count: before + count + after)
  }
}

extension FileSlice.Identity {
  /// The identity of an open file.
  ///
  /// - Throws: `FileError` if it is not a regular file.
  public init(of descriptor: Int32, path: String) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: .current) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    #if canImport(Glibc)
      let time = status.st_mtim
    #else
      let time = status.st_mtimespec
    #endif
    modified = .since1970(time)
  }
}

/// What went wrong with a file of the user's.
public enum FileError: Error, Hashable, Sendable {
  /// It cannot be opened or read.
  case unreadable(path: String, reason: SystemError)
  /// It cannot be written.
  case unwritable(path: String, reason: SystemError)
  /// A directory that it needs would be made where a symbolic link leads, outside of where it belongs.
  case outside(path: String)
  /// A pipe that nobody reads, so that writing to it would wait.
  case unread(path: String)
  /// A directory, a device, a pipe: it has no length to announce.
  case notRegular(path: String)
  /// A device, or a pipe that is not standard input: it may have no end, or never begin.
  case notAFile(path: String)
  /// It is longer than the limit for reading a whole file, in bytes.
  case tooLong(path: String, limit: Int)
  /// It is not what it was when its length was announced.
  case changed(path: String)
}

extension FileError {
  /// Whether there is nothing at the path.
  package var isMissing: Bool {
    if case .unreadable(_, let reason) = self { reason.isAbsence } else { false }
  }
}

extension FileError: CustomStringConvertible {
  /// One sentence: what happened to which file, and what to do.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \"\(path)\": \(reason)"
    case .unwritable(let path, let reason): "cannot write \(path == "-" ? "standard output" : path): \(reason)"
    case .outside(let path):
      "cannot write \(path): no directory is made where a symbolic link leads out of the script's own; make it first"
    case .unread(let path): "nobody reads the pipe \"\(path)\": start what reads it first"
    case .notRegular(let path): "\"\(path)\" is not a regular file, so it has no length to announce"
    case .notAFile(let path):
      "\"\(path)\" is not a regular file; besides regular files only standard input is read, written as -"
    case .tooLong(let path, let limit):
      "\(path == "-" ? "standard input" : "\"\(path)\"") is longer than \(limit >> 20) MiB, the most that can be read"
    case .changed(let path): "\"\(path)\" changed while it was being sent; send it again once it no longer changes"
    }
  }
}

/// An error number of the system (`errno`).
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `errno`, as the system's headers have it.
  public let number: Int32

  public init(number: Int32) {
    self.number = number
  }

  /// The error of this thread's last failed call.
  public static var current: SystemError { SystemError(number: errno) }

  /// Whether there is nothing at the path.
  package var isAbsence: Bool { number == ENOENT || number == ENOTDIR }

  /// `No such file or directory`; a full disk has its own wording.
  public var description: String {
    switch number {
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota is used up"
    default: String(cString: strerror(number))
    }
  }
}
