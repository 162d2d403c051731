internal import Requests

/// What texts that were made from secrets are called in markers, without the places after which they are named: those
/// are others if the script has changed, even if the request has not.
///
/// They are numbered in the order in which they appear, so that the same text is still the same.
package struct MadeSecretNames: Hashable, Sendable {
  /// In this order.
  private var names: [String] = []

  package init() {}

  /// What comes after the name of such a secret and before the place.
  private static let suffix = Secret("", madeOf: []).name + "#"

  /// The bytes with numbers in place of places.
  package mutating func numbering(_ bytes: [UInt8]) -> [UInt8] {
    SecretMarkers.replacing(in: bytes) { label in
      let name = SecretMarkers.name(in: label)
      let form = label.dropFirst(name.count)
      guard let place = name.firstRange(of: Self.suffix) else { return SecretMarkers.marker(labelled: label) }
      let number = names.firstIndex(of: name) ?? names.count
      if number == names.count { names.append(name) }
      return SecretMarkers.marker(labelled: name[..<place.upperBound] + "\(number)" + form)
    }
  }

  /// The same for a text.
  package mutating func numbering(_ text: String) -> String {
    text.utf8.contains(1) ? String(decoding: numbering(Array(text.utf8)), as: UTF8.self) : text
  }

  /// These names, and what another request that is otherwise the same has in their place.
  package func names(in other: MadeSecretNames) -> [String: String] {
    Dictionary(zip(names, other.names)) { $1 }
  }
}
