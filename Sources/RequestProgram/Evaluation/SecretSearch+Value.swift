import HTTPTypes
import JSONValue
import Requests

extension SecretSearch {
  /// Those that are in a value: in a text, a number, the name of a member.
  func found(in value: Value) -> Set<Secret> {
    guard !isEmpty else { return [] }
    var found: Set<Secret> = []
    func look(at text: String) { found.formUnion(self.found(in: text)) }
    switch value.content {
    case .json(let json): json.forEachText(look)
    case .bytes(let bytes): return self.found(in: bytes)
    case .headers(let fields): for field in fields { look(at: field.value) }
    case .request(let request):
      look(at: request.url)
      for field in request.headers { look(at: field.value) }
    case .cookies(let cookies): for cookie in cookies.values { look(at: cookie) }
    case .list(let values): for value in values { found.formUnion(self.found(in: value)) }
    case .names(let names): for value in names.values { found.formUnion(self.found(in: value)) }
    case .digest, .file, .chunk, .duration, .time, .exchange, .timings: break
    }
    return found
  }

  /// What was read from outside, with the secrets that are known to be in it. A value that was made of such is as it was.
  func marking(_ value: Value) -> Value {
    guard value.isVerbatim || !value.cookies.isEmpty, !isEmpty || !value.taint.isEmpty || !value.cookies.isEmpty else {
      return value
    }
    var marked = value
    if value.isVerbatim { marked.taint = Taint(found(in: value)) }
    if !value.cookies.isEmpty { marked.taint.hold(Taint(SecretSearch(value.cookies).found(in: value))) }
    return marked
  }
}
