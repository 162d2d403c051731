public import Foundation

/// Conformance data of others, which is not part of this package: `Scripts/fetch-suites` puts it into `.build-suites`.
/// It may also be in `shared/suites` beside the repository, or beside a folder around it.
///
/// Whoever does without says so in a line of the test's output that begins with `SKIPPED`, and how to get it.
public struct ConformanceSuite: Sendable {
  /// nil: it is not here.
  public let folder: URL?

  public var isHere: Bool { folder != nil }

  /// - Parameters:
  ///   - name: its folder: `cookies`.
  ///   - file: a file or folder in it that has to be there.
  ///   - purpose: what is not checked without it: `no cookie is checked against the HTTP state suite`.
  public init(_ name: String, file: String, purpose: String) {
    folder = Self.places.lazy.map { $0.appending(path: name) }.first {
      FileManager.default.fileExists(atPath: $0.appending(path: file).path)
    }
    if folder == nil { print("SKIPPED: \(purpose); to get it: Scripts/fetch-suites") }
  }

  /// What a suite that is not run says.
  public static let absence: String = "it is not here; to get it: Scripts/fetch-suites"

  private static var places: [URL] {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    var places = [folder.appending(path: "../../.build-suites").standardizedFileURL]
    while folder.path != "/" {
      places.append(folder.appending(path: "shared/suites"))
      folder.deleteLastPathComponent()
    }
    return places
  }

  /// The bytes of a file.
  public func bytes(_ path: String) -> [UInt8]? {
    folder.flatMap { try? Data(contentsOf: $0.appending(path: path)) }.map { Array($0) }
  }

  /// The files of a folder by name.
  public func files(_ path: String, prefix: String = "") throws -> [(name: String, bytes: [UInt8])] {
    guard let folder = folder?.appending(path: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(prefix) }.sorted()
      .map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
  }
}
