import JSONValue
import Testing

@Suite struct JSONTests {
  @Test func `literals and lifted values combine into one value`() throws {
    let (id, first, note): (Int, String, String?) = (7, "a", nil)
    let payload: JSON = [
      "id": ^id, "tags": [^first, "b"], "note": ^note, "on": true, "price": 9.5, "none": nil, "n": ^[1, 2],
    ]
    #expect("\(payload)" == #"{"id":7,"tags":["a","b"],"note":null,"on":true,"price":9.5,"none":null,"n":[1,2]}"#)
    #expect(^["b": 1, "a": 2] == (["a": 2, "b": 1] as JSON))
    #expect(^UInt64.max == .number(try #require(JSONNumber("18446744073709551615"))))
    #expect(^Double.nan == JSON.null)
    #expect("\(^Float(0.1))" == "0.1")
    #expect("v\(id)" == JSON.string("v7"))
  }

  @Test func `values are reached by key and by index`() throws {
    let json = try JSON(parsing: #"{"a": [1, {"b": null}, "x"], "c": 1.5}"#)
    #expect(json["a"]?[0]?.int == 1)
    #expect(json["a"]?[1]?["b"]?.isNull == true)
    #expect(json["a"]?[-1]?.string == "x")
    #expect(json["c"]?.double == 1.5)
    #expect(json["c"]?.int == nil)
    #expect(isMissing(json["a"]?[3]))
    #expect(isMissing(json["a"]?[-4]))
    #expect(isMissing(json["a"]?["b"]))
    #expect(isMissing(json["x"]))
    #expect(isMissing(json[0]))
  }

  @Test func `values can be changed in place`() {
    var json: JSON = ["a": [1, 2], "b": true]
    json["a"]?[0] = "one"
    json["a"]?[-1] = .some(nil)
    json["c"] = ["d": 1]
    json["c"]?["d"] = 2
    json["b"] = nil
    json["a"]?["no object"] = 1
    json[0] = 1
    #expect("\(json)" == #"{"a":["one",null],"c":{"d":2}}"#)
    json["a"]?[0] = nil
    #expect("\(json)" == #"{"a":[null],"c":{"d":2}}"#)
    var null = JSON.null
    null["a"] = 1
    #expect(null == ["a": 1])
  }

  @Test func `keys that occur twice are kept, and the last one counts`() throws {
    let text = #"{"a":1,"b":2,"a":3,"c":4,"b":5,"a":6}"#
    let json = try JSON(parsing: text)
    #expect("\(json)" == text)
    #expect(json["a"] == 6)
    #expect(json.object?.repeatedKeys == ["a", "b"])
    let nested = try JSON(parsing: #"{"x":[0,{"k":{},"k":{"l":1,"l":2,"l":3}}],"x":1}"#)
    #expect(nested.repeatedKeys.map(\.description) == ["$['x']", "$['x'][1]['k']", "$['x'][1]['k']['l']"])
    var object = try #require(json.object)
    object["a"] = 7
    #expect(object.keys == ["a", "b", "a", "c", "b", "a"])
    #expect(object["a"] == 7)
    object["b"] = nil
    #expect(object.keys == ["a", "a", "c", "a"])
  }

  @Test func `the order of members makes no difference, repeated ones and values do`() throws {
    let parse = { (text: String) throws in try JSON(parsing: text) }
    let value = try parse(#"{"a":1,"b":[1,{"c":2,"d":3}]}"#)
    let same = try parse(#"{"b":[1.0,{"d":3,"c":20e-1}],"a":1}"#)
    #expect(value == same)
    #expect(value.hashValue == same.hashValue)
    #expect(try value != parse(#"{"a":1,"b":[1,{"c":2,"d":4}]}"#))
    #expect(try value != parse(#"{"a":1}"#))
    #expect(try parse(#"{"a":1,"a":2,"b":3}"#) == parse(#"{"b":3,"a":1,"a":2}"#))
    #expect(try parse(#"{"a":1,"a":2,"b":3}"#) != parse(#"{"b":3,"a":2,"a":1}"#))
    #expect(try parse(#"{"a":1,"a":1,"b":3}"#) != parse(#"{"a":1,"b":3,"b":3}"#))
    #expect(try parse("[1,2]") != parse("[2,1]"))
    #expect(try parse("1") != parse("\"1\""))
    #expect(try parse("0") != parse("null"))
  }

  @Test func `composed and decomposed characters are two keys and two strings`() throws {
    let json = try JSON(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(json["\u{E9}"] == 1)
    #expect(json["e\u{301}"] == 2)
    #expect(json.object?.repeatedKeys == [])
    #expect(JSON.string("\u{E9}") != .string("e\u{301}"))
    #expect(try json != JSON(parsing: "{\"e\u{301}\":1,\"\u{E9}\":2}"))
  }
}

/// `== nil` would also be true for `null`, if it took the literal for one.
private func isMissing(_ value: JSON?) -> Bool {
  if case .none = value { true } else { false }
}
