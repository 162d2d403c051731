internal import JSONValue
internal import Requests

/// Where an upload's URL or fields came from: an earlier response, and the path in it, as a script writes it.
struct FieldsSource: Hashable, Sendable {
  /// `$allocate.body.snapshot`, or `$2.body` of a step without a label.
  let reference: String
  /// `step "allocate"`, or `$2`.
  let step: String
  /// The object with it.
  let object: JSONObject

  /// How much of a body is looked at, in bytes.
  private static let limit = 1 << 20

  /// The innermost object that meets the condition, in the latest response that has one.
  init?(in earlier: [Exchange], where isWanted: (JSONObject) -> Bool) {
    for (index, exchange) in earlier.enumerated().reversed()
    where exchange.response.isJSON && exchange.response.body.count < Self.limit {
      guard let bytes = try? exchange.response.body.bytes(), let json = try? JSON(parsing: bytes),
        let found = Self.find(in: json, path: "", isWanted)
      else { continue }
      let name = exchange.label ?? "\(exchange.description.head.number ?? index + 1)"
      reference = "$\(name).body\(found.path)"
      step = exchange.label.map { "step \"\($0)\"" } ?? "$\(name)"
      object = found.object
      return
    }
    return nil
  }

  /// A member of the object, as a script writes it.
  func reference(to key: String) -> String { reference + Self.segment(key) }

  private static func find(
    in json: JSON, path: String, _ isWanted: (JSONObject) -> Bool
  ) -> (object: JSONObject, path: String)? {
    switch json {
    case .object(let object):
      for member in object.members {
        if let found = find(in: member.value, path: path + segment(member.key), isWanted) { return found }
      }
      return isWanted(object) ? (object, path) : nil
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let found = find(in: element, path: "\(path)[\(index)]", isWanted) { return found }
      }
      return nil
    case .string, .number, .bool, .null: return nil
    }
  }

  private static func segment(_ key: String) -> String {
    let isName =
      key.first.map { $0.isLetter || $0 == "_" } ?? false
      && key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") } && key.last != "-"
    return isName ? ".\(key)" : "[\(JSONText.quoted(key))]"
  }
}

/// A text as JSON writes it.
private enum JSONText {
  static func quoted(_ text: String) -> String {
    String(decoding: JSONPrinter.compact.print(.string(text)), as: UTF8.self)
  }
}

extension UploadAttempt {
  /// The response that brought the form's fields: the object with the same policy, or the same key.
  func fieldsSource(in lint: UploadLint) -> FieldsSource? {
    if let source = policySource(in: lint) { return source }
    return FieldsSource(in: lint.earlier) { object in
      guard object.value("policy") != nil, let key = object.value("key"), let sent = field("key") else {
        return object.value("policy") != nil
      }
      return key == sent
    }
  }

  /// The response that brought its URL: the same one, or for a presigned URL the same signature.
  func urlSource(in lint: UploadLint) -> FieldsSource? {
    let signature = presignature?.value ?? ""
    func isSent(_ text: String) -> Bool {
      UploadOffer.isSame(text, url) || !signature.isEmpty && Presignature(url: text)?.value == signature
    }
    func hasIt(_ value: JSON) -> Bool {
      if case .array(let elements) = value { return elements.contains { $0.string.map(isSent) ?? false } }
      return value.string.map(isSent) ?? false
    }
    return FieldsSource(in: lint.earlier) { object in object.members.contains { hasIt($0.value) } }
  }

  /// What to write for it, with the names that the script has: `multipart { ...$fields, file: $image }`, else with those
  /// of the response they come from: `multipart { ...$allocate.body.fields, file: … }`. No name if it is neither.
  func form(in lint: UploadLint) -> String {
    let source = fieldsSource(in: lint)
    let written = description.head.place.flatMap(lint.written)
    let name = written.flatMap { owner(of: source, in: $0) } ?? source?.reference
    let file = written.flatMap(writtenFile) ?? files.first.map { "file(\"\($0.name)\")" } ?? "file(\"…\")"
    return "multipart { \(name.map { "...\($0)" } ?? "…"), file: \(file) }"
  }

  /// What the script calls the file, in whichever field it was sent, or as the whole body.
  func writtenFile(_ written: WrittenForm) -> String? {
    let name = parts?.last { part in if case .file = part.content { true } else { false } }?.name ?? "file"
    guard let text = parts == nil && !files.isEmpty ? written.body : written.fields[name] else { return nil }
    // The name of a file where the file was meant.
    return text.hasPrefix("\"") ? "file(\(text))" : text
  }

  /// What the script calls the object with the fields: what it spreads, or takes them from one by one. Something else may
  /// have been spread by mistake: then not all of the fields are in the form.
  private func owner(of source: FieldsSource?, in written: WrittenForm) -> String? {
    let spread = written.spreads.count == 1 ? written.spreads.first : nil
    // A body that is not a form cannot be compared.
    guard let source, parts != nil else { return spread }
    if let owner = source.object.keys.lazy.compactMap(written.owner).first { return owner }
    let isSpread = source.object.members.allSatisfy { member in
      member.key.lowercased() == "policy" || written.fields[member.key] != nil
        || member.value.string == field(member.key)
    }
    return isSpread ? spread : nil
  }

  /// Where to go for a new URL or policy: to the response with the very policy or URL that was sent, and to no other.
  func allocator(in lint: UploadLint) -> String {
    let source = field("policy") == nil ? urlSource(in: lint) : policySource(in: lint)
    return source.map { "\($0.step), which returned it" } ?? "the step that returned it"
  }

  /// The response that brought the policy in the form.
  private func policySource(in lint: UploadLint) -> FieldsSource? {
    guard let policy = field("policy") else { return nil }
    return FieldsSource(in: lint.earlier) { $0.value("policy") == policy }
  }
}

extension JSONObject {
  /// The text of a member, whose name is in any case.
  func value(_ name: String) -> String? {
    members.first { $0.key.lowercased() == name }?.value.string
  }
}
