import JSONValue

/// The first byte chooses what the others are tried as.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = bytes.first else { return 0 }
  switch choice % 3 {
  case 0: tryJSON(Array(bytes.dropFirst()))
  case 1: tryPath(String(decoding: bytes.dropFirst(), as: UTF8.self))
  default: tryPattern(String(decoding: bytes.dropFirst(), as: UTF8.self))
  }
  return 0
}

/// Parser and validator agree, and what is printed reads back the same.
private func tryJSON(_ bytes: [UInt8]) {
  let parsed = Result { () throws(JSONSyntaxError) in try JSON(parsing: bytes) }
  let validated = Result { () throws(JSONSyntaxError) in try JSONParser().validate(bytes) }
  switch (parsed, validated) {
  case (.success(let value), .success):
    let printed = JSONPrinter.pretty.print(value)
    precondition((try? JSON(parsing: printed)) == value, "what was printed reads back as something else")
    guard let document = try? JSONDocument(bytes), let path = try? JSONPath("$..[?@ == @[0] || @.a < 1][*,-1,0:2]"),
      let keys = try? JSONPath("$..['a','']")
    else {
      preconditionFailure("a document is refused that was parsed")
    }
    precondition(document.json == value, "a document is not the value of its text")
    precondition(document.nodes(of: path) == path.nodes(in: value), "a path finds something else in the text")
    precondition(document.values(of: keys) == keys.values(in: value), "keys are found elsewhere in the text")
  case (.failure(let left), .failure(let right)):
    precondition(left == right && left.offset <= bytes.count)
  case (.success, .failure), (.failure, .success):
    preconditionFailure("parser and validator disagree")
  }
}

/// A path that parses can be walked.
private func tryPath(_ text: String) {
  let json: JSON = ["a": [1, 2.5, "x", ["b": nil]], "b": ["a": ["a": true]], "": "é"]
  if let path = try? JSONPath(text) {
    precondition((try? JSONPath(path.description)) == path, "a path reads back as another")
    let nodes = path.nodes(in: json)
    for node in nodes.prefix(100) {
      precondition(node.location.path.values(in: json) == [node.value], "a node is not where its location says")
    }
  }
  _ = try? JSONPath.Filter(text, dialect: .reference)
}

/// A pattern that is accepted answers in time.
private func tryPattern(_ text: String) {
  let operand = JSONPath.Pattern(.literal(.string(text)))
  let subject = JSONPath.Operand.literal("aaaaaaaaaabbbbbbbbbb\n(é)-")
  let path = JSONPath([.child([.filter(.any([.match(subject, operand), .search(subject, operand)]))])])
  _ = path.values(in: [1])
}
