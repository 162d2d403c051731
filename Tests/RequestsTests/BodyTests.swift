import Foundation
import HTTPTypes
import Requests
import Testing

@Suite struct BodyTests {
  @Test func `a multipart body keeps the order, the values and the names`() throws {
    let file = try TemporaryFile(bytes: Array("PNG".utf8), name: "a.png")
    let parts: [MultipartPart] = [
      .text("key", "u/1\r\n\"x\""), .text("na\"me", "v"), .file("file", try FileSlice(path: file.path)),
    ]
    let description = RequestDescription.multipart(
      MultipartRequestDescription(RequestHead(.post, .url("http://h/")), parts: parts))
    let segments = try #require(description.bodySegments(boundary: "B"))
    let text = try segments.map { segment in
      switch segment {
      case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
      case .file(let slice): try String(contentsOfFile: slice.path, encoding: .utf8)
      }
    }.joined()
    #expect(
      text == """
        --B\r
        Content-Disposition: form-data; name="key"\r
        \r
        u/1\r\n"x"\r
        --B\r
        Content-Disposition: form-data; name="na%22me"\r
        \r
        v\r
        --B\r
        Content-Disposition: form-data; name="file"; filename="a.png"\r
        Content-Type: image/png\r
        \r
        PNG\r
        --B--\r\n
        """)
    #expect(segments.reduce(0) { $0 + $1.count } == text.utf8.count)
  }

  @Test func `a slice stays within its file`() throws {
    let file = try TemporaryFile(bytes: Array(0..<10))
    let whole = try FileSlice(path: file.path)
    let slice = whole.slice(offset: 4, count: 100)
    #expect((slice.offset, slice.count) == (4, 6))
    let inner = slice.slice(offset: 2, count: 2)
    #expect((inner.offset, inner.count) == (6, 2))
    #expect(whole.slice(offset: -1, count: -1).count == 0)
  }

  @Test func `a missing file and a directory are refused when they are opened`() throws {
    #expect(throws: FileError.unreadable(path: "/does/not/exist", reason: SystemError(number: ENOENT))) {
      try FileSlice(path: "/does/not/exist")
    }
    #expect(throws: FileError.notRegular(path: "/")) { try FileSlice(path: "/") }
    #expect(throws: FileError.notRegular(path: "/dev/null")) { try FileSlice(path: "/dev/null") }
  }

  @Test(arguments: [
    ("application/json", true), ("application/problem+json; charset=utf-8", true), ("APPLICATION/JSON ;x", true),
    ("text/html", false), ("application/jsonp", false), ("", false),
  ])
  func `a JSON media type is recognized by its essence`(type: String, isJSON: Bool) {
    #expect(MediaType.isJSON(type) == isJSON)
  }
}

/// A file that is removed when the test is over.
final class TemporaryFile {
  let path: String

  init(bytes: [UInt8], name: String = "file") throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let url = directory.appending(path: name)
    try Data(bytes).write(to: url)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
  }
}
