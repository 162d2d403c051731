public import Requests

extension WithheldCredential {
  /// That it was withheld, and why, for people.
  public var sentence: String {
    "withheld \(label): it belongs to \(origins.map(\.description).joined(separator: ", "))"
  }
}
