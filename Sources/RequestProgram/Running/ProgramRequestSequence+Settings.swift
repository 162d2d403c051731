import Diagnostics
import JSONValue
public import RequestSyntax
import Requests

extension ProgramRequestSequence {
  /// The value that a text from a command line, or from a row, stands for: one of the kind of what it replaces, if that
  /// is written in the script; else a text.
  ///
  /// - Parameters:
  ///   - name: what is set.
  ///   - expression: what it is without being set.
  func value(
    of text: String, named name: String, inPlaceOf expression: ExpressionSyntax, _ evaluator: Evaluator
  ) throws(ProgramError) -> Value {
    let asText = evaluator.scope.known.marking(.read(.json(.string(text)), from: .setting(name)))
    // A run that was recorded in another version means what it meant.
    guard environment.language >= LanguageVersion.second, expression.isConstant, expression.plainText == nil,
      let replaced = try? evaluator.evaluate(expression)
    else { return asText }
    let type: ParameterType
    switch replaced.content {
    case .json(.number): type = .number
    case .json(.bool): type = .bool
    case .json(.object): type = .object
    case .json(.array): type = .array
    case .duration: type = .duration
    // Which kind it will be is said by the text alone.
    case .json(.null): type = .any
    default: return asText
    }
    if type == .any, let json = try? JSON(parsing: text) {
      return evaluator.scope.known.marking(.read(.json(json), from: .setting(name)))
    }
    if type != .any, var value = try type.value(of: text, evaluator: evaluator, expression.range) {
      value.provenance = .setting(name)
      return value
    }
    throw ProgramError(
      .settingKind(name: name, kind: replaced.kind, value: Quoted(written: "\"\(text)\"")), inSetting: name, text)
  }
}

extension ProgramRequestSequence {
  /// What a declaration of the name has to say for it to have the value that the text stands for.
  public func declaration(of name: String, setTo text: String) throws(ProgramError) -> ExpressionSyntax {
    for statement in program.statements.reversed() {
      guard case .binding(let node) = statement.node, node.name.text == name else { continue }
      let value = try value(of: text, named: name, inPlaceOf: node.value, evaluator(statement.source))
      if case .duration = value.content {
        return Parser.parseExpression(SourceText(name: "", text: text)).expression ?? .text(text)
      }
      return value.json.map { ExpressionSyntax($0) } ?? .text(text)
    }
    return .text(text)
  }
}

extension ProgramError {
  /// What is wrong is not in the script, but in a value that was given on the command line.
  init(_ fact: Fact, inSetting name: String, _ text: String) {
    let given = SourceText(name: "command line", text: "\(name)=\(text)")
    self.init(fact, in: given, at: SourceRange(name.utf8.count + 1, given.bytes.count))
  }
}
