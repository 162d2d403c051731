/// A JSON text that was checked as a whole and stays as it is: paths are walked on its bytes, and only what they find
/// is made into values. So a large document takes no more memory than its bytes, and none of its own if it is a file.
///
///     let document = try JSONDocument(path: file)
///     let names = document.values(of: try JSONPath("$.items[*].name"))
public struct JSONDocument: Sendable {
  /// Why a file is not a document.
  public enum FileError: Error, Hashable, Sendable {
    /// The system's error number.
    case unreadable(Int32)
    /// Its text is not JSON.
    case syntax(JSONSyntaxError)
  }

  private let text: TextBytes
  /// Where the members of the outermost object begin; nil if they are many.
  let members: [Int]?

  /// The text's bytes in UTF-8.
  public init(_ bytes: [UInt8], parser: JSONParser = JSONParser()) throws(JSONSyntaxError) {
    members = try JSONValue.withBytes(bytes) { bytes throws(JSONSyntaxError) in try parser.members(of: bytes) }
    text = .array(bytes)
  }

  /// A file, mapped if possible, else read to its end.
  public init(path: String, parser: JSONParser = JSONParser()) throws(FileError) {
    try self.init(try TextBytes(path: path), parser)
  }

  /// The content of an open file or pipe. The descriptor remains the caller's, and may be closed.
  public init(descriptor: Int32, parser: JSONParser = JSONParser()) throws(FileError) {
    try self.init(try TextBytes(descriptor: descriptor), parser)
  }

  private init(_ text: TextBytes, _ parser: JSONParser) throws(FileError) {
    do throws(JSONSyntaxError) {
      members = try text.withBytes { bytes throws(JSONSyntaxError) in try parser.members(of: bytes) }
    } catch {
      throw .syntax(error)
    }
    self.text = text
  }

  /// The bytes in place, only for the duration of the call.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try text.withBytes(body)
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

extension JSON {
  /// The value of a whole file, which is mapped if possible, and not kept.
  public init(path: String, parser: JSONParser = JSONParser()) throws(JSONDocument.FileError) {
    let text = try TextBytes(path: path)
    do throws(JSONSyntaxError) {
      self = try text.withBytes { bytes throws(JSONSyntaxError) in try parser.parse(bytes) }
    } catch {
      throw .syntax(error)
    }
  }
}
