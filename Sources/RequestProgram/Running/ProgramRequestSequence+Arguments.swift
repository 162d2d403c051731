import Diagnostics
import RequestSyntax
import Requests

extension ProgramRequestSequence {
  /// The values of a sequence's parameters: set from outside, passed, or declared.
  ///
  /// - Parameter scope: what the declared values may read.
  func arguments(
    _ run: RunSyntax, _ sequence: Program.Located<SequenceSyntax>, _ caller: Evaluator, defaultsIn scope: Scope
  ) throws(ProgramError) -> [String: Value] {
    var values: [String: Value] = [:]
    let callee = evaluator(sequence.source, scope)
    for (index, parameter) in sequence.node.parameters.enumerated() {
      let name = parameter.name.text
      let type = parameter.type.flatMap { ParameterType(rawValue: $0.text) } ?? .any
      let argument = run.arguments.first { $0.name?.text == name } ?? run.positional(index)
      if isTopLevel, let setting = settings[name] {
        if case .text(let text) = setting, parameter.type == nil, let expression = parameter.defaultValue {
          values[name] = try value(of: text, named: name, inPlaceOf: expression, callee)
          continue
        }
        values[name] = try value(of: setting, named: name, type, caller, run.range)
      } else if let argument {
        let value = try caller.evaluateNamed(argument.value)
        guard type.accepts(value) else {
          throw caller.failure(
            .parameterType(name: name, type: type.rawValue, value: Quoted(written: value.kind)), argument.value.range)
        }
        values[name] = value
      } else if let expression = parameter.defaultValue {
        values[name] = try callee.evaluateNamed(expression)
      } else {
        throw caller.failure(.missingArgument(name, sequence: run.name.text), run.range)
      }
    }
    return values
  }

  private func value(
    of setting: Setting, named name: String, _ type: ParameterType, _ caller: Evaluator, _ range: SourceRange
  ) throws(ProgramError) -> Value {
    switch setting {
    case .text(let text):
      // A path from the command line is relative to the working directory.
      let outside = Evaluator(
        source: caller.source, directory: "", environment: environment, moment: moment, scope: caller.scope)
      guard let value = try type.value(of: text, evaluator: outside, range) else {
        let fact = ProgramError.Fact.parameterType(
          name: name, type: type.rawValue, value: Quoted(written: "\"\(text)\""))
        if program.isPrompt { throw caller.failure(fact, range) }
        throw ProgramError(fact, inSetting: name, text)
      }
      return value
    case .read(let json):
      let value = Value.read(.json(json), from: .setting(name))
      guard type.accepts(value) else {
        return try self.value(of: .text(json.settingText), named: name, type, caller, range)
      }
      return caller.scope.known.marking(value)
    case .value(let value):
      guard type.accepts(value) else {
        // A file may be set by its path.
        if case .text(let path, _) = value.leaving(by: .file) {
          return try self.value(of: .text(path), named: name, type, caller, range)
        }
        throw caller.failure(
          .parameterType(name: name, type: type.rawValue, value: Quoted(written: value.kind)), range)
      }
      return value
    }
  }

  /// A `run` of a sequence without arguments, located where the sequence is declared.
  static func call(of name: String, in program: Program) throws(ProgramError) -> Program.Located<StatementSyntax> {
    guard let sequence = program.sequences[name] else {
      let source = program.statements.first?.source.text ?? SourceText(name: "", text: "")
      throw ProgramError(.unknownSequence(name, known: program.sequenceNames), in: source, at: SourceRange(at: 0))
    }
    return Program.Located(node: .run(RunSyntax(name: sequence.node.name)), source: sequence.source)
  }

  /// Every name that is set must be one that can be set.
  func checkSettings(running sequence: String?) throws(ProgramError) {
    if let sequence, let declared = program.sequences[sequence] {
      for parameter in declared.node.parameters
      where parameter.defaultValue == nil && settings[parameter.name.text] == nil {
        throw ProgramError(
          .missingSetting(parameter.name.text, sequence: sequence), in: declared.source.text, at: parameter.name.range)
      }
    }
    guard !settings.isEmpty else { return }
    let known = program.settableNames(among: block.body.statements)
    for name in settings.keys.sorted() where !known.contains(name) {
      let source = block.body.statements.first?.source.text ?? SourceText(name: "", text: "")
      for case .secret(let secret) in program.statements.map(\.node) where secret.name.text == name {
        let value = SyntaxPrinter.print(secret.value)
        throw ProgramError(.secretSetting(name, from: value), in: source, at: SourceRange(at: 0))
      }
      throw ProgramError(.unknownSetting(name, known: known.sorted()), in: source, at: SourceRange(at: 0))
    }
  }
}

extension Program {
  /// The names that can be set from outside: top-level `let`s, and the parameters of what is run.
  ///
  /// - Parameter sequence: the sequence that is run; nil: the script's own steps.
  public func settableNames(running sequence: String?) -> Set<String> {
    guard let sequence else { return settableNames(among: statements) }
    let lets = statements.compactMap { statement in
      if case .binding(let node) = statement.node { node.name.text } else { nil }
    }
    return Set(lets + (sequences[sequence]?.node.parameters ?? []).map(\.name.text))
  }

  /// Those of them that have no value of their own.
  public func requiredNames(running sequence: String?) -> [String] {
    guard let sequence, let parameters = sequences[sequence]?.node.parameters else { return [] }
    return parameters.filter { $0.defaultValue == nil }.map(\.name.text)
  }

  fileprivate func settableNames(among statements: [Located<StatementSyntax>]) -> Set<String> {
    var names: Set<String> = []
    for statement in statements {
      switch statement.node {
      case .binding(let node): names.insert(node.name.text)
      case .run(let node):
        let parameters = sequences[node.name.text]?.node.parameters ?? []
        names.formUnion(parameters.map(\.name.text))
      case .step, .secret, .sequence, .loop, .parallel, .finally, .use, .tags, .profile: continue
      }
    }
    return names
  }
}

extension RunSyntax {
  fileprivate func positional(_ index: Int) -> ArgumentSyntax? {
    arguments.indices.contains(index) && arguments[index].name == nil ? arguments[index] : nil
  }
}
