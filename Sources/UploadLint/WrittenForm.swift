/// How the form of an upload was written, as far as it was made from names of the script.
public struct WrittenForm: Hashable, Sendable {
  /// What is spread into it, without what filters it: `$fields`.
  let spreads: [String]
  /// What each field was written as: `$image`, `file("a.png")`.
  let fields: [String: String]

  /// What the whole body was written as; nil: it is not one value.
  let body: String?

  /// - Parameters:
  ///   - spreads: what is spread into it, each as a reference.
  ///   - fields: what fields are written as, by their names.
  ///   - body: what the whole body is written as.
  public init(spreads: [String], fields: [String: String], body: String? = nil) {
    self.spreads = spreads
    self.fields = fields
    self.body = body
  }

  /// What has a field as a member, if the field was written so: `$f` for `key: $f.key`.
  func owner(of field: String) -> String? {
    guard let written = fields[field], written.hasSuffix(".\(field)") else { return nil }
    return String(written.dropLast(field.count + 1))
  }
}
