import JSONValue

/// CSV (RFC 4180): the first record names the columns.
enum CommaSeparatedValues {
  /// One object per record, its members in the order of the columns, all of them strings.
  static func objects(_ text: String) -> JSON {
    var records = records(text)
    guard !records.isEmpty else { return .array([]) }
    let names = records.removeFirst()
    return .array(
      records.map { record in
        .object(
          JSONObject(zip(names, record).map { JSONObject.Member(key: $0, value: .string($1)) }))
      })
  }

  private static func records(_ text: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field = ""
    var isQuoted = false
    var characters = Array(text.replacing("\r\n", with: "\n"))[...]
    while let character = characters.popFirst() {
      switch character {
      case "\"" where isQuoted && characters.first == "\"":
        field.append("\"")
        characters.removeFirst()
      case "\"":
        isQuoted.toggle()
      case "," where !isQuoted:
        record.append(field)
        field = ""
      case "\n" where !isQuoted:
        records.append(record + [field])
        record = []
        field = ""
      default:
        field.append(character)
      }
    }
    if !field.isEmpty || !record.isEmpty { records.append(record + [field]) }
    return records
  }
}
