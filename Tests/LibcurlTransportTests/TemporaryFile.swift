import Foundation

/// A file that is removed when the test is over.
final class TemporaryFile {
  let path = FileManager.default.temporaryDirectory.appending(path: "workbench-test-\(UUID().uuidString)").path

  init(_ bytes: [UInt8]) throws { try replace(bytes) }

  func replace(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
