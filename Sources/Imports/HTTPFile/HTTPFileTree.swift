import Diagnostics
import RequestSyntax

/// A file of requests for an editor (JetBrains' HTTP Client, VS Code's REST Client), as it is written.
struct HTTPFile {
  /// `@name = value`
  var variables: [(name: String, value: HTTPFileText)] = []
  var requests: [HTTPFileRequest] = []
  var comments: [CommentSyntax] = []
  /// What is none of these.
  var refusals: [ImportRefusal] = []
}

struct HTTPFileRequest {
  /// `# @name login`
  var name: String?
  /// What is behind `###`.
  var title: String?
  var method: NameSyntax
  var url: HTTPFileText
  var headers: [(name: String, value: HTTPFileText, range: SourceRange)] = []
  var body: [HTTPFileBodyLine] = []
  /// `# @no-redirect` and the like.
  var directives: [NameSyntax] = []
  /// JavaScript between `> {%` and `%}`.
  var handlers: [HTTPFileText] = []
  /// JavaScript between `< {%` and `%}`, or the file that it is in: it may change the request.
  var preparations: [HTTPFileText] = []
  /// `>> file`
  var output: HTTPFileText?
  var range: SourceRange
}

enum HTTPFileBodyLine {
  case text(String, SourceRange)
  /// `< ./file`, `<@ ./file`
  case file(String, SourceRange)
}

/// A text as it is written, with `{{…}}` in it.
struct HTTPFileText {
  var text: String
  var range: SourceRange
}
