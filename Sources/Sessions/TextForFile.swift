internal import Diagnostics
internal import Imports
internal import RequestProgram
internal import RequestSyntax
internal import Requests

/// The name of a file where its content was meant, in a form: `file: "a.png"`. Storage takes a text, too, and says
/// nothing; so it is said before anything is sent, if there is such a file.
struct TextForFile {
  private let world: World
  private let directory: String

  /// - Parameter directory: where relative paths begin; empty: the working directory.
  init(world: World, directory: String) {
    self.world = world
    self.directory = directory
  }

  func warnings(in parsed: ParsedScript) -> [Diagnostic] {
    warnings(in: parsed.source)?(parsed.script) ?? []
  }

  /// Looks into a script of this text, or into a part of it; nil: nothing would be found in any.
  func warnings(in source: SourceText) -> (@Sendable (ScriptSyntax) -> [Diagnostic])? {
    // Other tools write a text and a file differently.
    guard ForeignScript(fileName: source.name) == nil, source.mentions("multipart") else { return nil }
    return { script in
      var found: [Diagnostic] = []
      for statement in script.statements { look(into: statement, source, &found) }
      return found
    }
  }

  private func look(into statement: StatementSyntax, _ source: SourceText, _ found: inout [Diagnostic]) {
    switch statement {
    case .step(let step): look(into: step, source, &found)
    case .sequence(let node): look(into: node.body, source, &found)
    case .loop(let node): look(into: node.body, source, &found)
    case .parallel(let block), .finally(let block): look(into: block, source, &found)
    case .run, .binding, .secret, .use, .tags, .profile: break
    }
  }

  private func look(into block: BlockSyntax, _ source: SourceText, _ found: inout [Diagnostic]) {
    for statement in block.statements { look(into: statement, source, &found) }
  }

  private func look(into step: StepSyntax, _ source: SourceText, _ found: inout [Diagnostic]) {
    for clause in step.clauses {
      guard case .multipart(.object(let object)) = clause.kind else { continue }
      for case .field(let key, let value, _) in object.members where key.plainText?.lowercased() == "file" {
        note(value, "write file(\"…\") for the file", source, &found)
      }
    }
    guard step.itemBody == .multipart else { return }
    for item in step.items where item.kind == .text {
      if item.key.text.lowercased() == "file" {
        note(item.value, "write \(item.key.text)@… for the file", source, &found)
      }
    }
  }

  private func note(
    _ value: ExpressionSyntax, _ advice: String, _ source: SourceText, _ found: inout [Diagnostic]
  ) {
    guard let text = value.plainText, !text.isEmpty, text.utf8.count <= 1_024, !text.contains("\0") else { return }
    let path = text.hasPrefix("/") || directory.isEmpty ? text : "\(directory)/\(text)"
    guard (try? world.programEnvironment.openFile(path)) != nil else { return }
    found.append(
      Diagnostic(
        "the text \"\(text)\" is sent, and not the file of that name", in: source, at: value.range,
        label: advice.replacing("…", with: text), severity: .warning))
  }
}
