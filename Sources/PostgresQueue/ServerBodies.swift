internal import Requests
internal import RunStore

/// The large bodies of an operation's responses, in parts of a mebibyte.
struct ServerBodies {
  private static let part = 1 << 20
  /// A longer one is not kept: who takes the operation over knows that it was there.
  static let limit = 64 << 20

  private let operation: Int
  private let connection: ServerConnection

  init(_ operation: Int, _ connection: ServerConnection) {
    self.operation = operation
    self.connection = connection
  }

  func put(_ digest: String, _ body: ResponseBody) async throws(StoreError) {
    guard body.count <= Self.limit else { return }
    for (part, start) in stride(from: 0, to: body.count, by: Self.part).enumerated() {
      let bytes: [UInt8]
      do throws(FileError) {
        bytes = try body.bytes(from: start, limit: Self.part)
      } catch {
        throw .damaged("a large body")
      }
      _ = try await connection.ask(
        "INSERT INTO workbench.bodies VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        ["\(operation)", digest, "\(part)", "\\x" + Hex.text(bytes)])
    }
  }

  func fetch(_ digest: String, into records: ServerRecords) async throws(StoreError) {
    var pieces: [[UInt8]] = []
    while true {
      let rows = try await connection.ask(
        "SELECT encode(bytes, 'hex') FROM workbench.bodies WHERE operation = $1 AND digest = $2 AND part = $3",
        ["\(operation)", digest, "\(pieces.count)"])
      guard let text = rows.first?.first.flatMap(\.self) else { break }
      pieces.append(Hex.bytes(text))
    }
    if !pieces.isEmpty { try records.keep(pieces) }
  }
}

/// Bytes as PostgreSQL writes them.
enum Hex {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// - Parameter text: digits in lowercase.
  static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for digit in text.utf8 {
      let value = digit < 0x40 ? digit &- 0x30 : digit &- 0x57
      if let first = high {
        bytes.append(first << 4 | value & 15)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}
