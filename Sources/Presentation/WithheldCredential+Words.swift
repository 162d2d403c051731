public import Requests

extension WithheldCredential {
  /// That it was withheld, and why, for people.
  public var sentence: String { sentence(from: nil) }

  /// - Parameter origin: what did not get it; nil: that is clear.
  func sentence(from origin: Origin?) -> String {
    let place = origin.map { " from \($0)" } ?? ""
    return "withheld \(label)\(place): it belongs to \(origins.map(\.description).joined(separator: ", "))"
  }
}
