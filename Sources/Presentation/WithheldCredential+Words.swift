public import Requests

extension WithheldCredential {
  /// That it stayed at home, and why, for people.
  public var sentence: String {
    "withheld \(label): it belongs to \(origins.map(\.description).joined(separator: ", "))"
  }
}
