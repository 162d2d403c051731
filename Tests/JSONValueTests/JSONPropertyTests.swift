import JSONValue
import Testing

/// Properties of all values and all bytes, tested on many that a seed determines.
@Suite struct JSONPropertyTests {
  static let seeds: [UInt64] = Array(1...8)

  @Test(arguments: seeds)
  func `whatever is printed reads back the same, however it is printed`(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    for _ in 0..<300 {
      let value = JSON.random(depth: 5, &random)
      let (compact, pretty) = (JSONPrinter.compact.print(value), JSONPrinter.pretty.print(value))
      let parsed = try JSON(parsing: compact)
      #expect(parsed == value)
      #expect(parsed.hashValue == value.hashValue)
      #expect(try JSON(parsing: pretty) == value)
      #expect(JSONPrinter.compact.print(parsed) == compact)
      #expect(try JSONPrinter.compact.reprint(pretty) == compact)
      #expect(try JSONPrinter.pretty.reprint(compact) == pretty)
      #expect(try JSONDocument(pretty).json == value)
    }
  }

  @Test(arguments: seeds)
  func `changed bytes are read as before or refused, and always by both parser and validator`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed)
    for _ in 0..<300 {
      var bytes = JSONPrinter.compact.print(JSON.random(depth: 4, &random))
      for _ in 0..<Int.random(in: 1...3, using: &random) { bytes.mutate(&random) }
      let parsed = Result { () throws(JSONSyntaxError) in try JSON(parsing: bytes) }
      let validated = Result { () throws(JSONSyntaxError) in try JSONParser().validate(bytes) }
      switch (parsed, validated) {
      case (.success(let value), .success):
        #expect(try JSON(parsing: JSONPrinter.compact.print(value)) == value)
        let bare = try JSONPrinter.compact.reprint(bytes)
        #expect(try JSON(parsing: bare) == value)
      case (.failure(let left), .failure(let right)):
        #expect(left == right)
        #expect((0...bytes.count).contains(left.offset))
      case (.success, .failure), (.failure, .success):
        Issue.record("parser and validator disagree about \(bytes)")
      }
    }
  }

  @Test(arguments: seeds)
  func `each node is where its location says, on values and on their text`(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let paths = try [
      "$..*", "$.*.*", "$..[0,-1]", "$[1:3]..[?@ > 1]", "$..[?length(@) > 1]", "$..a", "$..['b','a','b']..c",
    ].map { try JSONPath($0) }
    for _ in 0..<40 {
      let value = JSON.random(depth: 4, &random)
      let document = try JSONDocument(JSONPrinter.pretty.print(value))
      for path in paths {
        let nodes = path.nodes(in: value)
        #expect(document.nodes(of: path) == nodes)
        #expect(document.values(of: path) == nodes.map(\.value))
        // Of repeated keys, only the last is found by its location.
        let lasts = nodes.filter { $0.location.path.values(in: value) == [$0.value] }
        if !value.hasRepeatedKeys { #expect(lasts.count == nodes.count) }
        for node in lasts { #expect(try JSONPath(node.location.description) == node.location.path) }
      }
    }
  }

  @Test(arguments: seeds)
  func `numbers are ordered and equal as their exact values are`(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    for _ in 0..<500 {
      let (left, right) = (Int.random(in: -2000...2000, using: &random), Int.random(in: -2000...2000, using: &random))
      // The same numbers, a hundred times smaller and written differently.
      let scaled = try #require(JSONNumber("\(left)e-2"))
      let other = try #require(JSONNumber("\(right)0.0e-3"))
      #expect((scaled < other) == (left < right))
      #expect((scaled == other) == (left == right))
      if scaled == other { #expect(scaled.hashValue == other.hashValue) }
      let double = Double(bitPattern: random.next())
      if let number = JSONNumber(double) {
        #expect(number.double?.bitPattern == double.bitPattern)
        #expect(number.exactDouble?.bitPattern == double.bitPattern)
      }
    }
  }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

extension JSON {
  static func random(depth: Int, _ random: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .number(.random(&random))
    case 3, 4: return .string(.random(&random))
    case 5, 6:
      let count = Int.random(in: 0...5, using: &random)
      return .object(JSONObject((0..<count).map { _ in (.random(&random), .random(depth: depth - 1, &random)) }))
    default: return .array((0..<Int.random(in: 0...5, using: &random)).map { _ in .random(depth: depth - 1, &random) })
    }
  }

  fileprivate var hasRepeatedKeys: Bool {
    switch self {
    case .object(let object): !object.repeatedKeys.isEmpty || object.members.contains { $0.value.hasRepeatedKeys }
    case .array(let elements): elements.contains(where: \.hasRepeatedKeys)
    case .string, .number, .bool, .null: false
    }
  }
}

extension JSONNumber {
  fileprivate static func random(_ random: inout SeededGenerator) -> JSONNumber {
    func digits(_ count: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: count, using: &random)).map { _ in Character("\(Int.random(in: 0...9, using: &random))") })
    }
    var text = Bool.random(using: &random) ? "-" : ""
    text += Bool.random(using: &random) ? "0" : "\(Int.random(in: 1...9, using: &random))\(digits(0...20))"
    if Bool.random(using: &random) { text += ".\(digits(1...20))" }
    if Bool.random(using: &random) {
      text += ["e", "E", "e+", "e-"].randomElement(using: &random).map { $0 + digits(1...4) } ?? ""
    }
    return JSONNumber(text) ?? JSONNumber(0)
  }
}

extension String {
  fileprivate static func random(_ random: inout SeededGenerator) -> String {
    // A few short keys, so that some are repeated.
    let scalars: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x20...0x7F, 0x61...0x63, 0x80...0x7FF, 0x800...0xFFFF, 0x10000...0x10FFFF,
    ]
    let length = Bool.random(using: &random) ? 1 : Int.random(in: 0...20, using: &random)
    return String(
      String.UnicodeScalarView(
        (0..<length).compactMap { _ in
          Unicode.Scalar(UInt32.random(in: scalars.randomElement(using: &random) ?? 0x61...0x63, using: &random))
        }))
  }
}

extension [UInt8] {
  fileprivate mutating func mutate(_ random: inout SeededGenerator) {
    let index = Int.random(in: 0...count, using: &random)
    let byte =
      Bool.random(using: &random)
      ? UInt8.random(in: 0...255, using: &random) : Array("{}[]:,\"\\ue0-. ".utf8).randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<4, using: &random) {
    case 0: insert(byte, at: index)
    case 1 where index < count: self[index] = byte
    case 2 where index < count: remove(at: index)
    default: removeSubrange(index...)
    }
  }
}
