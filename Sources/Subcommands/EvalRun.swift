internal import Diagnostics
internal import Formats
internal import JSONValue
internal import Presentation
internal import RequestProgram
internal import RequestSyntax
internal import Requests
package import Sessions

/// Evaluates one expression of the language, in which `$` is a document.
package struct EvalRun: Sendable {
  private let world: World
  private let readsText: Bool
  private let isRaw: Bool
  private let printer: Printer

  /// - Parameters:
  ///   - readsText: the document is text, not JSON.
  ///   - isRaw: prints a string as its text, not as JSON.
  package init(world: World, readsText: Bool = false, isRaw: Bool = false) {
    self.world = world
    self.readsText = readsText
    self.isRaw = isRaw
    printer = Printer(world, secrets: KnownSecrets())
  }

  /// Prints the value.
  ///
  /// - Parameter file: the document, read only if the expression has a `$`; `-` is standard input.
  /// - Returns: `failed` if a path finds nothing, `usage` if the expression or the document is wrong.
  package func run(_ text: String, file: String) -> ExitCode {
    let errors = ErrorPrinter(printer)
    let (expression, found) = DocumentExpression.parse(SourceText(name: "<expression>", text: text))
    errors.print(found)
    guard let expression else { return .usage }
    do {
      let document = expression.usesDocument ? try document(in: file) : nil
      let value = try expression.value(of: document, in: world.programEnvironment, at: world.moment)
      printer.result(StyledText(isRaw ? value.raw : value.printed) + "\n")
      return .success
    } catch let error as FileError {
      errors.print(ErrorReport("\(error)"))
      return .file
    } catch let error as ProgramError {
      errors.print([error.diagnostic])
      if case .file = error.fact { return .file }
      if case .interrupted = error.fact { return .interrupted }
      return error.isMissing ? .failed : .usage
    } catch let error as Diagnostic {
      errors.print([error])
      return .usage
    } catch {
      errors.print(ErrorReport("\(error)"))
      return .usage
    }
  }

  private func document(in file: String) throws -> JSON {
    let bytes = try world.readDocument(file)
    let source = SourceText(name: file == "-" ? "<stdin>" : file, bytes: bytes)
    if readsText {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Diagnostic("the document is not valid UTF-8", in: source, at: SourceRange(at: 0))
      }
      return .string(text)
    }
    do {
      return try JSON(parsing: bytes)
    } catch {
      throw Diagnostic(
        "the document is not JSON: \(error.sentence)", in: source, at: SourceRange(at: error.offset),
        notes: [
          "with --text the document is taken as text" + (error.advice(onLinesOf: "$").map { ": \($0)" } ?? "")
        ])
    }
  }
}

extension Value {
  /// A string as its text, anything else as it is printed.
  fileprivate var raw: String {
    if case .text(let text, _) = leaving(by: .screen) { text } else { printed }
  }
}
