internal import JSONValue
internal import Requests

/// A POST policy, as its form carries it: until when, and under which conditions.
///
/// Source: "POST Policy", Amazon S3 API Reference.
struct UploadPolicy: Hashable, Sendable {
  enum Condition: Hashable, Sendable {
    case equal(field: String, value: String)
    case startsWith(field: String, prefix: String)
    /// Bytes.
    case contentLength(ClosedRange<Int>)
  }

  /// As it is written.
  let expirationText: String
  let conditions: [Condition]

  /// Since 1970; nil if it is not a date.
  var expiration: Duration? { DateText.rfc3339(expirationText) }

  /// Nil if the text is not base64 of a policy. Conditions of an unknown kind are left out.
  init?(base64 text: String) {
    guard let bytes = Base64.decode(text), let json = try? JSON(parsing: bytes), let list = json["conditions"]?.array
    else { return nil }
    expirationText = json["expiration"]?.string ?? ""
    conditions = list.flatMap { item -> [Condition] in
      if let object = item.object {
        return object.members.compactMap { member in
          member.value.string.map { .equal(field: member.key, value: $0) }
        }
      }
      guard let items = item.array, items.count == 3, let operation = items[0].string?.lowercased() else { return [] }
      if operation == "content-length-range", let lower = items[1].int, let upper = items[2].int, lower <= upper {
        return [.contentLength(lower...upper)]
      }
      guard let field = items[1].string, field.hasPrefix("$"), let value = items[2].string else { return [] }
      switch operation {
      case "eq": return [.equal(field: String(field.dropFirst()), value: value)]
      case "starts-with": return [.startsWith(field: String(field.dropFirst()), prefix: value)]
      default: return []
      }
    }
  }
}
