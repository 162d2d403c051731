internal import POSIX
internal import Requests
internal import Sessions
internal import Synchronization

/// A file that has no name until it is complete, so that a process that is killed leaves nothing of it. What is not a
/// regular file, a pipe or a device, is written immediately.
final class OutputDraft: FileDraft {
  private struct State {
    /// -1: it is closed.
    var descriptor: Int32
    /// Where it is until it is complete, on file systems that know no files without names.
    var temporary: String?
  }

  private let path: String
  /// The file that is replaced; nil: it is written directly.
  private let target: String?
  private let state: Mutex<State>

  /// - Parameter isPrivate: whether only its owner may read it.
  init(_ path: String, isPrivate: Bool = false) throws(FileError) {
    self.path = path
    var status = stat()
    if path == "-" {
      target = nil
      state = Mutex(State(descriptor: STDOUT_FILENO))
      return
    }
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      try OutputFile.check(path)
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .unwritable(path: path, reason: .current) }
      target = nil
      state = Mutex(State(descriptor: descriptor))
      return
    }
    // A link stays a link.
    var replaced = path
    if let resolved = realpath(path, nil) {
      replaced = String(cString: resolved)
      free(resolved)
      guard access(replaced, W_OK) == 0 else { throw .unwritable(path: path, reason: .current) }
    }
    let begun = try Self.begin(beside: replaced, of: path, mode: isPrivate ? 0o600 : 0o666)
    target = replaced
    state = Mutex(begun)
  }

  deinit { discard() }

  private static func begin(
    beside target: String, of path: String, mode: mode_t
  ) throws(FileError) -> State {
    #if canImport(Glibc)
      // `O_TMPFILE`, which Swift's importer does not see.
      let nameless = open(
        ScriptFile.directory(orHere: target), O_WRONLY | 0o20_000_000 | O_DIRECTORY | O_CLOEXEC, mode)
      if nameless >= 0 { return State(descriptor: nameless) }
    #endif
    let temporary = "\(target).\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .unwritable(path: path, reason: .current) }
    return State(descriptor: descriptor, temporary: temporary)
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    let failure: SystemError? = state.withLock { state in
      do throws(SystemError) {
        try FileBytes.write(bytes, to: state.descriptor)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw .unwritable(path: path, reason: failure) }
  }

  func replace(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    // What is written directly is not ours from its beginning, or cannot be written again.
    guard target != nil else { return }
    let failure: SystemError? = state.withLock { state in
      var done = 0
      while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes {
          pwrite(state.descriptor, $0.baseAddress, $0.count, off_t(offset + done))
        }
        if count > 0 {
          done += count
        } else if count == 0 || errno != EINTR {
          return .current
        }
      }
      return nil
    }
    if let failure { throw .unwritable(path: path, reason: failure) }
  }

  func commit() throws(FileError) {
    let failure: SystemError? = state.withLock { state in
      defer { close(&state) }
      guard let target else { return nil }
      #if canImport(Glibc)
        if state.temporary == nil {
          // A file without a name can be given one that is free only; it then replaces the other in one step.
          let name = "\(target).\(getpid()).new"
          unlink(name)
          guard linkat(AT_FDCWD, "/proc/self/fd/\(state.descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
            return .current
          }
          state.temporary = name
        }
      #endif
      guard let temporary = state.temporary else { return SystemError(number: EBADF) }
      guard rename(temporary, target) == 0 else {
        let reason = SystemError.current
        unlink(temporary)
        return reason
      }
      return nil
    }
    if let failure { throw .unwritable(path: path, reason: failure) }
  }

  func discard() {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      if target != nil, let temporary = state.temporary { unlink(temporary) }
      close(&state)
    }
  }

  private func close(_ state: inout State) {
    if state.descriptor > STDERR_FILENO { Self.close(state.descriptor) }
    state.descriptor = -1
  }

  private static func close(_ descriptor: Int32) {
    _ = POSIX.close(descriptor)
  }
}

extension ScriptFile {
  /// The directory of a path; `.` for a bare name.
  fileprivate static func directory(orHere path: String) -> String {
    let directory = directory(of: path)
    return directory.isEmpty ? "." : directory
  }
}
