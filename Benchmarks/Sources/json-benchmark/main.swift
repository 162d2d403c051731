// One operation on one file, a number of times in this process; the script beside the package makes a table of it.
//
//   json-benchmark OPERATION FILE TIMES [PATH]
//
// Prints the shortest time of one turn in seconds. Reading the file is part of it where it is for the others: Python's
// json.load and jq read it too.

import Foundation
import JSONValue

/// What the generated inputs hold, as types for `JSONDecoder`.
struct Item: Decodable {
  var id: Int
  var name: String
  var price: Double
  var active: Bool
  var tags: [String]
  var owner: Owner
  struct Owner: Decodable {
    var login: String
    var url: String
  }
}

struct Nested: Decodable {
  var child: [Nested]?
  var level: Int
}

struct UsageError: Error {}

/// One turn of an operation; what it makes is freed within it.
func operation(_ name: String, file: String, path: String) throws -> () throws -> Void {
  func bytes() throws -> [UInt8] {
    let handle = try FileHandle(forReadingFrom: URL(filePath: file))
    let size = Int(try handle.seekToEnd())
    return Array(unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let more = pread(handle.fileDescriptor, rest.baseAddress, rest.count, off_t(count))
        guard more > 0 else { return }
        count += more
      }
    }
  }
  switch name {
  case "parse": return { _ = try JSON(parsing: try bytes()) }
  case "validate": return { try JSONParser().validate(try bytes()) }
  case "print":
    let value = try JSON(parsing: try bytes())
    return { _ = JSONPrinter.compact.print(value) }
  case "select":
    let path = try JSONPath(path)
    return {
      let document = try JSONDocument(path: file)
      guard document.print(path, as: .lines, printer: .compact, chunks: { _ in }) > 0 else { throw UsageError() }
    }
  case "serialization-parse":
    return {
      _ = try JSONSerialization.jsonObject(with: try Data(contentsOf: URL(filePath: file)), options: .fragmentsAllowed)
    }
  case "serialization-print":
    let value = try JSONSerialization.jsonObject(with: try Data(contentsOf: URL(filePath: file)))
    return { _ = try JSONSerialization.data(withJSONObject: value) }
  case "decoder-parse":
    return {
      let data = try Data(contentsOf: URL(filePath: file))
      let decoder = JSONDecoder()
      switch URL(filePath: file).lastPathComponent.prefix(while: { $0 != "-" }) {
      case "objects": _ = try decoder.decode([Item].self, from: data)
      case "strings": _ = try decoder.decode([String].self, from: data)
      case "numbers": _ = try decoder.decode([Double].self, from: data)
      case "nested": _ = try decoder.decode([Nested].self, from: data)
      default: throw UsageError()
      }
    }
  default: throw UsageError()
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 4, let times = Int(arguments[3]) else { throw UsageError() }
let turn = try operation(arguments[1], file: arguments[2], path: arguments.count > 4 ? arguments[4] : "$")
var best = Duration.seconds(Int64.max)
let start = ContinuousClock.now
for _ in 0..<max(1, times) {
  best = min(best, try ContinuousClock().measure { try turn() })
  // Who is slow need not be slow so often.
  if ContinuousClock.now - start > .seconds(10) { break }
}
print(Double(best.components.seconds) + Double(best.components.attoseconds) / 1e18)
