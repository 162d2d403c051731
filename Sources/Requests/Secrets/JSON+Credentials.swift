package import JSONValue

extension JSON {
  /// The same with a mark in place of each text whose member's name says that it is a credential.
  package func hidingCredentials(_ mark: String) -> JSON {
    switch self {
    case .object(let object):
      .object(
        JSONObject(
          object.members.map { member in
            if case .string = member.value, SensitiveName.contains(member.key) { return (member.key, .string(mark)) }
            return (member.key, member.value.hidingCredentials(mark))
          }))
    case .array(let elements): .array(elements.map { $0.hidingCredentials(mark) })
    case .string, .number, .bool, .null: self
    }
  }
}
