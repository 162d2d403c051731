package import Requests

/// The body of a request as options of curl.
package struct CurlBody {
  private(set) var options: [String] = []
  /// What the line cannot do, and what it needs.
  private(set) var notes: [String] = []
  /// The commands whose output is curl's input: a piece of a file cannot be an argument.
  private(set) var input: String?

  /// Nothing is sent.
  package var isEmpty: Bool { options.isEmpty }

  /// A text longer than this cannot be an argument on every system; in bytes.
  private static let argumentLimit = 100_000

  package init(_ description: RequestDescription, _ writer: ShellWriter) {
    switch description {
    case .inMemory(let description):
      guard let body = description.body else { return }
      if let text = Self.argument(body.bytes) {
        let form = CurlForm(text, CredentialNames.isForm(body.contentType ?? "") ? .form : .text, writer)
        notes = form.notes
        let hasStart = !form.start.isEmpty || form.options.isEmpty
        options = (hasStart ? ["--data-raw \(writer.word(form.start))"] : []) + form.options
      } else {
        options = ["--data-binary @body.bin"]
        notes = ["the body is not text that an argument can hold: put its bytes into body.bin"]
      }
    case .multipart(let description):
      for (index, part) in description.parts.enumerated() { add(part, number: index + 1, writer) }
    case .stream(let description):
      options = ["--data-binary \(writer.word("@\(path(of: description.file, writer) ?? "-")"))"]
    }
  }

  private mutating func add(_ part: MultipartPart, number: Int, _ writer: ShellWriter) {
    if [part.name, part.fileName ?? "", part.contentType ?? ""].contains(where: { $0.utf8.contains(0) }) {
      notes.append("part \(number) has a zero byte in its name, file name or type, which no argument can hold")
    }
    switch part.content {
    case .bytes(let bytes):
      let text = Self.argument(bytes)
      if let text, part.contentType == nil, part.fileName == nil, CurlPart.isName(part.name) {
        // Its first character, and what follows a semicolon, have no special meaning here.
        return options.append("--form-string \(writer.word("\(part.name)=\(text)"))")
      }
      if text == nil {
        notes.append(
          "part \"\(part.name)\" is not text that an argument can hold: put its bytes into part-\(number).bin")
      }
      let content = text.map(CurlPart.quoted) ?? "<part-\(number).bin"
      options.append("-F \(writer.word(CurlPart(part, content: content).text))")
    case .file(let file):
      guard let path = path(of: file, writer) else {
        let bytes = "bytes \(file.offset) to \(file.offset + file.count) of \(file.path)"
        return notes.append("part \"\(part.name)\" is left out: it is \(bytes), and curl has only one input")
      }
      options.append("-F \(writer.word(CurlPart(part, content: "@\(CurlPart.word(path))").text))")
    }
  }

  /// What curl reads the file from; nil: another piece of a file is its input already.
  private mutating func path(of file: FileSlice, _ writer: ShellWriter) -> String? {
    // A dash alone is curl's input.
    if file.offset == 0, file.count == file.identity.size { return file.path == "-" ? "./-" : file.path }
    guard input == nil else { return nil }
    input = "tail -c +\(file.offset + 1) -- \(writer.word(file.path)) | head -c \(file.count)"
    return "-"
  }

  /// The bytes as an argument of a program; nil: they cannot be one.
  private static func argument(_ bytes: [UInt8]) -> String? {
    guard bytes.count <= argumentLimit, !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
