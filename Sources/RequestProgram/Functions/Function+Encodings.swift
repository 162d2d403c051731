import JSONValue
import Requests

/// Functions that encode and decode.
extension Function {
  static let encodings: [Function] = [
    base64, base64Decode, base64URL, hex, urlEncode, urlDecode, queryParam, toText, json, parseJSON, parseCSV,
  ]

  private static let base64 = Function(
    "base64", makes: "encodes", example: "\"a\" | base64", of: .content, gives: .string
  ) { call throws(ProgramError) in Value(.string(Base64.encode(try call.bytes(call.input)))) }

  private static let base64Decode = Function(
    "base64-decode", makes: "decodes, also with the URL alphabet", example: "\"YQ==\" | base64-decode", of: .text,
    gives: .bytes
  ) { call throws(ProgramError) in
    guard let bytes = Base64.decode(try call.text()) else {
      throw call.failure(.invalidEncoding("valid base64", Quoted(written: "")))
    }
    return Value(.bytes(bytes))
  }

  private static let base64URL = Function(
    "base64-url", makes: "encodes with the URL alphabet", example: "\"a\" | base64-url", of: .content, gives: .string
  ) { call throws(ProgramError) in
    Value(.string(Base64.encodeForURL(try call.bytes(call.input))))
  }

  private static let hex = Function(
    "hex", makes: "as hexadecimal digits", example: "\"a\" | hex", of: .content, gives: .string
  ) { call throws(ProgramError) in
    let bytes = try call.bytes(call.input)
    try call.check(bytes.count, times: 2)
    return Value(.string(bytes.hex))
  }

  private static let queryParam = Function(
    "query-param", taking: "(\"name\")", makes: "a parameter of a URL's query, decoded",
    example: "\"https://a.test/?q=1\" | query-param(\"q\")", of: .text, arity: 1...1, gives: .string
  ) { call throws(ProgramError) in
    let url = try call.text()
    let name = try call.text(call.arguments[0])
    let query = url.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    for pair in query.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        percentDecoded(String($0).replacing("+", with: " "))
      }
      if sides[0] == name { return Value(.string((sides.count > 1 ? sides[1] : "") ?? "")) }
    }
    throw call.failure(.nothing("the query of the URL has no such parameter"))
  }

  private static let toText = Function(
    "to-text", taking: "(\"utf-8\")", makes: "text from bytes, in UTF-8 or that charset",
    example: "\"YQ==\" | base64-decode | to-text", of: .content, arity: 0...1, gives: .string,
    fault: { name in
      Charset(name) == nil ? .other("a charset that this machine knows, and \(name) is not one of them") : nil
    }
  ) { call throws(ProgramError) in
    let bytes = try call.bytes(call.input)
    let argument = call.arguments.first
    let name = try argument.map { argument throws(ProgramError) in try call.text(argument) } ?? "utf-8"
    guard let charset = Charset(name) else {
      throw call.failure(.arguments(function: call.name, wanted: "a charset that this machine knows"))
    }
    try call.check(bytes.count, times: 4)
    do throws(CharsetError) {
      return Value(.string(try charset.text(bytes)))
    } catch {
      throw call.failure(.invalidEncoding("\(name): byte \(error.offset) is not part of it", Quoted(written: "")))
    }
  }

  private static let urlEncode = Function(
    "url-encode", makes: "percent-encodes", example: "\"a b\" | url-encode", of: .text, gives: .string
  ) { call throws(ProgramError) in Value(.string(PercentEncoding.component.encode(try call.text()))) }

  private static let urlDecode = Function(
    "url-decode", makes: "percent-decodes", example: "\"a%20b\" | url-decode", of: .text, gives: .string
  ) { call throws(ProgramError) in
    guard let decoded = percentDecoded(try call.text()) else {
      throw call.failure(.invalidEncoding("valid percent-encoding", Quoted(written: "")))
    }
    return Value(.string(decoded))
  }

  private static let json = Function(
    "json", makes: "as JSON text", example: "{ a: 1 } | json", of: .json, gives: .string
  ) { call throws(ProgramError) in
    guard let json = call.input.value.json else {
      throw call.failure(.wrongKind(wanted: "a JSON value", actual: call.input.value.kind), call.input)
    }
    return Value(.string(json.description))
  }

  private static let parseJSON = Function(
    "parse-json", makes: "JSON from text", example: "\"[1]\" | parse-json", of: .content, gives: { _ in nil }
  ) { call throws(ProgramError) in
    let bytes = try call.bytes(call.input)
    try call.checkParsed(bytes.count)
    return Value(try call.evaluator.json(bytes, call.range, of: call.input.value))
  }

  private static let parseCSV = Function(
    "parse-csv", makes: "rows of a table, keyed by its first line", example: "\"a,b\\n1,2\" | parse-csv",
    of: .table,
    gives: .array
  ) { call throws(ProgramError) in
    let text: String
    if case .file = call.input.value.content {
      text = String(decoding: try call.bytes(call.input), as: UTF8.self)
    } else {
      text = try call.text()
    }
    try call.checkParsed(text.utf8.count)
    return Value(CommaSeparatedValues.objects(text))
  }

  private static func percentDecoded(_ text: String) -> String? {
    var decoded: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
        return nil
      }
      decoded.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: decoded, as: UTF8.self)
  }
}
