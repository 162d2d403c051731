import Diagnostics
import RequestSyntax

/// A Hurl file as it is written: its entries, in order, each part with its place.
struct HurlFile {
  var entries: [HurlEntry] = []
  var comments: [CommentSyntax] = []
}

/// A request, and what is expected of its response.
struct HurlEntry {
  var method: NameSyntax
  var url: HurlText
  var headers: [HurlPair] = []
  var sections: [HurlSection] = []
  var body: HurlBody?
  var response: HurlResponse?
  var range: SourceRange
  /// The request alone.
  var requestRange: SourceRange
}

struct HurlResponse {
  /// `HTTP/1.1`; nil for `HTTP`.
  var version: NameSyntax?
  /// nil for `*`.
  var status: Int?
  var statusRange: SourceRange
  var headers: [HurlPair] = []
  var captures: [HurlCapture] = []
  var asserts: [HurlAssert] = []
  var body: HurlBody?
}

/// A text with `{{…}}` in it.
struct HurlText {
  enum Piece {
    case text(String)
    case placeholder(HurlPlaceholder)
  }

  var pieces: [Piece]
  var range: SourceRange

  /// The text, if nothing in it is a placeholder.
  var plain: String? {
    var text = ""
    for piece in pieces {
      guard case .text(let part) = piece else { return nil }
      text += part
    }
    return text
  }
}

/// `{{name filter …}}`
struct HurlPlaceholder {
  enum Source {
    case variable(String)
    /// `newUuid`, `newDate`, `getEnv "NAME"`
    case function(String, HurlText?)
  }

  var source: Source
  var filters: [HurlFilter] = []
  var range: SourceRange
}

/// `name: value`
struct HurlPair {
  var key: HurlText
  var value: HurlText
  var range: SourceRange
}

struct HurlSection {
  enum Kind: String {
    case query, form, multipart, cookies, basicAuth, options
  }

  var kind: Kind
  var pairs: [HurlPair]
  var range: SourceRange
}

struct HurlBody {
  enum Content {
    /// With its placeholders, in the order of the text.
    case json(HurlJSON, [HurlJSONPlace])
    case xml(HurlText)
    /// Between three backticks, with the language that is named there.
    case block(HurlText, language: String)
    case line(HurlText)
    case bytes([UInt8])
    case file(HurlText)
  }

  var content: Content
  var range: SourceRange
}

/// JSON with `{{…}}` in place of values and in texts.
indirect enum HurlJSON {
  case null
  case bool(Bool)
  case number(String)
  case string(HurlText)
  case array([HurlJSON])
  case object([(key: HurlText, value: HurlJSON)])
  case placeholder(HurlPlaceholder)
}

/// A placeholder in JSON: between quotes it stands for a part of a text, elsewhere for a value.
struct HurlJSONPlace {
  var placeholder: HurlPlaceholder
  var isInText: Bool
}

struct HurlQuery {
  var name: NameSyntax
  var argument: HurlArgument?
  var range: SourceRange
}

struct HurlFilter {
  var name: NameSyntax
  var arguments: [HurlArgument] = []
  var range: SourceRange
}

enum HurlArgument {
  case text(HurlText)
  case regex(String)
  case number(String)
  case placeholder(HurlPlaceholder)
}

struct HurlCapture {
  var name: HurlText
  var query: HurlQuery
  var filters: [HurlFilter]
  var isRedacted: Bool
  var range: SourceRange
}

struct HurlAssert {
  var query: HurlQuery
  var filters: [HurlFilter]
  var isNegated: Bool
  var predicate: NameSyntax
  var value: HurlValue?
  var range: SourceRange
  /// The query and its filters.
  var subjectRange: SourceRange
}

struct HurlValue {
  enum Content {
    case text(HurlText)
    /// Between three backticks.
    case block(HurlText, language: String)
    case regex(String)
    case number(String)
    case bool(Bool)
    case null
    case bytes([UInt8])
    case file(HurlText)
    case placeholder(HurlPlaceholder)
  }

  var content: Content
  var range: SourceRange
}

/// Why a text is not a Hurl file, and where.
struct HurlSyntaxError: Error {
  var message: String
  var range: SourceRange
}
