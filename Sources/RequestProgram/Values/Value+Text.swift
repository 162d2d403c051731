import HTTPTypes
import JSONValue
import Requests

extension Value {
  /// Whether this is JSON's null.
  var isNull: Bool { content == .json(.null) }

  /// Its name in messages: `an object`, `a file`.
  var kind: String {
    switch content {
    case .json(.object), .names, .cookies, .headers, .headerLines, .timings, .request: "an object"
    case .json(.array), .list: "an array"
    case .json(.string): "a string"
    case .json(.number): "a number"
    case .json(.bool): "true or false"
    case .json(.null): "null"
    case .bytes: "bytes"
    case .digest: "a digest"
    case .file, .chunk: "a file"
    case .duration: "a duration"
    case .time: "a time"
    case .exchange: "a step"
    }
  }

  /// What keeps the value from being JSON: what it is, or what is in it.
  var kindOfNoJSON: String {
    switch content {
    case .list(let values): values.first { $0.json == nil }?.kindOfNoJSON ?? kind
    case .names(let names): names.values.first { $0.json == nil }?.kindOfNoJSON ?? kind
    case .bytes: "bytes that are not text"
    default: kind
    }
  }

  /// The text of values that have a plain one: strings, numbers, truth values, digests, times, bytes that are UTF-8.
  var text: String? {
    switch content {
    case .json(.string(let text)): text
    case .json(.number(let number)): number.text
    case .json(.bool(let value)): value ? "true" : "false"
    case .digest(let bytes): bytes.hex
    case .time(let time): CivilTime(time).rfc3339
    case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
    case .json, .file, .chunk, .duration, .exchange, .headers, .headerLines, .request, .timings, .cookies, .list,
      .names:
      nil
    }
  }

  /// The value as JSON, if it can be: files, bytes that are not text, and exchanges cannot.
  var json: JSON? {
    switch content {
    case .json(let json): return json
    case .digest, .time, .bytes: return text.map(JSON.string)
    case .duration(let duration): return JSONNumber(duration.milliseconds).map(JSON.number)
    case .headers(let fields): return .object(JSONObject(fields.jsonMembers))
    case .headerLines(let fields):
      let members = fields.jsonMembers.map { member in
        JSONObject.Member(
          key: member.key, value: HTTPField.Name(member.key).map { fields.lines(of: $0) } ?? .array([]))
      }
      return .object(JSONObject(members))
    case .cookies(let cookies):
      return .object(
        JSONObject(cookies.sorted { $0.key < $1.key }.map { JSONObject.Member(key: $0.key, value: .string($0.value)) }))
    case .timings(let timings):
      let members = TimingMember.allCases.map { member in
        JSONObject.Member(
          key: member.rawValue, value: JSONNumber(timings[member].milliseconds).map(JSON.number) ?? .null)
      }
      return .object(JSONObject(members))
    case .list(let values):
      let elements = values.compactMap(\.json)
      return elements.count == values.count ? .array(elements) : nil
    case .names(let names):
      let members = names.sorted { $0.key < $1.key }.compactMap { name, value in
        value.json.map { JSONObject.Member(key: name, value: $0) }
      }
      return members.count == names.count ? .object(JSONObject(members)) : nil
    case .file, .chunk, .exchange, .request: return nil
    }
  }
}

extension HTTPFields {
  /// Names in lowercase, each once; repeated ones joined with `, `, `set-cookie` as an array (RFC 9110 §5.3).
  var jsonMembers: [JSONObject.Member] {
    var names: [HTTPField.Name] = []
    for field in self where !names.contains(field.name) { names.append(field.name) }
    return names.map { JSONObject.Member(key: $0.canonicalName, value: json(of: $0)) }
  }

  /// Each line of a field, in order.
  func lines(of name: HTTPField.Name) -> JSON { .array(self[values: name].map(JSON.string)) }

  func json(of name: HTTPField.Name) -> JSON {
    let values = self[values: name]
    if name == .setCookie { return .array(values.map(JSON.string)) }
    return .string(values.joined(separator: ", "))
  }
}

extension Duration {
  var milliseconds: Double {
    Double(attoseconds) / 1e15
  }
}

/// The members of `.time`.
enum TimingMember: String, CaseIterable {
  case total, dns, connect, tls, sent
  case firstByte = "first-byte"
}

extension Timings {
  subscript(member: TimingMember) -> Duration {
    switch member {
    case .total: total
    case .dns: dns
    case .connect: connect
    case .tls: tls
    case .sent: sent
    case .firstByte: firstByte
    }
  }
}
