import Foundation

enum Base64Text {
  static func encode(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
