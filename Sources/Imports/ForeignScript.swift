package import Diagnostics
package import RequestSyntax

/// The formats of other tools that are run as they are.
package enum ForeignScript: String, Sendable, CaseIterable {
  case hurl, http

  /// The format of a file by its name; nil: it is a script.
  package init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    switch fileName[fileName.index(after: dot)...] {
    case "hurl": self = .hurl
    case "http", "rest": self = .http
    default: return nil
    }
  }

  /// The largest file, in bytes: nobody writes one by hand that is larger.
  package static let sizeLimit = 1 << 20

  /// What becomes of a larger one.
  package static func tooLarge(_ source: SourceText) -> ImportedScript {
    let note = ImportNote(
      .refused, "this file is larger than \(sizeLimit >> 20) MiB", hint: "divide it", at: SourceRange(at: 0))
    return ImportedScript(source: source, script: ScriptSyntax([]), notes: [note])
  }

  package func read(_ source: SourceText, isExact: Bool = false, values: [String: String] = [:]) -> ImportedScript {
    guard source.bytes.count <= Self.sizeLimit else { return Self.tooLarge(source) }
    switch self {
    case .hurl: return HurlTranslator.translate(source, isExact: isExact, values: values)
    case .http: return HTTPFileTranslator.translate(source, values: values)
    }
  }
}

extension Parser {
  /// A script of ours, or one of another tool by the name of its file.
  package static func read(_ source: SourceText) -> ParsedScript {
    guard let format = ForeignScript(fileName: source.name) else { return Parser.parse(source) }
    return format.read(source, isExact: true).parsed
  }
}
