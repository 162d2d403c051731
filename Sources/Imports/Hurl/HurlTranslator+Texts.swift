import Diagnostics
import JSONValue
import RequestSyntax

extension HurlTranslator {
  /// What a placeholder stands for.
  enum Meaning {
    case constant(JSON)
    case expression(ExpressionSyntax)
  }

  /// A value as Hurl reads it in `variable:` and on the command line.
  static func constant(_ text: String) -> JSON {
    if text.first == "\"", text.last == "\"", text.count > 1 { return .string(String(text.dropFirst().dropLast())) }
    switch text {
    case "true": return true
    case "false": return false
    case "null": return .null
    default: return JSONNumber(text).map(JSON.number) ?? .string(text)
    }
  }

  mutating func meaning(_ placeholder: HurlPlaceholder) throws(ImportRefusal) -> Meaning {
    var value: ExpressionSyntax
    switch placeholder.source {
    case .variable(let name):
      switch variables.meaning(of: name) {
      case .constant(let json):
        if placeholder.filters.isEmpty {
          if case .string(let text) = json { repeated += text.utf8.count }
          guard repeated <= Self.longestRepetition else {
            throw ImportRefusal("variables of this file would be written out too often", at: placeholder.range)
          }
          return .constant(json)
        }
        value = ExpressionSyntax(json)
      case .name(let name): value = .reference(name)
      case .part(let part): value = part.asOperand
      }
    case .function("newUuid", _): value = .call("uuid")
    case .function("newDate", _):
      value = .pipe(PipeSyntax(.call("now"), CallSyntax("date", [.text("%Y-%m-%dT%H:%M:%S.%fZ")])))
    case .function(_, let argument):
      guard let name = argument?.plain, NameSyntax.isName(name) else {
        throw ImportRefusal("the name of an environment variable cannot be computed", at: placeholder.range)
      }
      value = .environment(name)
    }
    for filter in placeholder.filters { value = try apply(filter, to: value) }
    return .expression(value.placed(at: placeholder.range))
  }

  private static let textLimit = 1 << 20
  private static let longestRepetition = 1 << 20

  /// The text, if all of it is known now.
  mutating func constantText(_ text: HurlText) throws(ImportRefusal) -> String? {
    var known = ""
    for piece in text.pieces {
      switch piece {
      case .text(let part): known += part
      case .placeholder(let placeholder):
        guard case .constant(let json) = try meaning(placeholder) else { return nil }
        known += json.plainText
        // Values that are made of each other could grow without end.
        if known.utf8.count > Self.textLimit { throw ImportRefusal("this value is longer than 1 MiB", at: text.range) }
      }
    }
    return known
  }

  /// The pieces of a text between quotes. What is no reference gets a name before the step.
  mutating func pieces(_ text: HurlText) throws(ImportRefusal) -> [StringSyntax.Piece] {
    var pieces: [StringSyntax.Piece] = []
    for piece in text.pieces {
      switch piece {
      case .text(let part): pieces.append(.text(part))
      case .placeholder(let placeholder):
        switch try meaning(placeholder) {
        case .constant(let json): pieces.append(.text(json.plainText))
        case .expression(let value):
          if value.readsMember {
            throw ImportRefusal("a part of this response cannot be put into a text here", at: placeholder.range)
          }
          pieces.append(.interpolation(reference(to: value, placeholder)))
        }
      }
    }
    return pieces
  }

  /// Only what starts with a reference is read as an expression in a text.
  mutating func reference(to value: ExpressionSyntax, _ placeholder: HurlPlaceholder) -> ExpressionSyntax {
    if value.beginsWithReference { return value }
    let wanted = if case .function("newUuid", _) = placeholder.source { "uuid" } else { "date" }
    let name = variables.unused(wanted)
    pending.append(StatementSyntax.binding(LetSyntax(name, value)).placed(at: placeholder.range))
    return .reference(name).placed(at: placeholder.range)
  }

  /// A text in quotes.
  mutating func string(_ text: HurlText) throws(ImportRefusal) -> StringSyntax {
    StringSyntax(try pieces(text))
  }

  /// A value that is sent as text: a word, a text, or what a placeholder alone stands for.
  mutating func value(_ text: HurlText) throws(ImportRefusal) -> ExpressionSyntax {
    if let known = try constantText(text) { return ExpressionSyntax.value(known).placed(at: text.range) }
    if text.pieces.count == 1, case .placeholder(let placeholder) = text.pieces[0],
      case .expression(let value) = try meaning(placeholder)
    {
      return value
    }
    return ExpressionSyntax.string(try string(text)).placed(at: text.range)
  }

  /// The same, for where a bare word is not read.
  mutating func operand(_ text: HurlText) throws(ImportRefusal) -> ExpressionSyntax {
    if let known = try constantText(text) { return ExpressionSyntax.text(known).placed(at: text.range) }
    return try value(text)
  }

  /// JSON as a literal of the language; nil for what it cannot say: a key that is there twice.
  mutating func literal(_ json: HurlJSON) throws(ImportRefusal) -> ExpressionSyntax? {
    switch json {
    case .null: return ExpressionSyntax(.null)
    case .bool(let value): return ExpressionSyntax(.bool(value))
    case .number(let text): return JSONNumber(text).map { ExpressionSyntax(.number($0)) }
    case .string(let text): return .string(try string(text).placed(at: text.range))
    case .placeholder(let placeholder):
      switch try meaning(placeholder) {
      case .constant(let json): return ExpressionSyntax(json)
      // What it stands for may be a text that comes from outside, but it is written without quotes.
      case .expression(let value): return value.through("to-string").through("parse-json").asOperand
      }
    case .array(let elements):
      var values: [ExpressionSyntax] = []
      for element in elements {
        guard let value = try literal(element) else { return nil }
        values.append(value)
      }
      return .array(ArraySyntax(values))
    case .object(let members):
      var fields: [ObjectSyntax.Member] = []
      var seen: Set<String> = []
      for member in members {
        let key = try string(member.key)
        if let plain = key.plainText, !seen.insert(plain).inserted { return nil }
        guard let value = try literal(member.value) else { return nil }
        let written = key.plainText.map { KeySyntax($0) } ?? .string(key)
        fields.append(.field(key: written, value: value, TypedSyntax()))
      }
      return .object(ObjectSyntax(fields))
    }
  }
}

extension StringSyntax {
  func placed(at range: SourceRange) -> StringSyntax {
    guard case .string(let string) = ExpressionSyntax.string(self).placed(at: range) else { return self }
    return string
  }
}

extension JSON {
  /// As it is written into a text.
  var plainText: String { if case .string(let text) = self { text } else { description } }
}

extension ExpressionSyntax {
  /// Whether it reads the response that is judged.
  var readsMember: Bool {
    var reads = false
    forEach { if case .member = $0 { reads = true } }
    return reads
  }

  /// The same where an operand is needed: in parentheses if it is more than that.
  var asOperand: ExpressionSyntax {
    switch self {
    case .pipe, .fallback, .binary, .shapeTest, .conditional, .unary: .parenthesized(ParenthesizedSyntax(self))
    default: self
    }
  }

  /// What a path leads to.
  func selecting(_ segments: [SegmentSyntax]) -> ExpressionSyntax {
    guard !segments.isEmpty else { return self }
    switch self {
    case .reference(var node):
      node.segments += segments
      return .reference(node)
    case .path(var node):
      node.segments += segments
      return .path(node)
    default: return asOperand.path(segments)
    }
  }

  /// What a function makes of it.
  func through(_ function: String, _ arguments: ExpressionSyntax...) -> ExpressionSyntax {
    let input: ExpressionSyntax
    switch self {
    case .pipe, .fallback: input = self
    default: input = asOperand
    }
    return .pipe(PipeSyntax(input, CallSyntax(function, arguments)))
  }
}
