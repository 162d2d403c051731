internal import HTTPTypes
internal import Requests

/// The name of a file where its content was meant: `file: "a.png"`.
enum TextForFile: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    (attempt.parts ?? []).compactMap { part in
      guard case .bytes(let bytes) = part.content, part.fileName == nil, !bytes.isEmpty, bytes.count <= 1_024,
        let text = String(validating: bytes, as: UTF8.self), !text.contains(where: \.isNewline),
        part.name.lowercased() == "file" || text.contains("."),
        let path = attempt.paths(of: text).first(where: { lint.identify($0) != nil })
      else { return nil }
      return UploadFinding(
        "text-for-file", "\"\(part.name)\" is the text \"\(text)\", and not the file of that name",
        evidence: ["\(bytes.count) bytes are sent; there is a file \"\(path)\""],
        advice: "\(part.name): file(\"\(text)\")")
    }
  }
}

extension UploadAttempt {
  /// Where a file with this path may be: relative to the script, or to the working directory.
  fileprivate func paths(of text: String) -> [String] {
    guard !text.hasPrefix("/"), let source = description.head.place?.source, let slash = source.lastIndex(of: "/"),
      !source.hasPrefix("<")
    else { return [text] }
    return ["\(source[...slash])\(text)", text]
  }
}
