import RequestSyntax
public import Requests
import Synchronization

/// Writes the files of snapshots as they have to be. What fits is not written.
public struct SnapshotUpdates: Sendable {
  /// Which files a run, or all runs of a suite, have compared a response with: another one has to fit, too.
  public final class Compared: Sendable {
    fileprivate let paths = Mutex<Set<String>>([])

    public init() {}
  }

  private let compared: Compared
  /// Whether something secret is in a text, as far as whoever runs the program knows.
  let isSecret: @Sendable (String) -> Bool
  private let write: @Sendable (_ path: String, _ directory: String, _ text: String) throws(FileError) -> Void

  /// - Parameters:
  ///   - isSecret: whether there is something in a text that is hidden wherever texts are shown.
  ///   - write: writes a file whole; the directory exists, but not necessarily those between it and the file.
  public init(
    _ compared: Compared, isSecret: @escaping @Sendable (String) -> Bool,
    write: @escaping @Sendable (_ path: String, _ directory: String, _ text: String) throws(FileError) -> Void
  ) {
    self.compared = compared
    self.isSecret = isSecret
    self.write = write
  }

  /// Makes the file fit.
  ///
  /// - Parameter revise: the text that it should have; nil: it fits. Told whether it has to fit others, too.
  /// - Returns: why it could not be written: one sentence.
  func update(
    _ test: SnapshotTest, _ readFile: (String) throws(FileError) -> [UInt8],
    _ revise: (_ file: SnapshotFile, _ isAdded: Bool) -> String?
  ) -> String? {
    compared.paths.withLock { paths in
      let file = SnapshotFile(test.path, readFile)
      if case .wrong(let reason) = file { return reason }
      let isAdded = !paths.insert(test.path).inserted
      guard let text = revise(file, isAdded) else { return nil }
      // Each text in it was looked at; this looks at what is around them, too.
      if isSecret(text) { return "a secret would be in \(test.path)" }
      do throws(FileError) {
        try write(test.path, test.directory, text)
        return nil
      } catch {
        return "\(error)"
      }
    }
  }
}
