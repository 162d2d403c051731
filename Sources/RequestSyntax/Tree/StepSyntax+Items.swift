import Diagnostics

extension StepSyntax {
  /// Whether it says what its body is.
  public var hasBody: Bool { items.contains(where: \.isBody) || clauses.contains(where: \.isBody) }

  /// The same step with its request items lowered to clauses, which come first.
  public var withoutItems: StepSyntax {
    guard !items.isEmpty else { return self }
    var step = self
    step.items = []
    step.itemBody = nil
    var lowered: [ClauseSyntax] = []
    var members: [ObjectSyntax.Member] = []
    for item in items {
      switch item.kind {
      case .header: lowered.append(item.clause(.header(.field(item.key, item.value.asFieldValue)), "header"))
      case .query: lowered.append(item.clause(.query(.field(item.key, item.value.asFieldValue)), "query"))
      case .text, .json: members.append(item.member(item.value.unquotedAsString))
      case .file: members.append(item.member(item.value.asFile))
      }
    }
    if let first = items.first(where: { $0.isBody }) {
      let range = items.filter(\.isBody).reduce(first.range) { $0.union($1.range) }
      let object = ExpressionSyntax.object(ObjectSyntax(members: members, range: range))
      let hasFile = items.contains { $0.kind == .file }
      switch itemBody ?? (hasFile ? .multipart : nil) {
      case .form: lowered.append(first.clause(.form(object), "form"))
      case .multipart: lowered.append(first.clause(.multipart(object), "multipart"))
      case nil: lowered.append(first.clause(.json(object), "json"))
      }
    }
    step.clauses = lowered + clauses
    return step
  }
}

extension ScriptSyntax {
  /// The same script for keeping in a file: with its request items as clauses, wherever those can be written.
  public var canonical: ScriptSyntax {
    var script = self
    script.statements = statements.map(\.canonical)
    return script
  }
}

extension StatementSyntax {
  /// The same statement with its request items as clauses, wherever those can be written.
  var canonical: StatementSyntax {
    func canonical(_ block: BlockSyntax) -> BlockSyntax {
      var block = block
      block.statements = block.statements.map(\.canonical)
      return block
    }
    switch self {
    case .step(let node): return .step(node.items.allSatisfy(\.hasWrittenClause) ? node.withoutItems : node)
    case .sequence(var node):
      node.body = canonical(node.body)
      return .sequence(node)
    case .loop(var node):
      node.body = canonical(node.body)
      return .loop(node)
    case .parallel(let node): return .parallel(canonical(node))
    case .finally(let node): return .finally(canonical(node))
    case .run, .binding, .secret, .use, .tags, .profile: return self
    }
  }
}

extension ClauseSyntax {
  /// Whether it says what the body is.
  public var isBody: Bool {
    switch kind {
    case .json, .form, .multipart, .text, .body, .graphql: true
    default: false
    }
  }
}

extension RequestItemSyntax {
  /// Whether it is a part of the body.
  public var isBody: Bool {
    switch kind {
    case .text, .json, .file: true
    case .query, .header: false
    }
  }

  fileprivate func clause(_ kind: ClauseSyntax.Kind, _ keyword: String) -> ClauseSyntax {
    ClauseSyntax(kind: kind, keyword: NameSyntax(text: keyword, range: key.range), range: range)
  }

  fileprivate func member(_ value: ExpressionSyntax) -> ObjectSyntax.Member {
    let isName = Lexer(SourceText(name: "", text: key.text)).nameLength() == key.text.utf8.count
    let string = StringSyntax(style: .quoted, pieces: [.text(key.text)], range: key.range)
    return .field(key: isName ? .name(key) : .string(string), value: value, TypedSyntax())
  }

  /// Whether the clause that it stands for can be written: in a string, braces with an expression start with `$`.
  fileprivate var hasWrittenClause: Bool {
    guard kind != .header, kind != .query, case .word(let word) = value else { return true }
    return word.pieces.allSatisfy { piece in
      switch piece {
      case .text: true
      case .interpolation(let expression, _): expression.beginsWithReference
      }
    }
  }
}

extension ExpressionSyntax {
  /// Whether its text starts with a `$`.
  public var beginsWithReference: Bool {
    switch self {
    case .reference: true
    case .path(let node): node.base.beginsWithReference
    case .binary(let node): node.left.beginsWithReference
    case .pipe(let node): node.input.beginsWithReference
    case .fallback(let node): node.value.beginsWithReference
    case .shapeTest(let node): node.value.beginsWithReference
    case .member, .call, .parenthesized, .number, .string, .word, .object, .array, .literal, .unary, .conditional,
      .quantified:
      false
    }
  }

  /// As the value of a field: an empty one is written as a string.
  var asFieldValue: ExpressionSyntax {
    guard case .word(let word) = self, word.pieces.isEmpty else { return self }
    return unquotedAsString
  }

  /// `field@path` is `file("path")`; a path that is already a value stays one.
  var asFile: ExpressionSyntax {
    switch self {
    case .word, .string:
      let argument = ArgumentSyntax(name: nil, value: unquotedAsString)
      return .call(CallSyntax(name: NameSyntax(text: "file", range: range), arguments: [argument], range: range))
    default: return self
    }
  }

  /// An unquoted value as the string that it stands for.
  var unquotedAsString: ExpressionSyntax {
    guard case .word(let word) = self else { return self }
    let pieces = word.pieces.map { piece -> StringSyntax.Piece in
      switch piece {
      case .text(let text): .text(text)
      case .interpolation(let expression, _): .interpolation(expression)
      }
    }
    return .string(StringSyntax(style: .quoted, pieces: pieces, range: word.range))
  }
}
