import Diagnostics

extension StepSyntax {
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
      case .header: lowered.append(item.clause(.header(.field(item.key, item.value)), "header"))
      case .query: lowered.append(item.clause(.query(.field(item.key, item.value)), "query"))
      case .text, .json: members.append(item.member(item.value.unquotedAsString))
      case .file: members.append(item.member(item.fileValue))
      }
    }
    if let first = items.first(where: { $0.isBody }) {
      let object = ExpressionSyntax.object(ObjectSyntax(members: members, range: first.range))
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
    let name = StringSyntax(style: .quoted, pieces: [.text(key.text)], range: key.range)
    return .field(key: .string(name), value: value, TypedSyntax())
  }

  /// `field@path` is `file("path")`; a path that is already a value stays one.
  fileprivate var fileValue: ExpressionSyntax {
    switch value {
    case .word, .string:
      let argument = ArgumentSyntax(name: nil, value: value.unquotedAsString)
      let name = NameSyntax(text: "file", range: key.range)
      return .call(CallSyntax(name: name, arguments: [argument], range: value.range))
    default: return value
    }
  }
}

extension ExpressionSyntax {
  /// An unquoted value as the string that it stands for.
  fileprivate var unquotedAsString: ExpressionSyntax {
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
