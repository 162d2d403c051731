internal import JSONValue

extension JSON {
  /// The value of a text that the clause `json` writes as it is, apart from whitespace; nil: it is not JSON, is written in
  /// another way, such as with `\u0027` for `'`, or repeats a key, of which an object of the language keeps one.
  init?(asSent text: [UInt8]) {
    guard let json = try? JSON(parsing: text), json.repeatedKeys.isEmpty,
      (try? JSONPrinter.compact.reprint(text)) == JSONPrinter.compact.print(json)
    else { return nil }
    self = json
  }
}
