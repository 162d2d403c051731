package import JSONValue
internal import Requests

/// A file with values for names: a map in JSON or YAML.
package struct ValueFile: Sendable {
  package let values: JSONObject

  /// - Parameter path: one that ends with `.json` is JSON, with `.yaml` or `.yml` YAML; `-` is standard input, and any
  ///   other is JSON if it begins with `{`.
  package init(_ path: String, in world: World) throws(OutsideFileError) {
    try self.init(try world.readOutside(path), path: path)
  }

  package init(_ bytes: [UInt8], path: String) throws(OutsideFileError) {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    let name = path == "-" ? "<stdin>" : path
    let value: JSON
    if Self.isJSON(bytes, path: path) {
      do {
        value = try JSON(parsing: bytes)
      } catch {
        throw .content(path: name, line: nil, problem: "this is not JSON: \(error)")
      }
    } else {
      value = try YAMLText(bytes, path: name).value
    }
    guard let object = value.object else {
      throw .content(
        path: name, line: nil, problem: "this is not a map of names and values",
        advice: ["such as: {\"name\": \"ann\"}"])
    }
    if let repeated = object.repeatedKeys.first {
      throw .content(path: name, line: nil, problem: "\"\(CutText.cut(repeated, to: 40))\" is in it twice")
    }
    values = object
  }

  private static func isJSON(_ bytes: [UInt8], path: String) -> Bool {
    let name = path.lowercased()
    if name.hasSuffix(".json") { return true }
    if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { return false }
    return bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "{")
  }
}
