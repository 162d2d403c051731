/// A part of an exchange that `:show` can show separately.
enum ShownPart: String, CaseIterable {
  case request, response, headers, body, wire, time, curl, wb

  /// `request, response, …`.
  static let list = allCases.map(\.rawValue).joined(separator: ", ")
}
