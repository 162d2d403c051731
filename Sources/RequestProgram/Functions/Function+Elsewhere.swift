/// What the functions are called in jq, Python, JavaScript and other tools.
extension Function {
  private static let elsewhere = [
    "match": "regex", "capture": "regex", "extract": "regex", "grep": "regex", "search": "regex", "test": "regex",
    "length": "count", "len": "count", "size": "count", "total": "sum", "uniq": "unique", "strip": "trim",
    "sub": "replace-regex",
    "gsub": "replace-regex", "lowercase": "lower", "downcase": "lower", "tolower": "lower", "uppercase": "upper",
    "upcase": "upper", "toupper": "upper", "b64encode": "base64", "btoa": "base64", "b64decode": "base64-decode",
    "atob": "base64-decode", "fromjson": "parse-json", "tojson": "json", "int": "to-int", "tonumber": "to-number",
    "float": "to-number", "str": "to-string", "tostring": "to-string", "urlencode": "url-encode",
    "urldecode": "url-decode", "timestamp": "now", "strftime": "date", "strptime": "to-time", "uuid4": "uuid",
    "sha256sum": "sha256", "md5sum": "md5", "css": "xpath", "open": "file", "del": "without", "omit": "without",
  ]

  /// What to write for the name that another language has; nil: none is known to have it.
  static func suggestion(for name: String) -> String? {
    switch name.lowercased() {
    case "map", "pluck": return "of each element: $x.body.items[*].name"
    case "select", "filter", "where": return "those that it is true of: $x.body.items[?@.price > 30]"
    case "min": return "sort | first does that: [2, 1] | sort | first"
    case "max": return "sort | last does that: [2, 1] | sort | last"
    case "avg", "average", "mean": return "of $x.body[*].n: ($x.body[*].n | sum) / ($x.body[*].n | count)"
    default: break
    }
    guard let function = elsewhere[name.lowercased()].flatMap(Function.init(named:)) else { return nil }
    return "\(function.name) does that: \(function.example)"
  }
}
