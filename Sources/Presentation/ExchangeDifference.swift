internal import HTTPTypes
internal import JSONValue
internal import RequestSyntax
package import Requests

/// What differs between two exchanges, field by field. They are compared as they are; secrets are removed from what is
/// shown before it is taken apart.
package struct ExchangeDifference {
  package struct Field: Hashable {
    package var name: String
    /// nil: it is absent.
    package var old: String?
    package var new: String?
  }

  /// How much of a body is compared, in bytes.
  private static let bodyLimit = 8 << 20

  package private(set) var fields: [Field] = []
  private let redact: @Sendable ([String]) -> [String]

  /// - Parameter redact: hides the secrets in the pieces of one text; it returns as many.
  package init(
    _ one: Exchange, _ other: Exchange, redact: @escaping @Sendable ([String]) -> [String]
  ) throws {
    self.redact = redact
    add("method", one.request.method.rawValue, other.request.method.rawValue)
    add("url", one.request.url, other.request.url)
    add("profile", one.profile, other.profile)
    headers(
      "sent", one.description.head.headers, other.description.head.headers,
      // Its profile may say the same as the other request.
      besides: (one.firstRequest.headers, other.firstRequest.headers))
    if one.request.bodySize != other.request.bodySize {
      add("sent body", NumberFormat.bytes(one.request.bodySize), NumberFormat.bytes(other.request.bodySize))
    }
    add("status", "\(one.response.status)", "\(other.response.status)")
    headers("header", one.response.headers, other.response.headers)
    try bodies(one.response, other.response)
  }

  private mutating func add(_ name: String, _ old: String?, _ new: String?) {
    if old != new { fields.append(Field(name: name, old: old.map(hidden), new: new.map(hidden))) }
  }

  private func hidden(_ text: String) -> String { redact([text]).joined() }

  /// - Parameter besides: where a field is that only the other one has.
  private mutating func headers(
    _ kind: String, _ one: HTTPFields, _ other: HTTPFields, besides: (one: HTTPFields, other: HTTPFields) = ([:], [:])
  ) {
    var names: [HTTPField.Name] = []
    for field in Array(one) + Array(other) where !names.contains(field.name) { names.append(field.name) }
    for name in names {
      add("\(kind) \(name.canonicalName)", one[name] ?? besides.one[name], other[name] ?? besides.other[name])
    }
  }

  private mutating func bodies(_ one: Response, _ other: Response) throws {
    let (old, new) = (try one.body.bytes(limit: Self.bodyLimit), try other.body.bytes(limit: Self.bodyLimit))
    if old == new, one.body.count == other.body.count { return }
    let (left, right) = (try? JSON(parsing: old), try? JSON(parsing: new))
    if let left, let right { return compare(left, right, at: "body") }
    // Lines of one have nothing to do with those of the other.
    if (left == nil) != (right == nil), !old.isEmpty, !new.isEmpty {
      return add("body", Self.kind(of: one, isJSON: left != nil), Self.kind(of: other, isJSON: right != nil))
    }
    let size = "\(NumberFormat.grouped(one.body.count)) bytes"
    let newSize = "\(NumberFormat.grouped(other.body.count)) bytes"
    guard let left = String(validating: old, as: UTF8.self), let right = String(validating: new, as: UTF8.self) else {
      return add("body", size, size == newSize ? "\(newSize), different" : newSize)
    }
    let hasMore = (one.body.count > old.count, other.body.count > new.count)
    lines(Lines(left, hasMore: hasMore.0, redact: redact), Lines(right, hasMore: hasMore.1, redact: redact))
  }

  /// `JSON, 17 bytes`
  private static func kind(of response: Response, isJSON: Bool) -> String {
    let type = response.contentType.map { String($0.prefix { $0 != ";" }) }
    let kind =
      isJSON ? "JSON" : response.isJSON ? "not JSON, though its type says so" : type ?? "without a type"
    return "\(kind), \(NumberFormat.grouped(response.body.count)) bytes"
  }

  /// The lines of a text, and what is shown of each.
  private struct Lines {
    var raw: ArraySlice<Substring>
    private let shown: [String]

    init(_ text: String, hasMore: Bool, redact: ([String]) -> [String]) {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      // The line ends are part of the text in which secrets are looked for.
      let last = lines.count - 1
      let pieces = lines.enumerated().map { index, line in
        String(line) + (index < last ? "\n" : hasMore ? CutText.mark : "")
      }
      raw = lines[...]
      shown = redact(pieces)
    }

    /// Dots where a secret of several lines continues.
    subscript(index: Int) -> String? {
      guard raw.indices.contains(index) else { return nil }
      let line = shown[index].last == "\n" ? String(shown[index].dropLast()) : shown[index]
      return line.isEmpty && !raw[index].isEmpty ? "••••" : line
    }
  }

  /// The lines between the common beginning and the common end of both texts.
  private mutating func lines(_ one: Lines, _ other: Lines) {
    var (one, other) = (one, other)
    while let first = one.raw.first, first == other.raw.first {
      one.raw.removeFirst()
      other.raw.removeFirst()
    }
    while let last = one.raw.last, last == other.raw.last {
      one.raw.removeLast()
      other.raw.removeLast()
    }
    for index in 0..<max(one.raw.count, other.raw.count) {
      let (left, right) = (one.raw.startIndex + index, other.raw.startIndex + index)
      if one.raw.indices.contains(left), other.raw.indices.contains(right), one.raw[left] == other.raw[right] {
        continue
      }
      fields.append(Field(name: "line \(max(left, right) + 1)", old: one[left], new: other[right]))
    }
  }

  private mutating func compare(_ one: JSON, _ other: JSON, at path: String) {
    switch (one, other) {
    case (.object(let old), .object(let new)):
      let known = Set(old.members.map(\.key))
      for key in old.members.map(\.key) + new.members.map(\.key).filter({ !known.contains($0) }) {
        member(old[key], new[key], at: path + SyntaxPrinter.print([.member(hidden(key))]))
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

  /// One line per field, the old value in red and the new one in green.
  package func text(limit: Int = 200) -> StyledText {
    let preview = ValuePreview { [redact] text in redact([text]).joined() }
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
