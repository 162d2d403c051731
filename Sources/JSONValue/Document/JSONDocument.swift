#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A JSON text that was checked as a whole and stays what it is: paths are walked on its bytes, and only what they find
/// is made a value. So a large document costs no more memory than its bytes, and none of its own if it is a file.
///
///     let document = try JSONDocument(path: file)
///     let names = document.values(of: try JSONPath("$.items[*].name"))
public struct JSONDocument: Sendable {
  private enum Storage {
    case bytes([UInt8])
    case file(MappedFile)
  }

  /// Why a file is no document.
  public enum FileError: Error, Hashable, Sendable {
    /// The system's error number.
    case unreadable(Int32)
    case syntax(JSONSyntaxError)
  }

  private let storage: Storage

  /// The text's bytes in UTF-8.
  public init(_ bytes: [UInt8], parser: JSONParser = JSONParser()) throws(JSONSyntaxError) {
    try parser.validate(bytes)
    storage = .bytes(bytes)
  }

  /// A file, mapped if it can be, else read to its end.
  public init(path: String, parser: JSONParser = JSONParser()) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(errno) }
    defer { close(descriptor) }
    try self.init(descriptor: descriptor, parser: parser)
  }

  /// What an open file or pipe holds. The descriptor stays the caller's, and may be closed.
  public init(descriptor: Int32, parser: JSONParser = JSONParser()) throws(FileError) {
    if let file = MappedFile(descriptor: descriptor) {
      do throws(JSONSyntaxError) { try parser.validate(file.bytes) } catch { throw .syntax(error) }
      storage = .file(file)
    } else {
      let bytes = try Self.read(descriptor)
      do throws(JSONSyntaxError) { try parser.validate(bytes) } catch { throw .syntax(error) }
      storage = .bytes(bytes)
    }
  }

  private static func read(_ descriptor: Int32) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      #if canImport(Glibc)
        let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      #else
        let count = chunk.withUnsafeMutableBytes { Darwin.read(descriptor, $0.baseAddress, $0.count) }
      #endif
      if count == 0 { return bytes }
      if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw .unreadable(errno) }
    }
  }

  /// The bytes where they are, for the time of the call only.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch storage {
    case .bytes(let bytes):
      // Typed errors do not go through `withUnsafeBufferPointer`.
      let result = bytes.withUnsafeBufferPointer { buffer -> Swift.Result<Result, Failure> in
        do throws(Failure) { return .success(try body(buffer)) } catch { return .failure(error) }
      }
      return try result.get()
    case .file(let file):
      return try withExtendedLifetime(file) { () throws(Failure) in try body(file.bytes) }
    }
  }

  /// The document as one value.
  public var json: JSON {
    withBytes { JSONSlice($0).json }
  }

  /// The values that the path finds, in the order of `JSONPath.values(in:)`.
  public func values(of path: JSONPath, bindings: JSONPath.Bindings = { _ in nil }) -> [JSON] {
    withBytes { bytes in
      var values: [JSON] = []
      path.walk(JSONSlice(bytes), bindings, tracksLocations: false) { slice, _ in values.append(slice.json) }
      return values
    }
  }

  /// The nodes that the path finds: each value with its location.
  public func nodes(of path: JSONPath, bindings: JSONPath.Bindings = { _ in nil }) -> [JSONNode] {
    withBytes { bytes in
      var nodes: [JSONNode] = []
      path.walk(JSONSlice(bytes), bindings, tracksLocations: true) { slice, trail in
        nodes.append(JSONNode(location: trail.location, value: slice.json))
      }
      return nodes
    }
  }
}
