import Foundation
import Requests
import Synchronization
import Testing

/// A body that becomes a file.
@Suite struct ResponseBodyTests {
  /// Moving it into place fails where a folder is.
  @Test func `a file that cannot be moved into place is closed once, since its number may be another's by then`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "workbench-body-\(UUID().uuidString)")
    let place = folder.appending(path: "taken")
    try FileManager.default.createDirectory(
      at: place.appending(path: "inside"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let isOver = Atomic(false)
    let others = Thread {
      while !isOver.load(ordering: .relaxed) {
        let descriptor = open("/dev/null", O_RDONLY)
        let result = close(descriptor)
        if descriptor >= 0, result != 0 { lost.store(true, ordering: .relaxed) }
      }
    }
    others.start()
    for _ in 0..<5_000 {
      #expect(throws: FileError.self) { try ResponseBody([1]).write(to: place.path) }
    }
    isOver.store(true, ordering: .relaxed)
    let isLost = lost.load(ordering: .relaxed)
    #expect(!isLost)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken"])
  }
}

/// Whether a descriptor of somebody else was closed.
private let lost = Atomic(false)
