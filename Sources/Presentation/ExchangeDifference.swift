internal import HTTPTypes
internal import JSONValue
internal import RequestSyntax
package import Requests

/// What differs between two exchanges, field by field.
package struct ExchangeDifference {
  package struct Field: Hashable {
    package var name: String
    /// nil: it is not there.
    package var old: String?
    package var new: String?
  }

  /// How much of a body is compared, in bytes.
  private static let bodyLimit = 8 << 20

  package private(set) var fields: [Field] = []

  package init(_ one: Exchange, _ other: Exchange) throws {
    add("method", one.request.method.rawValue, other.request.method.rawValue)
    add("url", one.request.url, other.request.url)
    add("profile", one.profile, other.profile)
    headers("sent", one.description.head.headers, other.description.head.headers)
    if one.request.bodySize != other.request.bodySize {
      add("sent body", Figures.bytes(one.request.bodySize), Figures.bytes(other.request.bodySize))
    }
    add("status", "\(one.response.status)", "\(other.response.status)")
    headers("header", one.response.headers, other.response.headers)
    try bodies(one.response, other.response)
  }

  private mutating func add(_ name: String, _ old: String?, _ new: String?) {
    if old != new { fields.append(Field(name: name, old: old, new: new)) }
  }

  private mutating func headers(_ kind: String, _ one: HTTPFields, _ other: HTTPFields) {
    var names: [HTTPField.Name] = []
    for field in Array(one) + Array(other) where !names.contains(field.name) { names.append(field.name) }
    for name in names { add("\(kind) \(name.canonicalName)", one[name], other[name]) }
  }

  private mutating func bodies(_ one: Response, _ other: Response) throws {
    let (old, new) = (try one.body.bytes(limit: Self.bodyLimit), try other.body.bytes(limit: Self.bodyLimit))
    if old == new, one.body.count == other.body.count { return }
    if let left = try? JSON(parsing: old), let right = try? JSON(parsing: new) {
      return compare(left, right, at: "body")
    }
    let size = "\(Figures.grouped(one.body.count)) bytes"
    let newSize = "\(Figures.grouped(other.body.count)) bytes"
    guard let left = String(validating: old, as: UTF8.self), let right = String(validating: new, as: UTF8.self) else {
      return add("body", size, size == newSize ? "\(newSize), others" : newSize)
    }
    lines(left, right)
  }

  /// The lines between what both texts begin and end with.
  private mutating func lines(_ one: String, _ other: String) {
    var old = one.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var new = other.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let first = old.first, first == new.first {
      old.removeFirst()
      new.removeFirst()
    }
    while let last = old.last, last == new.last {
      old.removeLast()
      new.removeLast()
    }
    for index in 0..<max(old.count, new.count) {
      let line = "line \(max(old.startIndex, new.startIndex) + index + 1)"
      add(
        line, index < old.count ? String(old[old.startIndex + index]) : nil,
        index < new.count ? String(new[new.startIndex + index]) : nil)
    }
  }

  private mutating func compare(_ one: JSON, _ other: JSON, at path: String) {
    switch (one, other) {
    case (.object(let old), .object(let new)):
      let known = Set(old.members.map(\.key))
      for key in old.members.map(\.key) + new.members.map(\.key).filter({ !known.contains($0) }) {
        member(old[key], new[key], at: path + SyntaxPrinter.print([.member(key)]))
      }
    case (.array(let old), .array(let new)):
      for index in 0..<max(old.count, new.count) {
        member(
          old.dropFirst(index).first, new.dropFirst(index).first, at: path + SyntaxPrinter.print([.element(index)]))
      }
    default: add(path, one.description, other.description)
    }
  }

  private mutating func member(_ old: JSON?, _ new: JSON?, at path: String) {
    switch (old, new) {
    case (let old?, let new?): compare(old, new, at: path)
    case (nil, let new?): add(path, nil, new.description)
    case (let old?, nil): add(path, old.description, nil)
    case (nil, nil): break
    }
  }

  /// A field a line, what was in red and what is in green.
  package func text(limit: Int = 200, redact: @escaping @Sendable (String) -> String) -> StyledText {
    let preview = ValuePreview(redact: redact)
    var text = StyledText()
    let width = min(40, fields.prefix(limit).map(\.name.count).max() ?? 0)
    for field in fields.prefix(limit) {
      text.append(field.name + String(repeating: " ", count: max(0, width - field.name.count)), .strong)
      text.append("  ")
      text.append(field.old.map(preview.text) ?? "(none)", field.old == nil ? .faint : .failure)
      text.append(" → ", .faint)
      text.append(field.new.map(preview.text) ?? "(none)", field.new == nil ? .faint : .success)
      text.append("\n")
    }
    if fields.count > limit { text.append("… \(fields.count - limit) more\n", .faint) }
    return text
  }
}
