import Foundation

package enum Base64Text {
  package static func encode(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
