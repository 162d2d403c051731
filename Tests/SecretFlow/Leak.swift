package import Foundation

/// Looks for texts in bytes: as they are, percent-encoded, as JSON writers escape them, and in base64.
package struct Leak: Sendable {
  private struct Form {
    var text: String
    var bytes: Data
  }

  private let forms: [Form]

  package init(of texts: [String]) {
    forms = texts.flatMap { text in Set(Self.forms(of: text)).map { Form(text: text, bytes: Data($0.utf8)) } }
  }

  private static func forms(of text: String) -> [String] {
    let percent = text.addingPercentEncoding(
      withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
    return [text, percent ?? text, text.replacing("/", with: "\\/"), Base64Text.encode(text)]
  }

  /// The texts found, each with its surroundings.
  package func found(in data: Data) -> [(text: String, around: String)] {
    forms.compactMap { form in
      guard let range = data.range(of: form.bytes) else { return nil }
      let around = data[max(data.startIndex, range.lowerBound - 160)..<min(data.endIndex, range.upperBound + 80)]
      return (form.text, String(decoding: around, as: UTF8.self))
    }
  }
}
