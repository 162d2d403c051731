import Foundation

/// Third-party conformance data, which is not part of this package.
enum Suites {
  /// `../shared/suites` next to the repository, or next to a directory around it; nil if there is none.
  static let folder: URL? = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let suites = folder.appending(path: "shared/suites")
      if FileManager.default.fileExists(atPath: suites.path) { return suites }
      folder.deleteLastPathComponent()
    }
    print("SKIPPED: ../shared/suites is not there, so nothing was checked against JSONTestSuite and the JSONPath suite")
    return nil
  }()

  /// The files of a directory of the suites by name.
  static func files(_ path: String, prefix: String = "") throws -> [(name: String, bytes: [UInt8])] {
    guard let folder = folder?.appending(path: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(prefix) }.sorted()
      .map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
  }
}
