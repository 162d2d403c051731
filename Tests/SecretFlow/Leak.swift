package import Foundation

/// Looks for a text in its forms; those of a canary are looked for by the canaries' own search where these find nothing.
package enum Leak {
  package static func isFound(_ text: String, in bytes: Data) -> Bool {
    forms(of: text).contains { bytes.range(of: Data($0.utf8)) != nil }
  }

  private static func forms(of text: String) -> [String] {
    let percent = text.addingPercentEncoding(
      withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
    let json = text.replacing("/", with: "\\/")
    return [text, percent ?? text, json, Base64Text.encode(text)]
  }

  package static func surroundings(_ text: String, in bytes: Data) -> String {
    guard let range = forms(of: text).lazy.compactMap({ bytes.range(of: Data($0.utf8)) }).first else { return "" }
    let start = max(bytes.startIndex, range.lowerBound - 160)
    return String(decoding: bytes[start..<min(bytes.endIndex, range.upperBound + 80)], as: UTF8.self)
  }
}
