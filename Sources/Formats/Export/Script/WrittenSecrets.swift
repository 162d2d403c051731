internal import Diagnostics
internal import RequestSyntax
package import Requests
internal import UploaderCore

/// Looks for secrets in a script that is to be written: none may be there in any form.
///
/// A password that is a common word may be in names: `secret` is a keyword, `password` a member. That is not its value.
package struct WrittenSecrets {
  /// A secret that would be written.
  package struct Leak: Hashable {
    /// What it is called.
    package let subject: String
    /// From 1.
    package let line: Int
    /// The line without it.
    package let text: String
  }

  private let text: String
  /// The text with spaces in place of what only names something.
  private let values: String

  /// - Parameter variables: the names of environment variables, which may be in comments.
  package init(_ text: String, variables: some Collection<String> = []) {
    self.text = text
    var bytes = Array(text.utf8)
    for range in Self.names(in: text) { for index in range { bytes[index] = UInt8(ascii: " ") } }
    var values = String(decoding: bytes, as: UTF8.self)
    for name in variables { values = values.replacing(name, with: String(repeating: " ", count: name.utf8.count)) }
    self.values = values
  }

  /// The first secret that would be written; nil: none would.
  package func leak(of secrets: Set<Secret>) -> Leak? {
    let (words, others) = (secrets.filter(\.isWord), secrets.filter { !$0.isWord })
    let redactor = Redactor(secrets)
    return leak(of: others, in: text, redactor) ?? leak(of: words, in: values, redactor)
  }

  private func leak(of secrets: Set<Secret>, in text: String, _ redactor: Redactor) -> Leak? {
    // Values that sign something are secret, too.
    let all = Redactor(secrets)
    guard all.redact(text) != text else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let index = lines.firstIndex { all.redact($0) != $0 } ?? 0
    let secret = secrets.sorted { $0.name < $1.name }.first { Redactor([$0]).redact(lines[index]) != lines[index] }
    let written = self.text.split(separator: "\n", omittingEmptySubsequences: false)[index]
    return Leak(
      subject: secret.map { $0.isGivenToStep ? $0.subject : "the value of \"\($0.name)\"" } ?? "a secret",
      line: index + 1,
      text: redactor.redact(String(written.drop(while: \.isWhitespace))))
  }

  /// Keywords, names of steps, members and functions, and keys.
  private static func names(in text: String) -> [Range<Int>] {
    let source = SourceText(name: "", text: text)
    var ranges = Parser.tokens(of: source).filter { $0.kind == .name }.map(\.range)
    for statement in Parser.parse(source).script.statements {
      statement.forEachExpression { expression in
        guard case .object(let object) = expression else { return }
        for case .field(key: .string(let key), value: _, _) in object.members where key.plainText != nil {
          ranges.append(key.range)
        }
      }
    }
    return ranges.map { $0.lowerBound..<$0.upperBound }
  }
}

extension Secret {
  /// Whether it is one word of letters, as names have them, and no longer than those: `secret`, `password`, `api-token`.
  fileprivate var isWord: Bool {
    withExposedText { text in
      text.utf8.count <= 16
        && text.utf8.allSatisfy { byte in
          (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
        }
    }
  }
}
