internal import HTTPTypes
public import Requests

extension WithheldCredential {
  /// That it was withheld, and why, for people.
  public var sentence: String {
    "withheld \(label): it belongs to \(origins.map(\.description).joined(separator: ", "))"
  }
}

extension WithheldCredential {
  /// Whether the request has a header of the same name, which was not withheld.
  func isReplaced(in request: SentRequest) -> Bool {
    if case .header(let name) = part { request.headers.contains(name) } else { false }
  }
}
