internal import HTTPTypes
internal import Requests

/// The name of a file where its content was meant: `file: "a.png"`, `body "a.png"`.
enum TextForFile: UploadRule {
  static func findings(_ attempt: UploadAttempt, _ lint: UploadLint) -> [UploadFinding] {
    switch attempt.description {
    case .stream: return []
    case .inMemory(let request):
      guard attempt.presignature != nil, let body = request.body,
        let (text, path) = attempt.name(ofFileIn: body.bytes, lint)
      else { return [] }
      return [finding("the body", text, body.bytes.count, path, advice: "body file(\"\(text)\")")]
    case .multipart(let form):
      return form.parts.compactMap { part in
        guard case .bytes(let bytes) = part.content, part.fileName == nil,
          let (text, path) = attempt.name(ofFileIn: bytes, lint),
          part.name.lowercased() == "file" || text.contains(".")
        else { return nil }
        return finding("\"\(part.name)\"", text, bytes.count, path, advice: "\(part.name): file(\"\(text)\")")
      }
    }
  }

  private static func finding(
    _ what: String, _ text: String, _ count: Int, _ path: String, advice: String
  ) -> UploadFinding {
    UploadFinding(
      "text-for-file", "\(what) is the text \"\(text)\", and not the file of that name",
      evidence: ["\(count) bytes are sent; there is a file \"\(path)\""], advice: advice)
  }
}

extension UploadAttempt {
  /// The text that these bytes are, and where the file of that name is; nil if there is none.
  fileprivate func name(ofFileIn bytes: [UInt8], _ lint: UploadLint) -> (text: String, path: String)? {
    guard !bytes.isEmpty, bytes.count <= 1_024, let text = String(validating: bytes, as: UTF8.self),
      !text.contains(where: \.isNewline), let path = paths(of: text).first(where: { lint.identify($0) != nil })
    else { return nil }
    return (text, path)
  }

  /// Where a file with this path may be: relative to the script, or to the working directory.
  private func paths(of text: String) -> [String] {
    guard !text.hasPrefix("/"), let source = description.head.place?.source, let slash = source.lastIndex(of: "/"),
      !source.hasPrefix("<")
    else { return [text] }
    return ["\(source[...slash])\(text)", text]
  }
}
