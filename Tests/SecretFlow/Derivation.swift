import Canaries
import Crypto
import Foundation

/// What is made from a secret: a pipe of the language, and its result, computed without the language.
package struct Derivation: Sendable {
  package var pipe: String
  package var text: @Sendable (String) -> String

  package func expression(of source: Source) -> String {
    pipe.isEmpty ? source.expression : "(\(source.expression) | \(pipe))"
  }

  private static func digest(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  /// Every function that makes a text from a text, so that its result has at least 8 bytes.
  package static let all: [Derivation] = [
    Derivation(pipe: "") { $0 },
    Derivation(pipe: "upper") { $0.uppercased() },
    Derivation(pipe: "trim") { $0 },
    Derivation(pipe: "slice(10, 12)") { String($0.dropFirst(10).prefix(12)) },
    Derivation(pipe: "replace(\"+\", \"_\")") { $0.replacing("+", with: "_") },
    Derivation(pipe: "regex('.(.{9})$')") { String($0.suffix(9)) },
    Derivation(pipe: "split(\"-\") | join(\"=\")") { $0.replacing("-", with: "=") },
    Derivation(pipe: "split(\"\") | sort | join | trim") { text in
      String(decoding: text.utf8.sorted(), as: UTF8.self).trimmingCharacters(in: .whitespaces)
    },
    Derivation(pipe: "split(\"\") | unique | join") { text in
      text.reduce(into: "") { if !$0.contains($1) { $0.append($1) } }
    },
    Derivation(pipe: "split(\"/\") | last") { String($0.split(separator: "/").last ?? "") },
    Derivation(pipe: "base64") { Base64Text.encode($0) },
    Derivation(pipe: "split(\"~f\") | first | upper") { ($0.split(separator: "~f").first ?? "").uppercased() },
    Derivation(pipe: "url-encode") { text in
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))) ?? ""
    },
    Derivation(pipe: "json") { "\"\($0)\"" },
    Derivation(pipe: "to-string") { $0 },
    Derivation(pipe: "sha256") { digest(SHA256.hash(data: Data($0.utf8))) },
    Derivation(pipe: "md5") { digest(Insecure.MD5.hash(data: Data($0.utf8))) },
    Derivation(pipe: "hmac-sha256(\"k\")") { text in
      digest(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: Data("k".utf8))))
    },
    Derivation(pipe: "sha256 | slice(0, 16)") { String(digest(SHA256.hash(data: Data($0.utf8))).prefix(16)) },
  ]
}
