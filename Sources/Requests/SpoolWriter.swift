import POSIX

/// Writes a temporary file that only this process can open.
package final class SpoolWriter {
  private static let name = "a temporary file for the response"

  package static var directory: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  private var descriptor: Int32
  private var count = 0

  package init() throws(FileError) {
    var template = Array("\(Self.directory)/workbench-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw .unwritable(path: Self.name, reason: .current) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  package func write(_ chunk: UnsafeRawBufferPointer) throws(FileError) {
    do throws(SystemError) {
      try FileBytes.write(chunk, to: descriptor)
    } catch {
      throw .unwritable(path: Self.name, reason: error)
    }
    count += chunk.count
  }

  package func finish() throws(FileError) -> SpoolFile {
    defer { descriptor = -1 }
    return SpoolFile(takingOver: descriptor, count: count)
  }
}
