internal import Diagnostics
internal import RequestSyntax

/// A request of a script as other tools have them: texts, some of which a variable has.
struct ExportedStep {
  /// A text with variables in it.
  struct Text: Hashable {
    enum Piece: Hashable {
      case text(String)
      case variable(String)
      /// In a URL: what the variable has, percent-encoded; as with `{+…}`, reserved characters may be kept.
      case encoded(String, keepsReserved: Bool)
    }

    var pieces: [Piece] = []

    init(pieces: [Piece]) {
      self.pieces = pieces
    }

    /// Whether curl takes it for cookies, and not for the name of a file of them.
    var hasPairs: Bool { pieces.contains { if case .text(let text) = $0 { text.contains("=") } else { false } } }

    init(_ text: String) {
      if !text.isEmpty { pieces = [.text(text)] }
    }

    init(variable name: String) {
      pieces = [.variable(name)]
    }

    static func + (left: Text, right: Text) -> Text {
      var text = left
      text.pieces += right.pieces
      return text
    }
  }

  struct Field {
    var name: String
    var value: Text
  }

  /// A part of a multipart body; the value of a file is its path.
  struct Part {
    var field: Field
    var isFile: Bool
    var type: String?
    var fileName: String?
  }

  enum Body {
    case json(Text)
    case form([Field])
    case multipart([Part])
    case text(Text, type: String?)
    case file(String, type: String?)
  }

  /// What a response has that a later step needs.
  struct Capture: Hashable {
    var variable: String
    /// A member of the exchange: `body`, `headers`, `text`, `status`, `cookies`.
    var member: String
    var path: [SegmentSyntax]
    /// What it goes through.
    var filters: [CallSyntax] = []
    /// Whether it is percent-encoded, as a part of a URL.
    var isEncoded = false
  }

  var method: String
  var url: Text
  var query: [Field] = []
  var headers: [Field] = []
  /// Headers that the tool would add, and that are not sent.
  var omittedHeaders: [String] = []
  var body: Body?
  var user: (name: Text, password: Text)?
  var statuses: [StatusSyntax]?
  var conditions: [ExpressionSyntax] = []
  var captures: [Capture] = []
  /// `timeout`, `redirects`, `wait`, as they are written.
  var timeout: String?
  var redirects: Int?
  var wait: String?
  var isSkipped = false
  /// The profile that keeps cookies for it.
  var jar: String?
  var range: SourceRange
}

extension ExportedStep.Capture {
  /// As an expectation of the step has it.
  var value: ExpressionSyntax {
    let part = ExpressionSyntax.member(NameSyntax(member))
    return filters.reduce(path.isEmpty ? part : part.path(path)) { .pipe(PipeSyntax($0, $1)) }
  }
}
