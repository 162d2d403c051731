import Foundation
import JSONValue
import Testing

@Suite struct JSONCodableTests {
  struct Sheet: Codable, Equatable {
    enum State: String, Codable { case draft, uploaded }
    struct Size: Codable, Equatable { var width: Double, height: Float }
    var uid: String
    var count: UInt64
    var price: Decimal
    var link: URL?
    var state: State
    var size: Size
    var tags: [String?]
    var counts: [String: Int8]
    var raw: JSON
    var matrix: [[Int]]
  }

  class Base: Codable {
    var id = 1
  }

  final class Derived: Base {
    var name = "n"
    enum Keys: CodingKey { case name }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      name = try container.decode(String.self, forKey: .name)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(name, forKey: .name)
      try super.encode(to: container.superEncoder())
    }
  }

  private func sheet() throws -> Sheet {
    Sheet(
      uid: "s-1", count: .max, price: try #require(Decimal(string: "19.90")), link: URL(string: "https://h/p?q"),
      state: .uploaded, size: .init(width: 1.5, height: 0.1), tags: ["a", nil], counts: ["x": -1],
      raw: try JSON(parsing: "[1.0,1e400]"), matrix: [[1], []])
  }

  @Test func `a type is encoded as JSON and decoded again`() throws {
    let json = try JSON(encoding: sheet())
    #expect(
      "\(json)" == #"{"uid":"s-1","count":18446744073709551615,"price":19.9,"link":"https://h/p?q","state":"uploaded","#
        + #""size":{"width":1.5,"height":0.1},"tags":["a",null],"counts":{"x":-1},"raw":[1.0,1e400],"matrix":[[1],[]]}"#
    )
    #expect(try json.decode(as: Sheet.self) == sheet())
  }

  @Test func `single values and superclasses are too`() throws {
    #expect(try JSON(encoding: 1) == 1)
    #expect(try JSON(encoding: "x") == "x")
    #expect(try JSON(encoding: Int?.none) == .null)
    #expect(try (.null as JSON).decode(as: Int?.self) == nil)
    #expect(try ([1, 2] as JSON).decode(as: [Double].self) == [1, 2])
    let derived = Derived()
    (derived.id, derived.name) = (5, "five")
    let json = try JSON(encoding: derived)
    #expect(json == ["name": "five", "super": ["id": 5]])
    #expect(try json.decode(as: Derived.self).id == 5)
  }

  @Test(arguments: [
    (#"{"a":1.5}"#, "a"), (#"{"a":"x"}"#, "a"), (#"{"a":null}"#, "a"), (#"{"a":1e30}"#, "a"), (#"{"b":1}"#, ""),
    ("[1]", ""),
  ])
  func `anything that does not fit is an error with its place`(text: String, place: String) throws {
    struct Holder: Decodable { var a: Int }
    let json = try JSON(parsing: text)
    let error = #expect(throws: DecodingError.self) { try json.decode(as: Holder.self) }
    let path: [any CodingKey]
    switch try #require(error) {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      path = context.codingPath
    case .keyNotFound(let key, let context):
      #expect(key.stringValue == "a")
      path = context.codingPath
    @unknown default: path = []
    }
    #expect(path.map(\.stringValue).joined(separator: ".") == place)
  }

  @Test func `anything that JSON does not have is refused`() {
    #expect(throws: EncodingError.self) { try JSON(encoding: Double.nan) }
    #expect(throws: EncodingError.self) { try JSON(encoding: [Float.infinity]) }
  }

  @Test func `JSON passes through Foundation's coders`() throws {
    let json = try JSON(parsing: #"{"a":[1,-2.5,true,null,"x",18446744073709551615],"b":{"c":{}}}"#)
    let data = try JSONEncoder().encode(json)
    #expect(try JSON(parsing: data) == json)
    #expect(try JSONDecoder().decode(JSON.self, from: data) == json)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(JSON(parsing: "1e400")) }
  }
}
