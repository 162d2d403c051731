import HTTPTypes
import JSONValue
import Requests

extension SecretSearch {
  /// The secrets that are in a value: in a text, a number, the name of a member, a header field or a cookie.
  func found(in value: Value) -> Set<Secret> {
    guard !isEmpty else { return [] }
    var found: Set<Secret> = []
    func look(at text: String) { found.formUnion(self.found(in: text)) }
    func look(at field: HTTPField) {
      look(at: field.value)
      // The name as a path reads it; the forms of a secret include lowercase.
      look(at: field.name.canonicalName)
    }
    switch value.content {
    case .json(let json): json.forEachText(look)
    case .bytes(let bytes): return self.found(in: bytes)
    case .headers(let fields), .headerLines(let fields): for field in fields { look(at: field) }
    case .request(let request, let body):
      if let body { found.formUnion(self.found(in: Value(body))) }
      look(at: request.url)
      for field in request.headers { look(at: field) }
    case .cookies(let cookies):
      for (name, value) in cookies {
        look(at: name)
        look(at: value)
      }
    case .list(let values): for value in values { found.formUnion(self.found(in: value)) }
    case .names(let names): for value in names.values { found.formUnion(self.found(in: value)) }
    case .digest, .file, .chunk, .duration, .time, .exchange, .timings: break
    }
    return found
  }

  /// The value with the secrets that are known to be in it by now; perhaps nobody knew them when it was read or made.
  func marking(_ value: Value) -> Value {
    guard !isEmpty || !value.cookies.isEmpty || value.isVerbatim && !value.taint.isEmpty else { return value }
    var marked = value
    let found = found(in: value)
    if value.isVerbatim {
      marked.taint = Taint(found)
    } else {
      // What it was made from remains. The same text may be the secret of several profiles: which one it is, is known.
      marked.taint.hold(
        Taint(found.filter { secret in !value.taint.secrets.contains { $0.hasSameText(as: secret) } }))
    }
    // The secrets found when it was made are in its taint.
    let made = value.inputs.reduce(into: Set<Secret>()) { $0.formUnion(self.found(in: $1)) }
    if !made.isSubset(of: value.taint.secrets), marked.taint.absorb(Taint(made)) { marked.isVerbatim = false }
    if !value.cookies.isEmpty { marked.taint.hold(Taint(SecretSearch(value.cookies).found(in: value))) }
    return marked
  }
}
